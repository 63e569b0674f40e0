/** What only a real n8n knows about a list: when its node ran, and whether its data is pinned. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod/v4';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { createSession } from '../../playground/n8n/rest/session.ts';
import {
	ana,
	ben,
	cleo,
	hasNoPhone,
	isBen,
	loopNode,
	loopThrough,
	onPlayground,
	rowsNode,
} from './fewNodes.ts';
import { startPlayground, type Playground } from './harness.ts';
import { condition, manualTrigger, node, workflow } from './workflow.ts';

const settings = { requestsPerSecond: 0, autoStatus: false };

let playground: Playground;
beforeAll(async () => {
	playground = await startPlayground({ settings });
});
beforeEach(async () => await playground.control.reset(settings));
afterAll(async () => await playground.stop());
const { runAll, runNodes, sentTo, tableNode } = onPlayground(() => playground);

const getOptOuts = () =>
	node({
		name: 'Get opt-outs',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify({ phone: ana }) },
	});

/** Everybody who opted out, and a message to Ana and Ben in one request. */
const save = async ({
	pinData = {},
	options = {},
}: { pinData?: object; options?: object } = {}) => {
	const draft = workflow({
		nodes: [
			manualTrigger(),
			getOptOuts(),
			playground.kudosity(
				{
					resource: 'bulkSms',
					operation: 'send',
					...{ sender: 'Acme', message: 'Hi', recipients: `${ana}, ${ben}`, output: 'raw' },
					options,
					limits: {
						blockedRecipients: "={{ $('Get opt-outs').all().map((row) => row.json.phone) }}",
					},
				},
				{ name: 'Send' },
			),
		],
	});
	return (await playground.rest.createWorkflow({ ...draft, pinData } as typeof draft)).id;
};

/** "Execute step" of the node that sends, with what the earlier nodes put out some time ago. */
const runStep = async (id: string, agoMs: number) => {
	const taskOf = (json: object, startTime: number, previousNode?: string) => ({
		...{ startTime, executionTime: 1, executionIndex: 0, executionStatus: 'success' },
		source: previousNode === undefined ? [] : [{ previousNode }],
		data: { main: [[{ json, pairedItem: { item: 0 } }]] },
	});
	const startTime = Date.now() - agoMs;
	const { executionId } = await createSession(playground.n8n.url, playground.rest.cookies).call(
		'POST',
		`/workflows/${id}/run`,
		z.object({ executionId: z.string() }),
		{
			workflowData: await playground.rest.readWorkflow(id),
			runData: {
				Start: [taskOf({}, startTime)],
				'Get opt-outs': [taskOf({ phone: ana }, startTime, 'Start')],
			},
			destinationNode: { nodeName: 'Send', mode: 'inclusive' },
		},
	);
	return await playground.rest.waitForExecution(executionId, { statuses: ['success', 'error'] });
};

it('sends with rows that the editor kept for a minute, and refuses those of yesterday', async () => {
	const id = await save();
	const fresh = await runStep(id, 60_000);
	expect(fresh.error?.message).toBeUndefined();
	expect(await sentTo()).toEqual([ben]);

	await playground.control.reset(settings);
	const { status, error } = await runStep(id, 24 * 3_600_000);
	expect(status).toBe('error');
	expect(`${error?.message}. ${error?.description}`).toMatch(
		/returned over an hour ago.*Run Get opt-outs again right before this node/,
	);
	expect(await sentTo()).toEqual([]);
});

it('refuses pinned rows in a manual run, unless it is a dry run', async () => {
	const pinData = { 'Get opt-outs': [{ json: { phone: ana } }] };
	const { status, error } = await runAll(await save({ pinData }));
	expect(status).toBe('error');
	expect(error?.message).toContain('the output of Get opt-outs is pinned');

	const dry = await runAll(await save({ pinData, options: { dryRun: 'manual' } }));
	expect(dry.status).toBe('success');
	expect(await sentTo()).toEqual([]);

	const others = await runAll(await save({ pinData: { Start: [{ json: {} }] } }));
	expect(others.status).toBe('success');
	expect(await sentTo()).toEqual([ben]);
});

const contacts = rowsNode('Get contacts', [{ phone: ana }, { phone: ben }], { executeOnce: true });

