/** Whose rows an expression reads: what only a real n8n knows about the items that came through its nodes. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
import { manualTrigger, node, workflow } from './workflow.ts';

const settings = { requestsPerSecond: 0, autoStatus: false };

let playground: Playground;
beforeAll(async () => {
	playground = await startPlayground({ settings });
});
beforeEach(async () => await playground.control.reset(settings));
afterAll(async () => await playground.stop());
const { runAll, runNodes, sendNode, sentTexts, sentTo, tableNode } = onPlayground(() => playground);

it('sends each alert to the first row of a team, with which n8n pairs all of them', async () => {
	const team = await tableNode('Team', [ana, ben]);
	const alerts = await tableNode('Alerts', ['One', 'Two'], { executeOnce: true });
	const send = sendNode({
		message: '={{ $json.phone }}',
		recipient: "={{ $('Team').first().json.phone }}",
	});
	const { error } = await runNodes([team, alerts, send]);
	expect(error?.message).toBeUndefined();
	expect(await sentTo()).toEqual([ana, ana]);

	await playground.control.reset(settings);
	const connections = loopThrough(['Team', 'Alerts'], ['Send']);
	const inLoop = await runNodes([team, alerts, loopNode(), send], connections);
	expect(inLoop.error?.message).toBeUndefined();
	expect(await sentTo()).toEqual([ana, ana]);
});

const lookup = rowsNode('Lookup', [{ mobile: ana }]);
/** Only the first order has no phone, so only Ana is looked up. */
const orderRows = [
	{ name: 'Ana', phone: '' },
	{ name: 'Ben', phone: ben },
	{ name: 'Cleo', phone: cleo },
];
const orders = rowsNode('Orders', orderRows);
const branches = {
	Start: [['Orders']],
	'Has no phone': [['Lookup'], ['Send']],
	Lookup: [['Send']],
};
const inLoop = { ...branches, Orders: [['Loop']], Loop: [[], ['Has no phone']], Send: [['Loop']] };
const oneByOne = { ...branches, Orders: [['Has no phone']] };
const ofOrder = `={{ $('Orders').item.json.phone || '${ana}' }}`;
const lookedUp = "$('Lookup').isExecuted ? $('Lookup').first().json.mobile";

describe.each([
	['an earlier round of a loop', inLoop],
	['another branch', oneByOne],
])('a row that a node returned for other items, in %s', (_, connections) => {
	it.each([
		["'Recipient'", { recipient: `={{ ${lookedUp} : $json.phone }}` }],
		["'Message'", { recipient: ofOrder, message: `=Code {{ ${lookedUp} : '' }}` }],
		[
			"'Sending Limits > Blocked Recipients'",
			{
				recipient: ofOrder,
				limits: { blockedRecipients: "={{ $('Lookup').all().map((row) => row.json.mobile) }}" },
			},
		],
	])('is not used in %s', async (field, fields) => {
		const nodes = [orders, loopNode(), hasNoPhone, lookup, sendNode(fields)];
		const { error } = await runNodes(
			nodes.filter(({ name }) => name !== 'Loop' || connections === inLoop),
			connections,
		);
		expect(error?.message).toContain(
			`${field} reads Lookup, which ran for other items, but not for these`,
		);
		expect((await sentTo()).filter((phone) => phone !== ana)).toEqual([]);
	});
});

it('reads a look-up that runs in each round of a loop, and one from before the loop', async () => {
	const { error } = await runNodes(
		[
			rowsNode('Settings', [{ text: 'Hello' }]),
			orders,
			loopNode(),
			rowsNode('Lookup', `return [{ mobile: $json.phone || '${ana}' }]`),
			sendNode({
				recipient: "={{ $('Orders').isExecuted && $('Lookup').first().json.mobile }}",
				message: "={{ $('Settings').first().json.text }}",
			}),
		],
		loopThrough(['Settings', 'Orders'], ['Lookup', 'Send']),
	);
	expect(error?.message).toBeUndefined();
	expect(await sentTo()).toEqual([ana, ben, cleo]);
});

