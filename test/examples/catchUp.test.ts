import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { useExample } from './useExample.ts';

const table = 'Kudosity messages';

describe('catch-up.json', () => {
	const example = useExample({ file: 'catch-up.json' });

	const text = async (words: string) =>
		await example.control.inbound({ from: '61491573770', to: '61491571266', text: words });
	const texts = async () => (await example.rows(table)).map((row) => row.text);

	/** Unpublished, as after the first catching-up, which publishing starts. */
	const stop = async () => {
		await example.executions(1);
		await example.unpublish();
	};
	const catchUp = async () => await example.run('Every night');

	it('keeps a message when it comes in, once although it is delivered twice', async () => {
		await example.executions(1);
		await example.control.settings({ duplicateEvents: true });
		await text('Hello');
		const executions = await example.executions(3);

		expect(executions.map(({ status }) => status)).toEqual(Array(3).fill('success'));
		expect(await texts()).toEqual(['Hello']);
	});

	it('catches up when it is published, on each message once and in their order', async () => {
		await example.executions(1);
		await text('Before');
		await example.executions(2);
		await example.unpublish();
		await text('First');
		await text('Second');
		await example.publish();
		const [, , back] = await example.executions(3);

		const isNew = back?.nodes['New message']?.items.map(({ json }) => json.text);
		expect(isNew).toEqual(['First', 'Second']);
		expect(await texts()).toEqual(['Before', 'First', 'Second']);
	});

	it('goes on from the newest message that it saw the last time', async () => {
		await stop();
		await text('Old');
		await catchUp();
		await text('New');
		const { nodes } = await catchUp();

		const [old] = await example.control.inboundMessages();
		const requests = await example.control.requests({ method: 'GET', path: '/v2/sms' });
		const hour = 3_600_000;
		expect(Date.parse(String(requests.at(-1)?.query.start_date))).toBe(Date.parse(old!.at) - hour);
		expect(nodes['New message']?.items.map(({ json }) => json.text)).toEqual(['New']);
		expect(await texts()).toEqual(['Old', 'New']);
	});

	it('asks once more for what it could not read', async () => {
		await stop();
		await text('Hello');
		const match = { path: '/v2/sms', method: 'GET', count: 'forever' as const };
		await example.control.addFault({ fault: 'custom', status: 400, match });
		expect((await catchUp()).status).toBe('error');
		await example.control.clearFaults();
		await catchUp();

		expect(await texts()).toEqual(['Hello']);
	});

	it('keeps all messages, also if Kudosity does not say when one of them came in', async () => {
		await stop();
		const from = { direction: 'IN', sender: '61491573770', recipient: '61491571266' };
		const dates = ['2026-03-02T23:41:07Z', null, '2026-03-01T23:41:07Z'];
		const smses = dates.map((created_at, id) => ({ ...from, id, message: `${id}`, created_at }));
		const match = { path: '/v2/sms', method: 'GET' };
		await example.control.addFault({ fault: 'custom', status: 200, body: { smses }, match });
		const { status } = await catchUp();

		expect([status, await texts()]).toEqual(['success', ['1', '2', '0']]);
	});

	it('runs in the editor on its pinned event', async () => {
		const { status } = await example.run('SMS received');

		expect(status).toBe('success');
		expect(await texts()).toEqual(['Are you open on Sunday?']);
	});
});

describe('catch-up.json, with a node of your own that has another output', () => {
	const change = (node: WorkflowNode): WorkflowNode => {
		if (node.name !== 'New message') return node;
		const jsCode =
			'return $input.all().map((_, item) => ({ json: { ok: true }, pairedItem: item }))';
		return { ...node, type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } };
	};
	const example = useExample({ file: 'catch-up.json', change, publish: false });

	it('keeps the messages themselves, each once', async () => {
		for (const words of ['First', 'Second']) {
			await example.control.inbound({ from: '61491573770', to: '61491571266', text: words });
		}
		await example.run('Every night');
		const { status, nodes } = await example.run('Every night');

		expect(status).toBe('success');
		expect(nodes['New message']).toBeUndefined();
		expect((await example.rows(table)).map((row) => row.text)).toEqual(['First', 'Second']);
	});
});