const sendToEach = (limits: object = {}) =>
	playground.kudosity(
		{
			...{ resource: 'sms', operation: 'send', sender: 'Acme', message: 'Hi', output: 'raw' },
			recipient: '={{ $json.phone }}',
			options: { campaignName: 'spring' },
			limits: {
				blockedRecipients: "={{ $('Get opt-outs').all().map((row) => row.json.phone) }}",
				...limits,
			},
		},
		{ name: 'Send' },
	);

const mergeNode = (name = 'Get opt-outs'): WorkflowNode =>
	node({
		...{ name, type: 'n8n-nodes-base.merge', typeVersion: 3 },
		parameters: { mode: 'append' },
	});
/** A loop that reads one list of opt-outs in each round, and sends at its end. */
const listsInLoop = {
	Start: [['Lists']],
	Lists: [['Loop']],
	Loop: [['Get contacts'], ['Get opt-outs']],
	'Get opt-outs': [['Loop']],
	'Get contacts': [['Send']],
};

it('is refused when only the last of several runs can be read: two lists in a loop', async () => {
	const one = `return [{ phone: $input.first().json.list === 1 ? '${ana}' : '${ben}' }]`;
	const lists = rowsNode('Lists', [{ list: 1 }, { list: 2 }]);
	const { error } = await runNodes(
		[lists, loopNode(), rowsNode('Get opt-outs', one), contacts, sendToEach()],
		listsInLoop,
	);
	expect(error?.message).toContain('reads Get opt-outs, which runs several times');
	expect(await playground.control.accepted()).toEqual([]);
});

it.each<[string, object[][]]>([
	['the last two are empty', [[{ phone: ana }], [], []]],
	['the last two are the same', [[{ phone: ana }], [{ phone: cleo }], [{ phone: cleo }]]],
])('is refused when only the last of three lists in a loop can be read: %s', async (_, lists) => {
	const code = `return ${JSON.stringify(lists)}[$input.first().json.list]`;
	const { error } = await runNodes(
		[
			rowsNode('Lists', [{ list: 0 }, { list: 1 }, { list: 2 }]),
			loopNode(),
			rowsNode('Get opt-outs', code, { alwaysOutputData: true }),
			contacts,
			sendToEach({ allowEmptyList: true }),
		],
		listsInLoop,
	);
	expect(error?.message).toContain('reads Get opt-outs, which runs several times');
	expect(await playground.control.accepted()).toEqual([]);
});

it.each([0, 1])(
	'is refused when a Merge node with two inputs gets three lists, two of them at input %s',
	async (input) => {
		const lists = ['One', 'Two', 'Three'].map((name, index) =>
			rowsNode(name, [{ phone: [cleo, ana, '61491570158'][index] }]),
		);
		const { error } = await runNodes([...lists, mergeNode(), contacts, sendToEach()], {
			Start: [['One', 'Two', 'Three']],
			One: [['Get opt-outs']],
			Two: [[['Get opt-outs', input]]],
			Three: [[['Get opt-outs', 1]]],
			'Get opt-outs': [['Get contacts']],
			'Get contacts': [['Send']],
		});
		expect(error?.message).toContain('reads Get opt-outs, which runs several times');
		expect(await playground.control.accepted()).toEqual([]);
	},
);

it.each([
	'={{ $json.phone }}',
	'={{ $input.item.json.phone }}',
	'={{ $input.first().json.phone }}',
	'={{ $input.all().map((row) => row.json.phone) }}',
])('is refused when Execute Once leaves only its first row: %s', async (blockedRecipients) => {
	const send = sendToEach({ blockedRecipients });
	const toBen = { ...send, executeOnce: true };
	toBen.parameters = { ...send.parameters, recipient: ben };
	const { error } = await runNodes([
		rowsNode('Get opt-outs', [{ phone: ana }, { phone: ben }]),
		toBen,
	]);
	expect(`${error?.message}. ${error?.description}`).toMatch(
		/reads only one row from Get opt-outs.*Read all rows: .*\.all\(\)/,
	);
	expect(await playground.control.accepted()).toEqual([]);
});