it.each([
	['', []],
	[', also if Execute Once is on in the node that sends', ['Send']],
	[', also if Execute Once is on in a node between', ['Tidy']],
])(
	'refuses a recipient from the first of several rows where the only item comes from another%s',
	async (_, cut) => {
		const people = rowsNode('People', [{ phone: ana }, { phone: ben }]);
		const tidy = rowsNode('Tidy', 'return $input.all()');
		const send = sendNode({ recipient: "={{ $('People').first().json.phone }}" });
		const nodes = [people, isBen('If'), tidy, send];
		const { error } = await runNodes(
			nodes.map((each) => ({ ...each, executeOnce: cut.includes(each.name) })),
		);
		expect(error?.message).toContain("'Recipient' reads only one of several rows from People");
		expect(await sentTo()).toEqual([]);
	},
);

it('treats each row by itself in a sub-workflow that runs once for each of them', async () => {
	const trigger = node({
		...{ name: 'SMS received', type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1.1 },
		parameters: { inputSource: 'passthrough' },
	});
	const answer = sendNode({
		recipient: "={{ $('SMS received').first().json.phone }}",
		message: "={{ $('SMS received').all().map((row) => row.json.phone).join() }}",
	});
	const inner = workflow({ nodes: [trigger, answer] });
	const call = node({
		...{ name: 'Call', type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2 },
		parameters: { source: 'parameter', workflowJson: JSON.stringify(inner), mode: 'each' },
	});
	const polled = rowsNode('Polled', [{ phone: ana }, { phone: ben }]);
	const { error } = await runNodes([polled, call]);
	expect(error?.message).toBeUndefined();
	expect(await sentTo()).toEqual([ana, ben]);
	expect(await sentTexts()).toEqual([ana, ben]);
});

it.each(['$node["People"].json.phone', "$('People').all()[$itemIndex].json.phone"])(
	'reads the rows by their position only if they are the rows of the items: %s',
	async (code) => {
		const people = rowsNode('People', [{ phone: ana }, { phone: ben }]);
		const send = sendNode({ recipient: `={{ ${code} }}` });
		const filtered = await runNodes([people, isBen('If'), send]);
		expect(filtered.error?.message).toContain("'Recipient' reads the rows from People by their");
		expect(await sentTo()).toEqual([]);

		const { error } = await runNodes([people, send]);
		expect(error?.message).toBeUndefined();
		expect((await sentTo()).sort()).toEqual([ana, ben]);
	},
);

it('lets senders and texts take turns after a node with Execute Once', async () => {
	const turns = rowsNode('Turns', [
		{ from: 'Acme', text: 'One' },
		{ from: 'Acme2', text: 'Two' },
	]);
	const people = await tableNode('People', [ana, ben], { executeOnce: true });
	const inTurn = "$('Turns').all()[$itemIndex % 2].json";
	const fields = { sender: `={{ ${inTurn}.from }}`, message: `={{ ${inTurn}.text }}` };
	const { error } = await runNodes([turns, people, sendNode(fields)]);
	expect(error?.message).toBeUndefined();
	expect((await sentTexts()).sort()).toEqual(['One', 'Two']);
});

it('refuses rows by their position where n8n pairs all items with one other row', async () => {
	const people = rowsNode('People', [{ phone: ana }, { phone: ben }]);
	const orders = node({
		...{ name: 'Orders', type: 'n8n-nodes-base.splitOut', typeVersion: 1 },
		parameters: { fieldToSplitOut: 'orders', options: {} },
	});
	const add = rowsNode('Add orders', 'return $input.all().map(() => ({ orders: [1, 2] }))');
	const send = sendNode({ recipient: '={{ $node["People"].json.phone }}' });
	const { error } = await runNodes([people, isBen('If'), add, orders, send]);
	expect(error?.message).toContain("'Recipient' reads the rows from People by their position");
	expect(await sentTo()).toEqual([]);
});

