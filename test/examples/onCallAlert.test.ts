import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { until } from '../../playground/n8n/until.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { useExample } from './useExample.ts';

const to = '61491570006';
const first = { from: '61491573770', to };
const second = { from: '61491571266', to };

const sending = (node: WorkflowNode): WorkflowNode => {
	const options = { ...(node.parameters.options as object), dryRun: 'never' };
	return node.name.startsWith('Ask ')
		? { ...node, parameters: { ...node.parameters, options } }
		: node;
};

// n8n 1 publishes nothing that does not start by itself, and runs it all the same.
const use = { file: 'on-call-alert.json', publish: isCurrent };

describe('on-call-alert.json', () => {
	const example = useExample({ ...use, change: sending });
	const asked = async (person: typeof first) =>
		await example.control.waitForMessages({ recipient: person.from });

	/** As a workflow that is watched does. */
	const failing = async () => {
		const path = randomUUID();
		const at = (name: string, type: string, parameters: object, x: number) => ({
			...{ id: randomUUID(), name, type: `n8n-nodes-base.${type}`, typeVersion: 1 },
			...{ position: [x, 0] as [number, number], parameters: { ...parameters } },
		});
		const { id } = await example.rest.createWorkflow({
			name: 'Sync orders',
			nodes: [
				{ ...at('Order', 'webhook', { path, httpMethod: 'GET' }, 0), webhookId: path },
				at('Write order', 'stopAndError', { errorMessage: 'Kim Lee, 12 High St' }, 200),
			],
			connections: { Order: { main: [[{ node: 'Write order', type: 'main', index: 0 }]] } },
			settings: { executionOrder: 'v1', errorWorkflow: example.id() },
		});
		await example.rest.activate(id);
		return async () => void (await fetch(`${example.url}/webhook/${path}`));
	};

	it('asks the next person when the first passes it on', async () => {
		const id = await example.start();
		await asked(first);
		expect(await example.control.messages({ recipient: second.from })).toEqual([]);
		await example.control.inbound({ ...first, text: 'No' });
		await asked(second);
		await example.control.inbound({ ...second, text: 'ok' });
		const { status, nodes } = await example.rest.waitForExecution(id);

		expect(status).toBe('success');
		expect(nodes['Taken by the second?']?.items).toMatchObject([
			{ json: { approved: true, contact: second.from } },
		]);
	});

	it('asks the next person when the first has opted out, and fails when nobody takes it', async () => {
		await example.control.inbound({ ...first, text: 'STOP' });
		const id = await example.start();
		await asked(second);
		await example.control.inbound({ ...second, text: 'no' });
		const { status, error } = await example.rest.waitForExecution(id);

		expect(status).toBe('error');
		expect(error?.message).toContain('Nobody accepted the alert: "Example Workflow" failed');
		expect(await example.control.messages()).toHaveLength(1);
	});

	it('asks once when a workflow fails twice, and tells nobody what was in the error', async () => {
		const fail = await failing();
		await fail();
		const [question] = await asked(first);
		expect(question?.text).toBe(
			'"Sync orders" failed at "Write order". Reply OK to take it, NO to pass it on.',
		);
		await fail();
		await until({ what: 'the second alert to end' }, async () =>
			(await example.listed()).some(({ status }) => status === 'success') ? true : undefined,
		);
		await example.control.inbound({ ...first, text: 'OK' });
		const executions = await example.executions(2);

		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(await example.control.messages()).toHaveLength(1);
	});
});

describe('on-call-alert.json as it is', () => {
	const example = useExample(use);

	it('sends nothing in the editor', async () => {
		const { status, nodes } = await example.run();

		expect(status).toBe('success');
		expect(nodes['Taken?']?.items).toMatchObject([{ json: { dryRun: true } }]);
		expect(await example.control.messages()).toEqual([]);
	});
});