it('is read from a single row with Execute Once', async () => {
	const send = sendToEach({ blockedRecipients: '={{ $json.phones }}' });
	const toBen = { ...send, executeOnce: true };
	toBen.parameters = { ...send.parameters, recipient: ben };
	const { error } = await runNodes([rowsNode('Get opt-outs', [{ phones: [ana] }]), toBen]);
	expect(error?.message).toBeUndefined();
	expect((await playground.control.accepted()).map(({ recipient }) => recipient)).toEqual([ben]);
});

it('is refused when only the first of several runs can be read: two lists without Merge', async () => {
	const lists = [rowsNode('One', [{ phone: ana }]), rowsNode('Other', [{ phone: ben }])];
	const { error } = await runNodes(
		[...lists, rowsNode('Get opt-outs', 'return $input.all()'), contacts, sendToEach()],
		{
			Start: [['One', 'Other']],
			One: [['Get opt-outs']],
			Other: [['Get opt-outs']],
			'Get opt-outs': [['Get contacts']],
			'Get contacts': [['Send']],
		},
	);
	expect(error?.message).toContain('reads Get opt-outs, which runs several times');
	expect(await playground.control.accepted()).toEqual([]);
});

it('is read whole when a Merge node collects two lists', async () => {
	const lists = [rowsNode('One', [{ phone: ana }]), rowsNode('Other', [{ phone: cleo }])];
	const { error } = await runNodes([...lists, mergeNode(), contacts, sendToEach()], {
		Start: [['One', 'Other']],
		One: [['Get opt-outs']],
		Other: [[['Get opt-outs', 1]]],
		'Get opt-outs': [['Get contacts']],
		'Get contacts': [['Send']],
	});
	expect(error?.message).toBeUndefined();
	const accepted = await playground.control.accepted();
	expect(accepted.map(({ recipient }) => recipient)).toEqual([ben]);
});

it('is read anew in each round of a loop that looks somebody up and sends', async () => {
	const lookUp = `return $input.all().filter(({ json }) => json.phone === '${ana}')`;
	const { error } = await runNodes(
		[
			rowsNode('Contacts', [{ phone: ana }, { phone: ben }]),
			loopNode(),
			rowsNode('Get opt-outs', lookUp, { alwaysOutputData: true }),
			rowsNode('Get contacts', "return $('Loop').all()"),
			sendToEach({ allowEmptyList: true }),
		],
		{
			Start: [['Contacts']],
			Contacts: [['Loop']],
			Loop: [[], ['Get opt-outs']],
			'Get opt-outs': [['Get contacts']],
			'Get contacts': [['Send']],
			Send: [['Loop']],
		},
	);
	expect(error?.message).toBeUndefined();
	const accepted = await playground.control.accepted();
	expect(accepted.map(({ recipient }) => recipient)).toEqual([ben]);
});

it('is read in a loop whose Merge node waits for the node that sends', async () => {
	const passOn = rowsNode('Other branch', 'return $input.all()');
	const { error } = await runNodes(
		[
			rowsNode('Contacts', [{ phone: ana }, { phone: ben }]),
			loopNode(),
			passOn,
			rowsNode('Get opt-outs', [{ phone: ana }], { executeOnce: true }),
			rowsNode('Get contacts', "return $('Loop').all()"),
			sendToEach(),
			mergeNode('Both'),
		],
		{
			Start: [['Contacts']],
			Contacts: [['Loop']],
			Loop: [[], ['Other branch', 'Get opt-outs']],
			'Other branch': [[['Both', 1]]],
			'Get opt-outs': [['Get contacts']],
			'Get contacts': [['Send']],
			Send: [['Both']],
			Both: [['Loop']],
		},
	);
	expect(error?.message).toBeUndefined();
	expect((await playground.control.accepted()).map(({ recipient }) => recipient)).toEqual([ben]);
});