it('refuses a text from the first row where n8n pairs the items with others, and they have no such column', async () => {
	const people = rowsNode('People', [
		{ phone: ana, code: 'A' },
		{ phone: ben, code: 'B' },
	]);
	const tidy = rowsNode('Tidy', 'return $input.all().map(({ json }) => ({ phone: json.phone }))');
	const send = sendNode({ message: "=Code {{ $('People').first().json.code }}" });
	const all = await runNodes([people, tidy, send]);
	expect(all.error?.message).toContain("text with another person's data");
	expect(await sentTo()).toEqual([]);

	const inLoop = loopThrough(['People'], ['Tidy', 'Send']);
	const { error } = await runNodes([people, loopNode(), tidy, send], inLoop);
	expect(error?.message).toContain("text with another person's data");
	expect(await sentTexts()).toEqual(['Code A']);
});

it('sends to the people of a tidied table in which some are marked as people to skip', async () => {
	const people = rowsNode('People', [
		{ phone: ana, optedOut: 'yes' },
		{ phone: ben, optedOut: 'no' },
	]);
	const tidy = rowsNode('Tidy', 'return $input.all()');
	const optedOut = "$('Tidy').all().filter((row) => row.json.optedOut === 'yes')";
	const limits = { blockedRecipients: `={{ ${optedOut}.map((row) => row.json.phone) }}` };
	const { error } = await runNodes([people, tidy, sendNode({ limits })]);
	expect(error?.message).toBeUndefined();
	expect(await sentTo()).toEqual([ben]);
});

it.each([
	["'Recipient'", { recipient: "={{ $('People').first().json.phone }}" }],
	["'Sender'", { sender: "={{ $('People').first().json.phone }}" }],
])('refuses %s from the first row of all in the second round of a loop', async (field, fields) => {
	const people = rowsNode('People', [{ phone: ana }, { phone: ben }]);
	const connections = loopThrough(['People'], ['Send']);
	const { error } = await runNodes([people, loopNode(), sendNode(fields)], connections);
	expect(error?.message).toContain(`${field} reads only one of several rows from People`);
	expect(await sentTo()).toEqual([ana]);
});

it.each([
	[2, true],
	[3, false],
])('says that there can be more contacts than the limit of %i', async (limit, isFull) => {
	const contacts = await tableNode('Contacts', [ana, ben]);
	const parameters = { ...contacts.parameters, returnAll: false, limit };
	const { nodes } = await runNodes([{ ...contacts, parameters }, sendNode()]);
	const hint = expect.stringMatching(/^Contacts returned as many rows as its limit.*Return All/);
	expect(nodes.Send?.hints).toEqual(
		isFull ? expect.arrayContaining([hint]) : expect.not.arrayContaining([hint]),
	);
});

it('reads the row of an outer loop in each round of an inner one', async () => {
	const { error } = await runNodes(
		[
			rowsNode('Clients', [{ phone: ana }, { phone: ben }]),
			loopNode('Client loop'),
			rowsNode('Client', "return $('Client loop').all()"),
			rowsNode('Contacts', [{ phone: ana }, { phone: cleo }]),
			loopNode('Contact loop', "={{ $prevNode.name === 'Contacts' }}"),
			sendNode({ message: "={{ $('Client').first().json.phone }}" }),
		],
		{
			Start: [['Clients']],
			Clients: [['Client loop']],
			'Client loop': [[], ['Client']],
			Client: [['Contacts']],
			Contacts: [['Contact loop']],
			'Contact loop': [['Client loop'], ['Send']],
			Send: [['Contact loop']],
		},
	);
	expect(error?.message).toBeUndefined();
	expect(await sentTexts()).toEqual([ana, ana, ben, ben]);
});

