/** A safe campaign of five nodes, as somebody builds it alone: opt-outs, contacts, the send, and a result in each row. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DataTableRow } from '../../playground/n8n/rest/dataTables.ts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { sixtyRows } from '../fixtures/sixtyRows.ts';
import { startPlayground, type Playground } from './harness.ts';
import { manualTrigger, node, workflow } from './workflow.ts';

const settings = { requestsPerSecond: 0, autoStatus: false, balance: 1_000_000 };
const contacts = 'Five nodes contacts';
const optOuts = 'Five nodes opt-outs';

let playground: Playground;
const tables: Record<string, string> = {};

const text = (...names: string[]) => names.map((name) => ({ name, type: 'string' }));

beforeAll(async () => {
	playground = await startPlayground({ settings });
});
beforeEach(async () => {
	await playground.control.reset(settings);
	const { rest } = playground;
	for (const name of [contacts, optOuts]) await rest.deleteDataTable(name);
	const results = [
		...text('outcome', 'reason', 'message_id'),
		{ name: 'can_retry', type: 'boolean' },
	];
	tables[contacts] = await rest.createDataTable(contacts, [...text('phone', 'name'), ...results]);
	tables[optOuts] = await rest.createDataTable(optOuts, text('phone'));
});
afterAll(async () => {
	for (const name of [contacts, optOuts]) await playground.rest.deleteDataTable(name);
	await playground.stop();
});

/** Seven people, three of whom stand in the table twice: ten rows. Each written as the opt-out arrived. */
const duplicated = sixtyRows.flatMap(({ isDuplicate, number }) =>
	isDuplicate && number ? [number] : [],
);
const others = sixtyRows.flatMap(({ number, type, isDuplicate }) =>
	number && type !== 'landline' && !isDuplicate && !duplicated.includes(number) ? [number] : [],
);
const optedOut = [...new Set(duplicated)].slice(0, 3).concat(others.slice(0, 4));
const oddly = [
	(number: string) => `+${number}`,
	(number: string) => `00${number}`,
	(number: string) => `+${number.slice(0, 2)} ${number.slice(2, 5)} ${number.slice(5)}`,
	(number: string) => `${number}.0`,
	(number: string) => ` ${number} `,
	(number: string) => number,
];

const table = (name: string, parameters: object, more: object = {}): WorkflowNode =>
	node({
		type: 'n8n-nodes-base.dataTable',
		parameters: {
			resource: 'row',
			...{ dataTableId: { __rl: true, mode: 'id', value: tables[name] } },
			...parameters,
		},
		...more,
	});

const updateRow = (): WorkflowNode => {
	const value = {
		outcome: '={{ $json.result.outcome }}',
		reason: '={{ $json.result.reason }}',
		message_id: '={{ $json.result.messageId ?? $json.message_id }}',
		can_retry: '={{ $json.result.canRetry }}',
	};
	const schema = Object.keys(value).map((id) => ({
		type: id === 'can_retry' ? 'boolean' : 'string',
		id,
		displayName: id,
		display: true,
	}));
	return table(
		contacts,
		{
			operation: 'update',
			filters: { conditions: [{ keyName: 'id', condition: 'eq', keyValue: '={{ $json.id }}' }] },
			columns: { mappingMode: 'defineBelow', value, matchingColumns: [], schema },
		},
		{ name: 'Update row' },
	);
};

type Changes = {
	options?: object;
	limits?: object;
	settings?: object;
	operation?: object;
	optOuts?: object;
};

/** The five nodes. */
const campaign = ({
	options,
	limits,
	settings: ofNode,
	operation,
	optOuts: ofOptOuts,
}: Changes = {}) =>
	workflow({
		nodes: [
			manualTrigger(),
			table(
				optOuts,
				{ operation: 'get', returnAll: true, ...ofOptOuts },
				{ name: 'Get opt-outs', alwaysOutputData: true },
			),
			table(
				contacts,
				{ operation: 'get', returnAll: true },
				{ name: 'Get contacts', executeOnce: true },
			),
			playground.kudosity(
				{
					resource: 'sms',
					operation: 'send',
					sender: 'Acme',
					recipient: '={{ $json.phone }}',
					message: '=Hi {{ $json.name || "there" }}, we have moved. Opt out: [opt-out-link]',
					output: 'itemResult',
					...operation,
					options: {
						campaignName: 'we-moved-2027',
						defaultCountry: 'AU',
						requestsPerSecond: 500,
						...options,
					},
					limits: {
						blockedRecipients: "={{ $('Get opt-outs').all().map((row) => row.json.phone) }}",
						...limits,
					},
				},
				{ name: 'Send SMS', ...ofNode },
			),
			updateRow(),
		],
	});

const fill = async (people: object[], blocked: string[]) => {
	await playground.rest.insertDataTableRows(contacts, people as DataTableRow[]);
	if (blocked.length > 0) {
		const rows = blocked.map((phone) => ({ phone }));
		await playground.rest.insertDataTableRows(optOuts, rows);
	}
};

const save = async (changes?: Changes) =>
	(await playground.rest.createWorkflow(campaign(changes))).id;