it('is read anew for each of several rows that a trigger outputs at once', async () => {
	const send = sendToEach();
	const { error } = await runNodes(
		[
			rowsNode('Trigger', [{ phone: ana }, { phone: ben }, { phone: cleo }]),
			loopNode(),
			rowsNode('Get opt-outs', [{ phone: ana }, { phone: '61491570158' }], { executeOnce: true }),
			{
				...send,
				executeOnce: true,
				parameters: { ...send.parameters, recipient: "={{ $('Loop').first().json.phone }}" },
			},
		],
		{
			Start: [['Trigger']],
			Trigger: [['Loop']],
			Loop: [[], ['Get opt-outs']],
			'Get opt-outs': [['Send']],
			Send: [['Loop']],
		},
	);
	expect(error?.message).toBeUndefined();
	const accepted = await playground.control.accepted();
	expect(accepted.map(({ recipient }) => recipient)).toEqual([ben, cleo]);
});

const failing = node({
	...{ name: 'Get opt-outs', type: 'n8n-nodes-base.stopAndError' },
	parameters: { errorMessage: 'down' },
	onError: 'continueRegularOutput',
});
const itsErrors = "return [{ json: { error: 'down' } }]";

it.each<[string, WorkflowNode]>([
	['is deactivated', rowsNode('Get opt-outs', [{ phone: ana }], { disabled: true })],
	['failed', failing],
	['has errors', rowsNode('Get opt-outs', itsErrors, { onError: 'continueErrorOutput' })],
])('is refused when its node %s, also with Allow Empty List', async (_, list) => {
	const source = { ...list, alwaysOutputData: true };
	const { error } = await runNodes([source, contacts, sendToEach({ allowEmptyList: true })]);
	expect(error?.message).toContain('reads Get opt-outs, which failed or is deactivated');
	expect(await playground.control.accepted()).toEqual([]);
});

it('is refused when its node output a failure beside the rows, which the expression leaves out', async () => {
	const partly = `return [{ json: { phone: '${ana}' } }, { json: { error: 'down' } }]`;
	const list = rowsNode('Get opt-outs', partly, { onError: 'continueRegularOutput' });
	const blockedRecipients =
		"={{ $('Get opt-outs').all().map((row) => row.json.phone).filter(Boolean) }}";
	const { error } = await runNodes([list, contacts, sendToEach({ blockedRecipients })]);
	expect(error?.message).toContain('reads Get opt-outs, which failed or is deactivated');
	expect(await playground.control.accepted()).toEqual([]);
});

it('is read from a node that has an error output, and did not use it', async () => {
	const list = rowsNode('Get opt-outs', [{ phone: ana }], { onError: 'continueErrorOutput' });
	const { error } = await runNodes([list, contacts, sendToEach()]);
	expect(error?.message).toBeUndefined();
	const accepted = await playground.control.accepted();
	expect(accepted.map(({ recipient }) => recipient)).toEqual([ben]);
});

const passing = {
	'Remove Duplicates': { type: 'n8n-nodes-base.removeDuplicates', typeVersion: 2 },
	Merge: { type: 'n8n-nodes-base.merge', typeVersion: 3 },
	'Edit Fields': {
		...{ type: 'n8n-nodes-base.set', typeVersion: 3.4 },
		parameters: { includeOtherFields: true, options: {} },
	},
	Wait: { type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters: { amount: 0 } },
	'Date & Time': {
		...{ type: 'n8n-nodes-base.dateTime', typeVersion: 2 },
		parameters: { operation: 'getCurrentDate', options: { includeInputFields: true } },
	},
};

it.each(Object.entries(passing))(
	'is refused when %s has Execute Once, and so passes on the first row only',
	async (_, type) => {
		const list = node({ ...type, name: 'Get opt-outs', executeOnce: true });
		const all = rowsNode('All opt-outs', [{ phone: cleo }, { phone: ana }]);
		const { error } = await runNodes([all, list, contacts, sendToEach()]);
		expect(`${error?.message}. ${error?.description}`).toMatch(
			/reads Get opt-outs, which gets only the first row.*Turn off 'Execute Once'/,
		);
		expect(await playground.control.accepted()).toEqual([]);
	},
);