it.each([
	[
		'an earlier round, which skipped the node that sends',
		orderRows,
		{ Loop: [[], ['Has no phone']], 'Is Ben': [['Send'], ['Loop']], Send: [['Loop']] },
	],
	[
		'the last round, where the node that sends is not part of the loop',
		// n8n runs the branch of the last round first.
		[...orderRows].reverse(),
		{ Loop: [[], ['Next', 'Has no phone']], Next: [['Loop']], 'Is Ben': [['Send'], []] },
	],
])('uses no row of %s', async (_, rows, connections) => {
	const { error } = await runNodes(
		[
			rowsNode('Orders', rows),
			loopNode(),
			rowsNode('Next', 'return $input.all()'),
			hasNoPhone,
			rowsNode('Lookup', [{ phone: ana }]),
			isBen('Is Ben'),
			sendNode({ recipient: `={{ ${lookedUp.replace('mobile', 'phone')} : $json.phone }}` }),
		],
		{
			Start: [['Orders']],
			Orders: [['Loop']],
			'Has no phone': [['Lookup'], ['Is Ben']],
			Lookup: [['Is Ben']],
			...connections,
		},
	);
	expect(error?.message).toContain("'Recipient' reads Lookup, which ran for other items");
	expect(await sentTo()).toEqual([]);
});

it('reads the row of its own branch in an expression for both branches', async () => {
	const web = rowsNode('Web', [{ text: 'web', textMore: '!' }]);
	const other = rowsNode('Other', [{ text: 'other' }]);
	const ofWeb = "$('Web').first().json.text + $('Web').first().json.textMore";
	const message = `={{ $prevNode.name === 'Web' ? ${ofWeb} : $('Other').first().json.text }}`;
	const { error } = await runNodes(
		[orders, hasNoPhone, web, other, sendNode({ recipient: ana, message })],
		{
			Start: [['Orders']],
			Orders: [['Has no phone']],
			'Has no phone': [['Web'], ['Other']],
			Web: [['Send']],
			Other: [['Send']],
		},
	);
	expect(error?.message).toBeUndefined();
	expect(await sentTexts()).toEqual(['web!', 'other']);
});

it('reads a node before one whose data is pinned', async () => {
	const draft = workflow({
		nodes: [
			manualTrigger(),
			rowsNode('Config', [{ text: 'Hello' }]),
			rowsNode('Contacts', [{ phone: ana }]),
			sendNode({ message: "={{ $('Config').first().json.text }}" }),
		],
	});
	const pinData = { Contacts: [{ json: { phone: ben } }] };
	const { id } = await playground.rest.createWorkflow({ ...draft, pinData } as typeof draft);
	const { error } = await runAll(id);
	expect(error?.message).toBeUndefined();
	expect(await sentTo()).toEqual([ben]);
});

it('reads after a loop what a node returned in one of its rounds', async () => {
	const { error } = await runNodes(
		[
			orders,
			loopNode(),
			hasNoPhone,
			rowsNode('Log', [{ text: 'No phone' }]),
			sendNode({ recipient: ana, message: "={{ $('Log').first().json.text }}" }),
		],
		{
			Start: [['Orders']],
			Orders: [['Loop']],
			Loop: [['Send'], ['Has no phone']],
			'Has no phone': [['Log'], ['Loop']],
			Log: [['Loop']],
		},
	);
	expect(error?.message).toBeUndefined();
	expect([...new Set(await sentTexts())]).toEqual(['No phone']);
});

it('refuses the first row in a later round, too, where n8n pairs the item with another row of that round', async () => {
	const rows = `return $runIndex === 0
	? [{ phone: '${ben}' }, { phone: '${cleo}' }]
	: [{ phone: '${ana}' }, { phone: '${ben}' }];`;
	const { error } = await runNodes(
		[
			rowsNode('Clients', [{ client: 1 }, { client: 2 }]),
			loopNode(),
			rowsNode('Contacts', rows),
			isBen('Is Ben'),
			sendNode({ recipient: "={{ $('Contacts').first().json.phone }}" }),
		],
		loopThrough(['Clients'], ['Contacts', 'Is Ben', 'Send']),
	);
	expect(error?.message).toContain("'Recipient' reads only one of several rows from Contacts");
	expect(await sentTo()).toEqual([ben]);
});
