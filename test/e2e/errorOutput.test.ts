import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPlayground, type Playground } from './harness.ts';
import { condition, manualTrigger, node, noOperation, workflow } from './workflow.ts';

let playground: Playground;
beforeAll(async () => {
	playground = await startPlayground({ settings: { autoStatus: false } });
});
afterAll(async () => await playground.stop());

const codes = ['invalid_number', 'opted_out', 'invalid_sender', 'sending_limit'];

const rule = (code: string) =>
	condition('={{ $json.details.code }}', { type: 'string', operation: 'equals' }, code);

const firstRun = {
	leftValue: '={{ $runIndex }}',
	rightValue: 0,
	operator: { type: 'number', operation: 'equals' },
};

const main = (name: string) => [{ node: name, type: 'main', index: 0 }];

it('lets a Switch behind the error output branch on the code of each failed item', async () => {
	const { control } = playground;
	const optedOut = '61491570157';
	await control.inbound({ from: optedOut, to: '61491570006', text: 'STOP' });
	const send = playground.kudosity(
		{
			resource: 'sms',
			operation: 'send',
			message: '={{ $json.text }}',
			sender: '={{ $json.from }}',
			recipient: '={{ $json.phone }}',
			limits: { maxParts: 1 },
		},
		{ onError: 'continueErrorOutput' },
	);
	const branch = node({
		name: 'Branch',
		type: 'n8n-nodes-base.switch',
		typeVersion: 3.2,
		parameters: { rules: { values: codes.map(rule) }, options: {} },
	});
	const good = { text: 'Hello', from: '61491570006', phone: '61491570156' };
	const items = [
		good,
		{ ...good, phone: 'Sam' },
		{ ...good, phone: optedOut },
		{ ...good, from: 'A name that is too long' },
		{ ...good, text: 'a'.repeat(161) },
	];
	const { id } = await playground.save(
		workflow({
			nodes: [manualTrigger(), send, branch, noOperation('Sent'), ...codes.map(noOperation)],
			items,
			connections: {
				Start: { main: [main('Kudosity')] },
				Kudosity: { main: [main('Sent'), main('Branch')] },
				Branch: { main: codes.map(main) },
			},
		}),
	);
	const { status, nodes } = await playground.rest.run(id);

	expect(status).toBe('success');
	expect(nodes.Sent?.items).toMatchObject([{ json: { outcome: 'sent', contact: good.phone } }]);
	codes.forEach((code, index) => {
		expect(nodes[code]?.items).toMatchObject([
			{ json: { ...items[index + 1], details: { code } } },
		]);
		expect(nodes[code]?.items).toHaveLength(1);
	});
});

it('sends no unconfirmed message again that the error output leads back to the node', async () => {
	const { control } = playground;
	await control.reset({ autoStatus: false });
	const match = { path: '/v2/mms', method: 'POST', count: 1 } as const;
	await control.addFault({ fault: 'status500AfterAcceptance', match });
	const send = playground.kudosity(
		{
			...{ resource: 'mms', operation: 'send', sender: '61491570006', recipient: '61491570156' },
			...{ subject: 'Hi', message: 'Hello', contentUrl: 'https://shop.example.com/door.jpg' },
		},
		{ onError: 'continueErrorOutput' },
	);
	const again = node({
		...{ name: 'Try once more', type: 'n8n-nodes-base.filter', typeVersion: 2.2 },
		parameters: { conditions: { ...rule('').conditions, conditions: [firstRun] } },
	});
	const { id } = await playground.save(
		workflow({
			nodes: [manualTrigger(), send, again],
			items: [{}],
			connections: {
				Start: { main: [main('Kudosity')] },
				Kudosity: { main: [[], main('Try once more')] },
				'Try once more': { main: [main('Kudosity')] },
			},
		}),
	);
	const { nodes } = await playground.rest.run(id);

	expect(nodes.Kudosity?.runs).toBe(2);
	expect(nodes.Kudosity?.outputs.at(-1)).toMatchObject([
		{ json: { details: { code: 'outcome_unknown' } } },
	]);
	expect(await control.accepted()).toHaveLength(1);
});

it('ends at a refusal of the account, says what was not tried, and how the run went', async () => {
	const { control } = playground;
	const match = { path: '/v2/sms', method: 'POST', count: 'forever' } as const;
	await control.addFault({
		fault: 'custom',
		status: 400,
		body: { error: 'insufficient funds' },
		match,
	});
	const send = playground.kudosity(
		{
			resource: 'sms',
			operation: 'send',
			message: 'Hello',
			sender: '61491570006',
			recipient: '={{ $json.phone }}',
		},
		{ onError: 'continueErrorOutput' },
	);
	const items = Array.from({ length: 80 }, (_, index) => ({
		phone: String(61_491_000_000 + index),
	}));
	const { id } = await playground.save(
		workflow({
			nodes: [manualTrigger(), send, noOperation('Sent'), noOperation('Failed')],
			items,
			connections: {
				Start: { main: [main('Kudosity')] },
				Kudosity: { main: [main('Sent'), main('Failed')] },
			},
		}),
	);
	const { nodes } = await playground.rest.run(id);
	await control.clearFaults();

	expect(nodes.Failed?.items).toHaveLength(80);
	expect(nodes.Failed?.items.at(-1)).toMatchObject({
		json: { ...items.at(-1), details: { code: 'no_balance', tried: false } },
	});
	expect(nodes.Kudosity?.hints).toEqual([
		expect.stringMatching(/^80 refused \(80 because the balance is too low; \d+ not tried\)$/),
	]);
});