it('is refused when it comes through Loop Over Items from a node whose Return All is off', async () => {
	const optedOut = playground.kudosity(
		{ resource: 'contact', operation: 'getOptedOut', returnAll: false, limit: 50 },
		{ name: 'Get some' },
	);
	const { error } = await runNodes(
		[optedOut, { ...loopNode(), name: 'Get opt-outs' }, contacts, sendToEach()],
		{
			Start: [['Get some']],
			'Get some': [['Get opt-outs']],
			'Get opt-outs': [['Get contacts'], ['Get opt-outs']],
			'Get contacts': [['Send']],
		},
	);
	expect(error?.message).toContain('reads Get some, which returns only some of its rows');
	expect(await playground.control.accepted()).toEqual([]);
});

it.each(Object.entries(passing))(
	'is refused when it comes through %s from a node whose Return All is off',
	async (_, type) => {
		const optedOut = playground.kudosity(
			{ resource: 'contact', operation: 'getOptedOut', returnAll: false, limit: 50 },
			{ name: 'Get some' },
		);
		const list = node({ ...type, name: 'Get opt-outs' });
		const { error } = await runNodes([optedOut, list, contacts, sendToEach()]);
		expect(`${error?.message}. ${error?.description}`).toMatch(
			/reads Get some, which returns only some of its rows.*Turn on 'Return All'/,
		);
		expect(await playground.control.accepted()).toEqual([]);
	},
);

it('is refused when one of two lists behind a Merge node failed', async () => {
	const lists = [
		node({ ...failing, name: 'One', onError: 'continueErrorOutput' }),
		rowsNode('Other', [{ phone: cleo }]),
	];
	const merge = mergeNode();
	const { error } = await runNodes([...lists, merge, contacts, sendToEach()], {
		Start: [['One', 'Other']],
		One: [['Get opt-outs']],
		Other: [['Get opt-outs']],
		'Get opt-outs': [['Get contacts']],
		'Get contacts': [['Send']],
	});
	expect(error?.message).toContain('reads One, which failed or is deactivated');
	expect(await playground.control.accepted()).toEqual([]);
});

it('is refused when a node of this package output its failure', async () => {
	const settings = { onError: 'continueRegularOutput' } as const;
	const optedOut = playground.kudosity(
		{ resource: 'contact', operation: 'getOptedOut', returnAll: true },
		{ name: 'Get opt-outs', ...settings },
	);
	await playground.control.addFault({
		fault: 'status403',
		match: { method: 'GET', count: 'forever' },
	});
	const blockedRecipients =
		"={{ $('Get opt-outs').all().map((row) => row.json.phone).filter(Boolean) }}";
	const limits = { blockedRecipients, allowEmptyList: true };
	const { error } = await runNodes([optedOut, contacts, sendToEach(limits)]);
	expect(error?.message).toContain('reads Get opt-outs, which failed or is deactivated');
	expect(await playground.control.accepted()).toEqual([]);
});

it('may be empty behind a Filter node that discards the rows of others', async () => {
	const filter = node({
		...{ name: 'Get opt-outs', type: 'n8n-nodes-base.filter', typeVersion: 2.2 },
		alwaysOutputData: true,
		parameters: {
			conditions: {
				options: { version: 2, caseSensitive: true, typeValidation: 'loose' },
				combinator: 'and',
				conditions: [
					{
						...{ id: '1', leftValue: '={{ $json.shop }}', rightValue: 'mine' },
						operator: { type: 'string', operation: 'equals' },
					},
				],
			},
		},
	});
	const all = rowsNode('All opt-outs', [{ phone: ana, shop: 'another' }]);
	const { error } = await runNodes([all, filter, contacts, sendToEach({ allowEmptyList: true })]);
	expect(error?.message).toBeUndefined();
	const accepted = await playground.control.accepted();
	expect(accepted.map(({ recipient }) => recipient)).toEqual([ana, ben]);
});

it('is read through a deactivated node, which passes on the rows that it gets', async () => {
	const unique = node({ ...passing['Remove Duplicates'], name: 'Unique', disabled: true });
	const merge = mergeNode();
	const list = rowsNode('All opt-outs', [{ phone: ana }]);
	const { error } = await runNodes([list, unique, merge, contacts, sendToEach()]);
	expect(error?.message).toBeUndefined();
	const accepted = await playground.control.accepted();
	expect(accepted.map(({ recipient }) => recipient)).toEqual([ben]);
});

