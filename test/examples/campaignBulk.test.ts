import { describe, expect, it } from 'vitest';
import { until } from '../../playground/n8n/until.ts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import {
	heldBack,
	holdingTakeAt,
	importRan,
	otherSpellings,
	whomTheyMean,
	withOptions,
} from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const table = 'Kudosity bulk campaign';
const optOuts = 'Kudosity opt-outs';
const use = { file: 'campaign-bulk.json', publish: false };

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
	{ phone: 'n/a' },
];
/** The table of opt-outs while nobody has opted out. */
const nobody = { [optOuts]: [importRan] };

describe('campaign-bulk.json, as it comes', () => {
	const example = useExample(use);

	it('sends nothing in the editor, shows the request, and leaves the rows free', async () => {
		await example.run();
		await example.withTables({ [table]: rows, [optOuts]: [{ phone: '61491574118' }] });
		const { status, nodes } = await example.run();

		expect(status).toBe('success');
		expect(await example.control.messages()).toEqual([]);
		const shown = nodes['Send bulk SMS']?.items.map(({ json }) => json);
		expect(shown?.[0]).toMatchObject({ dryRun: true, request: { number: 1, requests: 1 } });
		const states = (await example.rows(table)).map(({ state }) => state);
		expect(states).toEqual([...rows.slice(1).map(() => null), 'failed']);
	});
});

describe('campaign-bulk.json', () => {
	const example = useExample({ ...use, change: sendingWith() });

	it('sends to everybody once, also when two executions begin at once, except those who opted out, and reports the delivery', async () => {
		await example.withTables({ [table]: rows, [optOuts]: [{ phone: '61491574118' }] });
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
			{ state: 'failed', reason: expect.stringContaining('not a phone number') },
		]);

		// Chance decides how the two executions share the rows.
		const inMessage = (id: unknown) => sent.filter(({ message_id: other }) => other === id);
		const [largest] = sent
			.flatMap(({ message_id: id }) => id ?? [])
			.sort((one, other) => inMessage(other).length - inMessage(one).length);
		const [first, ...others] = inMessage(largest);
		await example.control.setStatus(String(largest), 'DELIVERED');
		const digits = String(first?.phone).replace(/\D/g, '');
		await example.control.setStatus(String(largest), 'FAILED', 'Off', digits);
		await example.run('Ask who got it');
		const reported = (await example.rows(table)).filter(({ status: each }) => each === 'delivered');
		expect(reported.map(({ phone }) => phone)).toEqual(others.map(({ phone }) => phone));
		expect(reported.length).toBeGreaterThan(1);
	});

	it('reports the delivery also when somebody has entered by hand that other rows were sent', async () => {
		const byHand = { phone: '61491575254', state: 'sent' };
		await example.withTables({ [table]: [byHand, { phone: numbers[0] }], ...nobody });
		await example.run();
		const [message] = await example.control.messages();
		await example.control.setStatus(String(message?.id), 'DELIVERED');
		const { status } = await example.run('Ask who got it');

		expect(status).toBe('success');
		const reported = (await example.rows(table)).map(({ status: delivery }) => delivery);
		expect(reported).toEqual([null, 'delivered']);
	});
});