const runSaved = async (id: string) => {
	const execution = await playground.rest.runWorkflow(id);
	return await playground.rest.waitForExecution(execution, { statuses: ['success', 'error'] });
};

const rows = async () => await playground.rest.dataTableRows(contacts);

const outcomes = async () => {
	const counts: Record<string, number> = {};
	for (const { outcome } of await rows())
		counts[String(outcome)] = (counts[String(outcome)] ?? 0) + 1;
	return counts;
};

const people = sixtyRows.map(({ phone, name }) => ({
	phone: phone === null ? null : String(phone),
	name,
}));
const blocked = optedOut.map((number, index) => oddly[index % oddly.length]!(number));

describe('the five nodes', () => {
	it('send to everybody once who has not opted out, and note a result in every row', async () => {
		await fill(people, blocked);
		const id = await save();
		const { status, error } = await runSaved(id);
		expect(error?.message).toBeUndefined();
		expect(status).toBe('success');
		expect(await outcomes()).toEqual({ sent: 26, skipped: 10, alreadySent: 1, notSent: 23 });
		const messages = await playground.control.accepted();
		expect(messages).toHaveLength(26);
		const sentTo = new Set(messages.map(({ recipient }) => recipient));
		expect(sentTo.size).toBe(26);
		for (const number of optedOut) expect(sentTo).not.toContain(number);
		const first = await rows();
		for (const { outcome, reason, message_id: messageId } of first) {
			if (outcome === 'sent') expect(messageId).toEqual(expect.any(String));
			else expect(reason).toEqual(expect.any(String));
		}

		// A second run sends nothing, and no row loses its ID; two new rows get a message each.
		await runSaved(id);
		expect(await playground.control.accepted()).toHaveLength(26);
		expect((await rows()).map(({ message_id: messageId }) => messageId)).toEqual(
			first.map(({ message_id: messageId, outcome }) =>
				outcome === 'alreadySent' ? expect.anything() : messageId,
			),
		);
		await playground.rest.insertDataTableRows(contacts, [
			{ phone: '61491579001', name: 'New' },
			{ phone: '61491579002', name: 'Newer' },
		]);
		await runSaved(id);
		expect(await playground.control.accepted()).toHaveLength(28);
	});

	it('leave out landlines with Mobile Numbers Only', async () => {
		await fill(people, blocked);
		await runSaved(await save({ limits: { mobileOnly: true } }));
		expect(await outcomes()).toEqual({ sent: 24, skipped: 12, alreadySent: 1, notSent: 23 });
	});

	it('send the same 26 in one request, in bulk', async () => {
		await fill(people, blocked);
		const bulk = {
			resource: 'bulkSms',
			recipients: '={{ $json.phone }}',
			message: 'We have moved',
		};
		const { error } = await runSaved(await save({ operation: bulk }));
		expect(error?.message).toBeUndefined();
		expect(await playground.control.requests({ method: 'POST' })).toHaveLength(1);
		expect(await outcomes()).toEqual({ sent: 26, skipped: 10, alreadySent: 1, notSent: 23 });
	});

	it('send nothing while nobody was imported, and say what to do', async () => {
		await fill(people.slice(0, 3), []);
		const { status, error } = await runSaved(await save());
		expect(status).toBe('error');
		expect(`${error?.message} ${error?.description}`).toContain('Allow Empty List');
		expect(await playground.control.accepted()).toHaveLength(0);
		await runSaved(await save({ limits: { allowEmptyList: true } }));
		expect((await playground.control.accepted()).length).toBeGreaterThan(0);
	});

	it.each([
		[
			'a misspelled column',
			{
				limits: {
					blockedRecipients: "={{ $('Get opt-outs').all().map((row) => row.json.mobile) }}",
				},
			},
		],
		['Return All turned off', { optOuts: { returnAll: false, limit: 1 } }],
		[
			'a row dragged from the panel',
			{ limits: { blockedRecipients: "={{ $('Get opt-outs').item.json.phone }}" } },
		],
		[
			'a node that is not there',
			{ limits: { blockedRecipients: "={{ $('Opt-outs').all().map((row) => row.json.phone) }}" } },
		],
	] satisfies Array<[string, Changes]>)('send nothing after %s', async (_, changes) => {
		await fill(people, blocked);
		const { status, error } = await runSaved(await save(changes));
		expect(status).toBe('error');
		expect(error?.message).toContain('Blocked Recipients');
		expect(await playground.control.accepted()).toHaveLength(0);
	});
});

it('send everybody one message over three days of ten, in the end', async () => {
	const many = Array.from({ length: 25 }, (_, index) => ({
		phone: `614910000${10 + index}`,
		name: 'Sam',
	}));
	await fill(many, ['61491579009']);
	const id = await save({ limits: { maxPerDay: 10 } });
	await runSaved(id);
	expect(await outcomes()).toEqual({ sent: 10, notSent: 15 });
	const waiting = (await rows()).filter(({ outcome }) => outcome === 'notSent');
	for (const row of waiting) expect(row.can_retry).toBe(true);
	await runSaved(id);
	expect(await playground.control.accepted()).toHaveLength(10);
});