const withPhone = node({
	...{ name: 'With phone', type: 'n8n-nodes-base.filter', typeVersion: 2.2 },
	parameters: condition('={{ $json.phone }}', {
		type: 'string',
		operation: 'notEmpty',
		singleValue: true,
	}),
});

/** Passes its rows on as new objects, as code that formats them does. */
const format = rowsNode('Format', 'return $input.all().map(({ json }) => ({ json: { ...json } }))');
/** Looks each row up in a table. */
const lookUp = async () => {
	const table = await tableNode('Look up', [ana, ben, cleo]);
	const filters = { conditions: [{ keyName: 'phone', keyValue: '={{ $json.phone }}' }] };
	return { ...table, parameters: { ...table.parameters, matchType: 'allConditions', filters } };
};
const withoutCampaign = (): WorkflowNode => ({
	...sendToEach(),
	parameters: { ...sendToEach().parameters, options: {} },
});
const inBulk = () =>
	playground.kudosity(
		{
			...{ resource: 'bulkSms', operation: 'send', sender: 'Acme', message: 'Hi', output: 'raw' },
			recipients: '={{ $json.phone }}',
			limits: sendToEach().parameters.limits,
		},
		{ name: 'Send' },
	);

it.each<[string, { once?: boolean; before?: string; inside?: string; bulk?: boolean }]>([
	['is missing', {}],
	['is missing, before a Filter node', { before: 'With phone' }],
	['is missing, before a Code node', { before: 'Format' }],
	['is missing, before a look-up of each row', { before: 'Look up' }],
	['is missing, with a Code node in the loop', { inside: 'Format' }],
	['is missing, and Bulk SMS sends', { bulk: true }],
	['is on', { once: true }],
])(
	'sends nobody a message for each opt-out in a loop where Execute Once %s',
	async (_, { once = false, before, inside, bulk = false }) => {
		const more = [withPhone, format, await lookUp()].filter(({ name }) =>
			[before, inside].includes(name),
		);
		const { error } = await runNodes(
			[
				await tableNode('Get opt-outs', [cleo, '61491570313']),
				await tableNode('Get contacts', [ana, ben, cleo], { executeOnce: once }),
				...more,
				loopNode(),
				bulk ? inBulk() : withoutCampaign(),
			],
			loopThrough(
				['Get opt-outs', 'Get contacts', ...(before ? [before] : [])],
				[...(inside ? [inside] : []), 'Send'],
			),
		);
		if (once) expect(error?.message).toBeUndefined();
		else {
			expect(error?.message).toContain('Each row that goes into the loop is there several times');
			expect(error?.description).toContain("Turn on 'Settings > Execute Once' in Get contacts");
		}
		expect((await sentTo()).sort()).toEqual(once ? [ana, ben].sort() : []);
	},
);

it('is read in a loop in which another branch goes back to the loop, too', async () => {
	const { error } = await runNodes(
		[
			rowsNode('Contacts', [{ phone: ana }, { phone: ben }]),
			{ ...loopNode(), parameters: { batchSize: 2 } },
			rowsNode('Get opt-outs', [{ phone: cleo }]),
			rowsNode('Get contacts', "return $('Loop').all()", { executeOnce: true }),
			isBen('If'),
			sendToEach(),
			rowsNode('Not sent', 'return $input.all()'),
		],
		{
			Start: [['Contacts']],
			Contacts: [['Loop']],
			Loop: [[], ['Get opt-outs']],
			'Get opt-outs': [['Get contacts']],
			'Get contacts': [['If']],
			If: [['Send'], ['Not sent']],
			Send: [['Loop']],
			'Not sent': [['Loop']],
		},
	);
	expect(error?.message).toBeUndefined();
	expect(await sentTo()).toEqual([ben]);
});

/** Each of two lists has one person who opted out. */
const eachList = `return [{ phone: $input.first().json.list === 1 ? '${ana}' : '${ben}' }]`;
const twoLists = () => rowsNode('Lists', [{ list: 1 }, { list: 2 }]);

it('is read from the output of a loop that has collected all lists', async () => {
	const blockedRecipients = "={{ $('Loop').all().map((row) => row.json.phone) }}";
	const { error } = await runNodes(
		[
			twoLists(),
			loopNode(),
			rowsNode('Get opt-outs', eachList),
			rowsNode('Get contacts', [{ phone: ana }, { phone: cleo }], { executeOnce: true }),
			sendToEach({ blockedRecipients }),
		],
		listsInLoop,
	);
	expect(error?.message).toBeUndefined();
	expect(await sentTo()).toEqual([cleo]);
});