describe('campaign-bulk.json, when the table could not be written once', () => {
	const few = numbers.slice(0, 10);
	const last = String(few.at(-1));
	const sending = sendingWith();
	const change = (node: WorkflowNode) => holdingTakeAt(last)(sending(node));
	const example = useExample({ ...use, change });

	/** Starts it, and waits until it has taken all rows but the last. */
	const startAndHold = async () => {
		await example.withTables({ [table]: few.map((phone) => ({ phone })), ...nobody });
		const id = await example.start();
		await until({ what: 'the rows to be taken', timeoutMs: 60_000 }, async () => {
			const taken = (await example.rows(table)).filter(({ state }) => state === 'sending');
			return taken.length === few.length - 1 || undefined;
		});
		return id;
	};
	const goOn = async (id: string) => {
		await example.addColumn(table, heldBack);
		return await example.rest.waitForExecution(id, { timeoutMs: 110_000 });
	};
	const sentTo = async () =>
		(await example.control.accepted()).map(({ recipient }) => recipient).sort();

	it('sends to everybody once, also to those who were taken before', async () => {
		const { status } = await goOn(await startAndHold());

		expect(status).toBe('success');
		expect(await sentTo()).toEqual(few);
		expect((await example.rows(table)).every(({ state }) => state === 'sent')).toBe(true);
	});

	it('leaves out whoever opts out after the rows are taken, and leaves the row free', async () => {
		const id = await startAndHold();
		await example.insert(optOuts, [{ phone: last }]);
		const { status } = await goOn(id);

		expect(status).toBe('success');
		expect(await sentTo()).toEqual(few.slice(0, -1));
		expect((await example.rows(table)).at(-1)).toMatchObject({ state: null });
	});

	it('sends nothing twice when a failed execution is retried twice at once', async () => {
		const id = await startAndHold();
		await example.insert(optOuts, [{ phone: 'n/a' }]);
		const { status } = await goOn(id);
		const unreadable = (await example.rows(optOuts)).at(-1);
		await example.updateRows(optOuts, { phone: '61491574118' }, Number(unreadable?.id));
		await Promise.all([example.rest.retry(id), example.rest.retry(id)]);

		await example.run();

		expect(status).toBe('error');
		expect(await sentTo()).toEqual(few);
	});
});

describe('campaign-bulk.json, when it fails after a request', () => {
	const failing = (node: WorkflowNode): WorkflowNode => {
		const { dataTableId, ...parameters } = sendingWith()(node).parameters;
		const missing = { ...Object(dataTableId), value: 'none' };
		return node.name === 'Note the result'
			? { ...node, parameters: { ...parameters, dataTableId: missing } }
			: sendingWith()(node);
	};
	const example = useExample({ ...use, change: failing });

	it('sends nothing to the same number in another row with the next execution', async () => {
		const phones = ['0491 000 000', '61491000000'];
		await example.withTables({ [table]: phones.map((phone) => ({ phone })), ...nobody });
		await example.run();
		await example.run();

		expect(await example.control.accepted()).toHaveLength(1);
		const states = (await example.rows(table)).map(({ state }) => state);
		expect(states).toEqual(['sending', 'duplicate']);
	});

	it('leaves no row in doubt of somebody who has opted out', async () => {
		await example.withTables({
			[table]: numbers.slice(0, 2).map((phone) => ({ phone })),
			[optOuts]: [{ phone: String(numbers[0]) }],
		});
		await example.run();

		const states = (await example.rows(table)).map(({ state }) => state);
		expect(states).toEqual([null, 'sending']);
	});
});

describe('campaign-bulk.json, with numbers as people write them', () => {
	// Where a foreign number could be a local one.
	const example = useExample({ ...use, change: sendingWith({ defaultCountry: 'US' }) });

	it('leaves out whoever opted out, and sends to the numbers that it looked for', async () => {
		const phones = [...otherSpellings, '0491 000 000', '61491000001', '+47 922 34 567'];
		await example.withTables({
			[table]: phones.map((phone) => ({ phone })),
			[optOuts]: whomTheyMean,
		});
		const { status } = await example.run();

		expect(status).toBe('success');
		const accepted = (await example.control.accepted()).map(({ recipient }) => recipient);
		expect(accepted.sort()).toEqual(['4792234567', ...numbers.slice(0, 2)]);
		expect(await example.control.messages()).toHaveLength(1);
		const sent = (await example.rows(table)).filter(({ state }) => state === 'sent');
		expect(sent.map(({ phone }) => phone)).toEqual(
			[...numbers.slice(0, 2), '4792234567'].map((number) => `+${number}`),
		);
	});
});
