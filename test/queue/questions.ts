import { expect, it } from 'vitest';
import { until } from '../../playground/n8n/until.ts';
import { kudosityType, manualTrigger, node, noOperation, workflow } from '../e2e/workflow.ts';
import { executionRows, executionsEnded, readExecutions } from './executions.ts';
import type { N8nProcess } from './n8nProcess.ts';
import type { QueueMode } from './queueMode.ts';

const sender = '61491570156';
const contact = '61491573770';
const retryDelaysMs = [500, 1000, 2000, 4000, 8000];

/** Asks one person; resolves once the execution waits. */
const askFirst = async (queueMode: QueueMode) => {
	const { control } = queueMode;
	await control.reset({ autoStatus: false, deliveryTimeoutMs: 60_000, retryDelaysMs });
	return await ask(queueMode);
};

const ask = async (queueMode: QueueMode) => {
	const { rest, credentials } = queueMode;
	const question = node({
		name: 'Ask',
		type: kudosityType,
		credentials,
		parameters: {
			resource: 'sms',
			operation: 'sendAndWait',
			responseType: 'freeText',
			message: 'Yes or no?',
			sender,
			recipient: contact,
		},
	});
	const nodes = [manualTrigger(), question, noOperation('After')];
	const { id: workflowId } = await rest.createWorkflow(workflow({ nodes, items: [{}] }));
	const executionId = await rest.runWorkflow(workflowId);
	await until({ what: 'the question to wait' }, async () => {
		const [row] = await executionRows(queueMode, workflowId);
		return row?.status === 'waiting' || undefined;
	});
	return { workflowId, executionId };
};

const reply = async ({ control }: QueueMode): Promise<void> => {
	await control.inbound({ from: contact, to: sender, text: 'On Tuesday' });
	await control.waitForDeliveries({ ok: true }, { timeoutMs: 120_000 });
};

const expectAnswered = async (queueMode: QueueMode, workflowId: string): Promise<void> => {
	const rows = await executionsEnded(queueMode, workflowId, 1);
	const [execution] = await readExecutions(queueMode, rows);
	expect(execution?.status).toBe('success');
	expect(execution?.nodes.After?.items).toMatchObject([
		{ json: { replied: true, text: 'On Tuesday', contact, sender } },
	]);
	expect(await queueMode.control.messages()).toHaveLength(1);
};

const hasRun = ({ logs }: N8nProcess, executionId: string): boolean =>
	new RegExp(`Worker started execution ${executionId}\\b`).test(logs());

export const describeQuestions = (get: () => QueueMode): void => {
	it('goes on with a reply that comes to the webhook process', async () => {
		const queueMode = get();
		const { balancer, main, webhook } = queueMode;
		const { workflowId } = await askFirst(queueMode);
		balancer.useUpstreams([webhook.port]);
		const before = balancer.passed().get(webhook.port) ?? 0;
		await reply(queueMode);

		await expectAnswered(queueMode, workflowId);
		expect(balancer.passed().get(webhook.port)).toBeGreaterThan(before);
		balancer.useUpstreams([main.port, webhook.port]);
	});

	it('leaves alone a late copy of the answer to a newer one, which another process took', async () => {
		const queueMode = get();
		const { balancer, control, main, webhook } = queueMode;
		const older = await askFirst(queueMode);
		const [{ id: to } = {}] = await control.webhooks();
		const newer = await ask(queueMode);
		const write = async (id: string, options: { to?: string } = {}) => {
			const mo = { id, sender: contact, recipient: sender, message: id, last_message: null };
			const event = { event_type: 'SMS_INBOUND', overrides: { mo }, wait: true } as const;
			await control.emit({ ...event, ...options });
		};
		const textOf = async ({ workflowId }: { workflowId: string }) => {
			const [execution] = await readExecutions(
				queueMode,
				await executionsEnded(queueMode, workflowId, 1),
			);
			return execution?.nodes.After?.items[0]?.json.text;
		};
		balancer.useUpstreams([main.port]);
		await write('first');
		const closed = { method: 'PUT', path: '/v2/webhook', bodyIncludes: '(question answered ' };
		await control.waitForRequests({ ...closed, status: 200 });
		expect(await textOf(newer)).toBe('first');
		balancer.useUpstreams([webhook.port]);
		await write('first', { to });
		expect(await executionRows(queueMode, older.workflowId)).toMatchObject([{ status: 'waiting' }]);

		await write('second');
		expect(await textOf(older)).toBe('second');
		balancer.useUpstreams([main.port, webhook.port]);
	});

	// The last test of its n8n, which has one worker less afterwards.
	it('goes on when the worker that asked was killed', async () => {
		const queueMode = get();
		const { workflowId, executionId } = await askFirst(queueMode);
		const index = queueMode.workers.findIndex((worker) => hasRun(worker, executionId));
		await queueMode.workers[index]?.kill();
		await reply(queueMode);

		await expectAnswered(queueMode, workflowId);
		expect(index).not.toBe(-1);
	});
};
