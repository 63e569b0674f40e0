import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/workflowCalls.ts';
import { doubtfulOptOuts, doubtfulPhones, withOptions } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const table = 'Kudosity bulk campaign';
const optOuts = 'Kudosity opt-outs';
const use = { file: 'campaign-bulk.json', tables: [table, optOuts], publish: false };

/** Sends in the editor too, and fast. */
const sendingWith = (options: Record<string, unknown> = {}) => {
	const all = { dryRun: 'never', requestsPerSecond: 100, ...options };
	return (node: WorkflowNode): WorkflowNode =>
		node.name === 'Send bulk SMS' ? withOptions(node, all) : node;
};

const numbers = Array.from({ length: 80 }, (_, index) => String(61491000000 + index));
const rows = [
	...numbers.map((phone) => ({ phone: `+${phone.slice(0, 2)} ${phone.slice(2)}` })),
	{ phone: '61491574118' },
	{ phone: '0491 575 254' },
];

describe('campaign-bulk.json, as it comes', () => {
	const example = useExample(use);

	it('sends nothing in the editor, shows the requests, and leaves every row free', async () => {
		await example.run();
		await example.rest.insertDataTableRows(table, rows);
		const { status, nodes } = await example.run();

		expect(status).toBe('success');
		expect(await example.control.messages()).toEqual([]);
		const shown = nodes['Send bulk SMS']?.items.map(({ json }) => json);
		expect(shown?.[0]).toMatchObject({ dryRun: true, request: { number: 1, requests: 1 } });
		expect((await example.rows(table)).every(({ state }) => state === null)).toBe(true);
	});
});

describe('campaign-bulk.json', () => {
	const example = useExample({ ...use, change: sendingWith() });

	it('sends to everybody once, also when two executions begin at once, except those who opted out, and reports the delivery', async () => {
		await example.run();
		await example.rest.insertDataTableRows(table, rows);
		await example.rest.insertDataTableRows(optOuts, [{ phone: '61491574118' }]);
		const ids = await Promise.all([example.start(), example.start()]);
		for (const id of ids) await example.rest.waitForExecution(id, { timeoutMs: 110_000 });
		const { status } = await example.run();

		expect(status).toBe('success');
		const accepted = await example.control.accepted();
		expect(accepted.map(({ recipient }) => recipient).sort()).toEqual(numbers);
		const sent = await example.rows(table);
		expect(sent.filter(({ state }) => state === 'sent')).toHaveLength(numbers.length);
		expect(sent.slice(-2)).toMatchObject([
			{ state: null },
			{ state: 'failed', code: 'invalid_number' },
		]);

		const [message] = await example.control.messages();
		await example.control.setStatus(String(message?.id), 'DELIVERED');
		await example.control.setStatus(String(message?.id), 'FAILED', 'Off', numbers[0]);
		await example.run('Ask who got it');
		const reported = (await example.rows(table)).map(({ status: delivery }) => delivery);
		expect(reported.filter((delivery) => delivery === 'delivered').length).toBeGreaterThan(1);
		expect(reported[0]).not.toBe('delivered');
	});
});

describe.each([
	['', {}],
	[', and a Default Country', { defaultCountry: 'AU' }],
])('campaign-bulk.json, with numbers that are not written plainly%s', (_, options) => {
	const example = useExample({ ...use, change: sendingWith(options) });

	it('sends to no number but the one that it looked for among the opt-outs, and leaves the others as they were', async () => {
		await example.run();
		const phones = [...doubtfulPhones, '+61 491 000 000', '61491000001', '61491000000'];
		await example.rest.insertDataTableRows(
			table,
			phones.map((phone) => ({ phone })),
		);
		await example.rest.insertDataTableRows(optOuts, doubtfulOptOuts);
		const { status } = await example.run();

		expect(status).toBe('success');
		const accepted = (await example.control.accepted()).map(({ recipient }) => recipient);
		expect(accepted.sort()).toEqual(numbers.slice(0, 2));
		expect(await example.control.messages()).toHaveLength(1);
		const rows = await example.rows(table);
		expect(rows.map(({ phone, state }) => [phone, state])).toEqual([
			...doubtfulPhones.map((phone) => [phone, 'failed']),
			...['61491000000', '61491000001', '61491000000'].map((phone) => [phone, 'sent']),
		]);
	});
});
