import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import {
	doubtfulOptOuts,
	doubtfulPhones,
	nobodyOptedOutYet,
	withOptions,
} from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const contacts = 'Kudosity contacts';
const optOuts = 'Kudosity opt-outs';
const example = useExample({
	file: 'send-to-contacts.json',
	publish: false,
});

const filled = {
	[contacts]: [
		{ phone: '+61 491 573 087', first_name: 'Sam' },
		{ phone: '61491574118', first_name: 'Kim' },
		{ phone: '0491 574 632', first_name: 'Alex' },
		{ phone: '61491575254', first_name: ' ' },
		{ phone: null, first_name: 'Nobody' },
	],
	[optOuts]: [{ phone: '61491574118' }],
};

describe('send-to-contacts.json', () => {
	it('makes its tables at the first run, and sends nothing', async () => {
		const { status } = await example.run();

		expect(status).toBe('success');
		expect(await example.control.messages()).toEqual([]);
		for (const [table, rows] of Object.entries(filled)) {
			await example.insert(table, rows);
			expect(await example.rows(table)).toMatchObject(rows);
		}
	});

	it('sends to the contacts who have not opted out, whatever way their number is written', async () => {
		await example.withTables(filled);
		const { status, nodes } = await example.run();

		expect(status).toBe('success');
		const messages = await example.control.messages();
		expect(messages.map(({ recipient, message_ref }) => [recipient, message_ref])).toEqual([
			['61491573087', 'autumn-offer'],
			['61491575254', 'autumn-offer'],
		]);
		expect(messages.map(({ text }) => text)).toEqual([
			expect.stringMatching(/^Hi Sam, /),
			expect.stringMatching(/^Hi there, /),
		]);
		const setAside = nodes['Correct these numbers']?.items.map(({ json }) => json.first_name);
		expect(setAside).toEqual(['Alex', 'Nobody']);
	});

	it('sends each campaign once to each number, however often it runs', async () => {
		await example.withTables(filled);
		await example.run();
		const { status, nodes } = await example.run();

		expect(status).toBe('success');
		expect(await example.control.messages()).toHaveLength(2);
		expect(nodes['Send SMS']?.items.map(({ json }) => json.skipped)).toEqual([true, true]);
	});
});

describe('send-to-contacts.json, where nobody has opted out yet', () => {
	const example = useExample({
		file: 'send-to-contacts.json',
		publish: false,
		change: nobodyOptedOutYet,
	});

	it('sends once its user says so', async () => {
		await example.withTables({ [contacts]: [{ phone: '61491573087' }] });
		await example.run();

		expect(await example.control.messages()).toHaveLength(1);
	});
});

describe('send-to-contacts.json, with a Default Country', () => {
	const example = useExample({
		file: 'send-to-contacts.json',
		publish: false,
		change: (node: WorkflowNode) =>
			node.name === 'Send SMS' ? withOptions(node, { defaultCountry: 'AU' }) : node,
	});

	it('sends to no number but the one that it looked for among the opt-outs', async () => {
		await example.withTables({
			[contacts]: [...doubtfulPhones, '61491573087', '+61 491 573 087'].map((phone) => ({ phone })),
			[optOuts]: doubtfulOptOuts,
		});
		const { nodes } = await example.run();

		const sent = (await example.control.messages()).map(({ recipient }) => recipient);
		expect(sent).toEqual(['61491573087']);
		const results = nodes['Send SMS']?.items.map(({ json }) => json) ?? [];
		const refused = results.filter(({ error }) => error !== undefined);
		expect(refused).toHaveLength(results.length - 2);
		expect(results.at(-1)).toMatchObject({ skipped: true });
		expect(refused).toContainEqual(
			expect.objectContaining({ details: expect.objectContaining({ code: 'guard' }) }),
		);
	});
});