it('is refused when a loop for each client reads several lists in each round, of which the last can be read', async () => {
	const { error } = await runNodes(
		[
			rowsNode('Clients', [{ client: 1 }, { client: 2 }]),
			loopNode('Client loop'),
			rowsNode('Lists', [{ list: 1 }, { list: 2 }], { executeOnce: true }),
			loopNode('Loop', '={{ $runIndex > 0 && $prevNode.name === "Lists" }}'),
			rowsNode('Get opt-outs', eachList),
			contacts,
			sendToEach(),
		],
		{
			...listsInLoop,
			Start: [['Clients']],
			Clients: [['Client loop']],
			'Client loop': [[], ['Lists']],
			Send: [['Client loop']],
		},
	);
	expect(error?.message).toContain('reads Get opt-outs, which runs several times');
	expect(await sentTo()).toEqual([]);
});

it('is read from a row into which another node wrote the whole list', async () => {
	const code = "$('All opt-outs').all().map((row) => row.json.phone).join()";
	const list = node({
		...{ name: 'List', type: 'n8n-nodes-base.set', typeVersion: 3.4 },
		parameters: {
			assignments: {
				assignments: [{ id: 'a', name: 'phones', type: 'string', value: `={{ ${code} }}` }],
			},
			options: {},
		},
		executeOnce: true,
	});
	const blockedRecipients = "={{ $('List').first().json.phones }}";
	const all = rowsNode('All opt-outs', [{ phone: ana }, { phone: cleo }]);
	const { error } = await runNodes([all, list, contacts, sendToEach({ blockedRecipients })]);
	expect(error?.message).toBeUndefined();
	expect(await sentTo()).toEqual([ben]);
});

it.each([
	"$('Get opt-outs').all().filter((row) => row.json.client === 1).map((row) => row.json.phone)",
	"$('Get opt-outs').all().flatMap((row) => row.json.client === 1 ? [row.json.phone] : [])",
])('is not sent to the people on it whom another client must skip: %s', async (code) => {
	const form = rowsNode('Form', [{ phone: cleo }]);
	const rows = [
		{ phone: ana, client: 1 },
		{ phone: ben, client: 2 },
	];
	const list = rowsNode('Get opt-outs', rows, { executeOnce: true });
	const { error } = await runNodes([
		form,
		list,
		sendToEach({ blockedRecipients: `={{ ${code} }}` }),
	]);
	expect(error?.message).toContain(
		"'Recipient' reads Get opt-outs, which returns the people to skip",
	);
	expect(await sentTo()).toEqual([]);
});

it.each([
	"$('People').all().filter((row) => row.json.out).map((row) => row.json.phone)",
	"$('People').all().flatMap((row) => row.json.out ? [row.json.phone] : [])",
	"$('People').all().reduce((all, { json }) => json.out ? [...all, json.phone] : all, [])",
])('can be marked in the table of the recipients: %s', async (code) => {
	const rows = [
		{ phone: ana, out: true },
		{ phone: ben, out: false },
	];
	const send = sendToEach({ blockedRecipients: `={{ ${code} }}` });
	const { error } = await runNodes([rowsNode('People', rows), send]);
	expect(error?.message).toBeUndefined();
	expect(await sentTo()).toEqual([ben]);
});

it('is refused where a Limit node left out rows', async () => {
	const limit = node({
		...{ name: 'Limit', type: 'n8n-nodes-base.limit' },
		parameters: { maxItems: 1 },
	});
	const all = rowsNode('Get opt-outs', [{ phone: cleo }, { phone: ana }]);
	const blockedRecipients = "={{ $('Limit').all().map((row) => row.json.phone) }}";
	const { error } = await runNodes([all, limit, contacts, sendToEach({ blockedRecipients })]);
	expect(error?.message).toContain('reads Limit, which leaves out rows');
	expect(await sentTo()).toEqual([]);
});

