import { describe, expect, it } from 'vitest';
import { useExample } from './useExample.ts';

const table = 'Kudosity messages';
const beside = 'keep-every-message.json';

describe('catch-up.json', () => {
	const example = useExample({ file: 'catch-up.json', beside: [beside] });

	const text = async (words: string) =>
		await example.control.inbound({ from: '61491573770', to: '61491571266', text: words });
	/** As while n8n is down: no event comes. */
	const miss = async (words: string) => {
		await example.rest.deactivate(example.id(beside));
		await text(words);
		await example.rest.activate(example.id(beside));
	};
	const texts = async () => (await example.rows(table)).map((row) => row.text).sort();
	const catchUp = async () => await example.run('Every night');

	it('adds what was missed, once, beside what came by event', async () => {
		await text('Before');
		await example.executions(1, beside);
		await miss('First');
		await miss('Second');
		const { status, nodes } = await catchUp();
		await catchUp();

		expect(status).toBe('success');
		const missed = nodes['Missed message']?.items.map(({ json }) => json.text);
		expect(missed?.sort()).toEqual(['First', 'Second']);
		expect(await texts()).toEqual(['Before', 'First', 'Second']);
		expect(await example.rows(table)).toMatchObject([
			{},
			...Array(2).fill({ contact: '61491573770', channel: 'SMS', sender: '61491571266' }),
		]);
	});

	it('catches up when it is published', async () => {
		await example.executions(1);
		await example.unpublish();
		await miss('First');
		await example.publish();
		await example.executions(2);

		expect(await texts()).toEqual(['First']);
	});

	it('asks once more for what it could not read', async () => {
		await miss('Hello');
		const match = { path: '/v2/sms', method: 'GET', count: 'forever' as const };
		await example.control.addFault({ fault: 'custom', status: 400, match });
		expect((await catchUp()).status).toBe('error');
		await example.control.clearFaults();
		await catchUp();

		expect(await texts()).toEqual(['Hello']);
	});

	it('keeps all messages, also if Kudosity does not say when one of them came in', async () => {
		const from = { direction: 'IN', sender: '61491573770', recipient: '61491571266' };
		const dates = ['2026-03-02T23:41:07Z', null, '2026-03-01T23:41:07Z'];
		const smses = dates.map((created_at, id) => ({ ...from, id, message: `${id}`, created_at }));
		const match = { path: '/v2/sms', method: 'GET' };
		await example.control.addFault({ fault: 'custom', status: 200, body: { smses }, match });
		const { status } = await catchUp();

		expect([status, await texts()]).toEqual(['success', ['0', '1', '2']]);
	});
});

describe('catch-up.json, with a node of your own that has another output', () => {
	const example = useExample({
		file: 'catch-up.json',
		change: (node) => {
			if (node.name !== 'Missed message') return node;
			const jsCode =
				'return $input.all().map((_, item) => ({ json: { ok: true }, pairedItem: item }))';
			return { ...node, type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } };
		},
		publish: false,
	});

	it('keeps the messages themselves, each once', async () => {
		for (const words of ['First', 'Second']) {
			await example.control.inbound({ from: '61491573770', to: '61491571266', text: words });
		}
		await example.run('Every night');
		const { status, nodes } = await example.run('Every night');

		expect(status).toBe('success');
		expect(nodes['Missed message']).toBeUndefined();
		const kept = (await example.rows(table)).map((row) => row.text);
		expect(kept.sort()).toEqual(['First', 'Second']);
	});
});