it('is refused when one of the lists that a loop collects failed', async () => {
	const code = `if ($runIndex === 0) return [{ json: { error: 'down' } }];
return [{ json: { phone: '${cleo}' } }]`;
	const blockedRecipients = "={{ $('All').all().map((row) => row.json.phone).filter(Boolean) }}";
	const { error } = await runNodes(
		[
			twoLists(),
			loopNode(),
			rowsNode('Get opt-outs', code, { onError: 'continueRegularOutput' }),
			rowsNode('All', 'return $input.all()'),
			contacts,
			sendToEach({ blockedRecipients }),
		],
		{ ...listsInLoop, Loop: [['All'], ['Get opt-outs']], All: [['Get contacts']] },
	);
	expect(error?.message).toContain('reads Get opt-outs, which failed or is deactivated');
	expect(await sentTo()).toEqual([]);
});

it.each([false, true])(
	'is not the input of a message to the first of several contacts (Execute Once: %s)',
	async (executeOnce) => {
		const people = await tableNode('Contacts', [ana, ben]);
		const list = await tableNode('Get opt-outs', [cleo, '61491570313'], { executeOnce: true });
		const send = { ...sendToEach(), executeOnce };
		const recipient = "={{ $('Contacts').item.json.phone }}";
		const { error } = await runNodes([
			people,
			list,
			{ ...send, parameters: { ...send.parameters, recipient } },
		]);
		expect(`${error?.message}. ${error?.description}`).toMatch(
			executeOnce
				? /'Recipient' reads only the first of several items/
				: /runs once for each row of Get opt-outs.*Connect Contacts after Get opt-outs/,
		);
		expect(await sentTo()).toEqual([]);
	},
);

it('is refused in a loop over clients where it is the list of the first client in each round', async () => {
	const rows = [
		{ phone: cleo, client: 1 },
		{ phone: ana, client: 2 },
	];
	const blockedRecipients =
		"={{ $('Get opt-outs').all().filter((row) => row.json.client === $('Clients').first().json.client).map((row) => row.json.phone) }}";
	const { error } = await runNodes(
		[
			rowsNode('Clients', [{ client: 1 }, { client: 2 }]),
			loopNode(),
			rowsNode('Get opt-outs', rows),
			rowsNode('Get contacts', [{ phone: ana }], { executeOnce: true }),
			sendToEach({ blockedRecipients }),
		],
		loopThrough(['Clients'], ['Get opt-outs', 'Get contacts', 'Send']),
	);
	expect(error?.message).toContain(
		"Blocked Recipients' reads only one of several rows from Clients",
	);
	// The first client's list doesn't have Ana.
	expect(await sentTo()).toEqual([ana]);
});

it('is read from code in a loop in which an earlier message was refused', async () => {
	const send = { ...withoutCampaign(), onError: 'continueRegularOutput' as const };
	const { error } = await runNodes(
		[
			rowsNode('People', [{ phone: 'abc' }, { phone: ben }]),
			loopNode(),
			rowsNode('Get opt-outs', [{ phone: cleo }]),
			rowsNode('Person', "return $('Loop').all()"),
			send,
		],
		loopThrough(['People'], ['Get opt-outs', 'Person', 'Send']),
	);
	expect(error?.message).toBeUndefined();
	expect(await sentTo()).toEqual([ben]);
});

it('is read in a loop over clients in which an earlier round had nobody to send to', async () => {
	const { error } = await runNodes(
		[
			rowsNode('Clients', [{ client: 1 }, { client: 2 }]),
			loopNode(),
			rowsNode('Get opt-outs', "return [{ phone: '6149157015' + $('Loop').first().json.client }]"),
			rowsNode('People', `return [{ phone: $('Loop').first().json.client === 2 ? '${ben}' : '' }]`),
			hasNoPhone,
			sendToEach(),
		],
		{
			Start: [['Clients']],
			Clients: [['Loop']],
			Loop: [[], ['Get opt-outs']],
			'Get opt-outs': [['People']],
			People: [['Has no phone']],
			'Has no phone': [['Loop'], ['Send']],
			Send: [['Loop']],
		},
	);
	expect(error?.message).toBeUndefined();
	expect(await sentTo()).toEqual([ben]);
});
