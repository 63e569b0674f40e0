/** Expressions that read another person's row, or a single row of several, although n8n sees nothing wrong with them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { ana, ben, cleo, loopNode, loopThrough, onPlayground, rowsNode } from './fewNodes.ts';
import { startPlayground, type Playground } from './harness.ts';
import { condition, node, workflow } from './workflow.ts';

const settings = { requestsPerSecond: 0, autoStatus: false };

let playground: Playground;
beforeAll(async () => {
	playground = await startPlayground({ settings });
});
beforeEach(async () => await playground.control.reset(settings));
afterAll(async () => await playground.stop());
const { runNodes, sendNode, sentTexts, sentTo, tableNode } = onPlayground(() => playground);

const rows = [
	{ phone: ana, name: 'Ana', city: 'x' },
	{ phone: ben, name: 'Ben', city: 'y' },
	{ phone: cleo, name: 'Cleo', city: 'y' },
];
const people = (more: object[] = []) => rowsNode('People', [...rows, ...more]);

const set = (name: string, values: Record<string, string>, keepsOthers = false) =>
	node({
		...{ name, type: 'n8n-nodes-base.set', typeVersion: 3.4 },
		parameters: {
			includeOtherFields: keepsOthers,
			assignments: {
				assignments: Object.entries(values).map(([id, value]) => ({
					...{ id, name: id, value, type: 'string' },
				})),
			},
			options: {},
		},
	});

const isAna = (name: string, type = 'if') =>
	node({
		...{ name, type: `n8n-nodes-base.${type}`, typeVersion: 2.2 },
		parameters: condition('={{ $json.phone }}', { type: 'string', operation: 'equals' }, ana),
	});
const isNotAna = (name: string) =>
	node({
		...{ name, type: 'n8n-nodes-base.filter', typeVersion: 2.2 },
		parameters: condition('={{ $json.phone }}', { type: 'string', operation: 'notEquals' }, ana),
	});

const subWorkflow = () => {
	const trigger = node({
		...{ name: 'In', type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1.1 },
		parameters: { inputSource: 'passthrough' },
	});
	const to = (name: string) => ({ node: name, type: 'main', index: 0 });
	const inner = workflow({
		nodes: [trigger, isAna('Is Ana'), set('Tidy', { ok: 'yes' }, true)],
		connections: {
			In: { main: [[to('Is Ana')]] },
			'Is Ana': { main: [[], [to('Tidy')]] },
		} as never,
	});
	return node({
		...{ name: 'Call', type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2 },
		parameters: { source: 'parameter', workflowJson: JSON.stringify(inner) },
	});
};
const inCode = (code: string) => rowsNode('Code', code);
const withoutDuplicates = () =>
	node({
		...{ name: 'Tidy', type: 'n8n-nodes-base.removeDuplicates', typeVersion: 2 },
		parameters: {
			...{ compare: 'selectedFields', fieldsToCompare: 'phone' },
			options: { removeOtherFields: true },
		},
	});

const itemText = "=Hi {{ $('People').item.json.name }}";
const itemRecipient = "={{ $('People').item.json.phone }}";
const kept = "return $('People').all().filter(({ json }) => json.city === 'y')";
const created =
	"return $('People').all().filter(({ json }) => json.city === 'y').map(({ json }) => ({ json: { phone: json.phone } }))";

describe('a row with which n8n wrongly pairs an item', () => {
	it.each<[what: string, nodes: () => WorkflowNode[], fields: object]>([
		['text, after a Code node that filters', () => [people(), inCode(kept)], { message: itemText }],
		[
			'recipient, after a Code node that filters',
			() => [people(), inCode(kept)],
			{ recipient: itemRecipient },
		],
		['text, after a sub-workflow', () => [people(), subWorkflow()], { message: itemText }],
		[
			'recipient, after a sub-workflow',
			() => [people(), subWorkflow()],
			{ recipient: itemRecipient },
		],
		[
			'text, after a Remove Duplicates node that drops the column',
			() => [rowsNode('People', [{ ...rows[0], name: 'Anna' }, ...rows]), withoutDuplicates()],
			{ message: itemText },
		],
	])('is refused in a %s, if it is another person’s', async (_, nodes, fields) => {
		const { error } = await runNodes([...nodes(), sendNode(fields)]);
		expect(error?.message).toContain('reads a row of People that belongs to another item');
		expect(await sentTexts()).toEqual([]);
	});

	it.each([
		[
			'the friend of a person in the same table, with both names',
			"={{ $json.name }}, {{ $('People').item.json.name }} invited you",
			[ben, cleo, ana],
		],
		[
			'a manager who is in another table',
			"={{ $('People').item.json.name }} is late",
			['61491570159'],
		],
	])('is used for %s', async (_, message, numbers) => {
		const code = `return $input.all().map((row, item) => ({ json: { phone: ${JSON.stringify(numbers)}[item % ${numbers.length}], name: 'N' + item }, pairedItem: item }))`;
		const { error } = await runNodes([people(), inCode(code), sendNode({ message })]);
		expect(error?.message).toBeUndefined();
		expect(await sentTo()).toHaveLength(3);
	});

	it('is used for a manager who is looked up in the same table, and for a column that has changed', async () => {
		const { parameters, ...table } = await tableNode('Look up', [ana, ben, cleo]);
		const managers = {
			...table,
			parameters: {
				...parameters,
				...{ returnAll: false, limit: 1 },
				filters: { conditions: [{ keyName: 'phone', condition: 'eq', keyValue: ana }] },
			},
		};
		const message = "={{ $('People').item.json.name }} is late";
		const looked = await runNodes([people(), managers, sendNode({ message })]);
		expect(looked.error?.message).toBeUndefined();
		expect(await sentTexts()).toEqual(['Ana is late', 'Ben is late', 'Cleo is late']);
		const told = await runNodes([people(), managers, sendNode({ recipient: itemRecipient })]);
		expect(told.error?.message).toBeUndefined();
		expect((await sentTo()).slice(3)).toEqual([ana, ben, cleo]);

		const changed = set('Changed', { phone: '={{ $json.phone }}', name: 'Cleo' });
		const text = "=Hi {{ $('People').item.json.name }}";
		const { error } = await runNodes([people(), changed, sendNode({ message: text })]);
		expect(error?.message).toBeUndefined();
		expect((await sentTexts()).slice(6)).toEqual(['Hi Ana', 'Hi Ben', 'Hi Cleo']);
	});

	it('is used where the items have no such column, and some rows have no value', async () => {
		const some = rowsNode('People', [{ phone: ana, name: 'Ana' }, { phone: ben }]);
		const tidy = set('Tidy', { to: '={{ $json.phone }}' });
		const message = "=Hi {{ $('People').item.json.name || 'there' }}";
		const { error } = await runNodes([
			some,
			tidy,
			sendNode({ message, recipient: '={{ $json.to }}' }),
		]);
		expect(error?.message).toBeUndefined();
		expect(await sentTexts()).toEqual(['Hi Ana', 'Hi there']);
	});

	it.each(['if', 'filter'])('is used after n8n’s own nodes: %s', async (type) => {
		const nodes = [people(), isAna('Is Ana', type), set('Tidy', { phone: '={{ $json.phone }}' })];
		const { error } = await runNodes([...nodes, sendNode({ message: itemText })]);
		expect(error?.message).toBeUndefined();
		expect(await sentTexts()).toEqual(['Hi Ana']);
	});
});

it.each([
	['$node["People"].json.phone', created],
	["$('People').all()[$itemIndex].json.phone", created],
	['$item(0).$node["People"].json.phone', kept],
	["$('People').itemMatching(0).json.phone", kept],
	["$('People').all()?.[0].json.phone", kept],
])('no recipient is chosen by its position: %s', async (recipient, code) => {
	const send = sendNode({ recipient: `={{ ${recipient} }}` });
	const { error } = await runNodes([people(), inCode(code), send]);
	expect(error?.message).toMatch(/'Recipient' reads .* from People/);
	expect(await sentTo()).toEqual([]);
});

it('lets reps take turns', async () => {
	const leads = rowsNode('Leads', [{ lead: 1 }, { lead: 2 }, { lead: 3 }], { executeOnce: true });
	const send = sendNode({ recipient: "={{ $('People').all()[$itemIndex % 2].json.phone }}" });
	const { error } = await runNodes([people(), leads, send]);
	expect(error?.message).toBeUndefined();
	expect(await sentTo()).toEqual([ana, ben, ana]);
});

describe('a node that runs for the rows of another one than the recipients’', () => {
	const optOuts = (list: object[], more: object = { executeOnce: true }) =>
		rowsNode('Get opt-outs', list, more);
	const limits = {
		blockedRecipients: "={{ $('Get opt-outs').all().map((row) => row.json.phone) }}",
		allowEmptyList: true,
	};
	const stranger = { phone: '61491570158' };

	it.each([
		['one opt-out, .item', [stranger], itemRecipient],
		['two opt-outs, .item', [stranger, { phone: '61491570157' }], itemRecipient],
		['one opt-out, .first()', [stranger], "={{ $('People').first().json.phone }}"],
	])('is refused: %s', async (_, list, recipient) => {
		const send = sendNode({ recipient, limits });
		const { error } = await runNodes([people(), optOuts(list), send]);
		expect(error?.message).toBe(
			'This node runs once for each row of Get opt-outs, and not for each row of People',
		);
		expect(error?.description).toContain('Connect People after Get opt-outs');
		expect(await sentTo()).toEqual([]);
	});

	it('is refused without opt-outs, too', async () => {
		const offers = rowsNode('Offers', [{ text: 'One' }, { text: 'Two' }], { executeOnce: true });
		const tidy = set('Tidy', { text: '={{ $json.text }}' });
		const send = sendNode({ recipient: itemRecipient, message: '={{ $json.text }}' });
		const { error } = await runNodes([people(), offers, tidy, send]);
		expect(error?.message).toContain('once for each row of Offers, and not for each row of People');
		expect(await sentTo()).toEqual([]);
	});

	it.each([
		['of the loop', "={{ $('Loop').item.json.phone }}"],
		['from before the loop', itemRecipient],
	])('sends to the row %s, with a list that is read in each round', async (_, recipient) => {
		const list = optOuts([stranger, { phone: ben }], {});
		const send = { ...sendNode({ recipient, limits }), executeOnce: true };
		const { error } = await runNodes(
			[people(), loopNode(), list, send],
			loopThrough(['People'], ['Get opt-outs', 'Send']),
		);
		expect(error?.message).toBeUndefined();
		expect(await sentTo()).toEqual([ana, cleo]);
	});

	it('is refused in a loop without Execute Once, which would send once for each opt-out', async () => {
		const list = optOuts([stranger, { phone: ben }], {});
		const send = sendNode({ recipient: "={{ $('Loop').item.json.phone }}", limits });
		const { error } = await runNodes(
			[people(), loopNode(), list, send],
			loopThrough(['People'], ['Get opt-outs', 'Send']),
		);
		expect(error?.description).toContain('Execute Once');
		expect(await sentTo()).toEqual([]);
	});

	it.each([
		['the contacts of a client, which $json reads', '={{ $json.phone }}', []],
		[
			'the contacts of a client, which .item reads',
			"={{ $('Contacts').item.json.phone }}",
			['Tidy'],
		],
	])('is refused in a loop if Execute Once leaves the first of %s', async (_, recipient, more) => {
		const contacts = rowsNode('Contacts', rows);
		const tidy = set('Tidy', { ok: 'yes' });
		const send = { ...sendNode({ recipient }), executeOnce: true };
		const { error } = await runNodes(
			[rowsNode('Clients', [{ client: 'a' }, { client: 'b' }]), loopNode(), contacts, tidy, send],
			loopThrough(['Clients'], ['Contacts', ...more, 'Send']),
		);
		expect(error?.message).toContain('reads only the first of several items');
		expect(await sentTo()).toEqual([]);
	});

	it.each([
		['several clients', 'b'],
		['one client', 'a'],
	])('reads the list for the first row only if all are of one client: %s', async (_, other) => {
		const contacts = rowsNode('Contacts', [
			{ client: 'a', phone: ana },
			{ client: other, phone: ben },
		]);
		const { parameters, ...table } = await tableNode('Get opt-outs', ['61491570158']);
		const filters = {
			conditions: [{ keyName: 'phone', condition: 'neq', keyValue: '={{ $json.client }}' }],
		};
		const list = { ...table, parameters: { ...parameters, filters }, executeOnce: true };
		const again = rowsNode('Again', "return $('Contacts').all()");
		const { error } = await runNodes([contacts, list, again, sendNode({ limits })]);
		const isRefused = other === 'b';
		expect(error?.message.includes('Get opt-outs') ?? false).toBe(isRefused);
		expect(await sentTo()).toEqual(isRefused ? [] : [ana, ben]);
	});
});

it('sends to no list of another client', async () => {
	const clients = rowsNode('Clients', [
		{ client: 'Bloom', list: '4100001' },
		{ client: 'Acme', list: '4100002' },
	]);
	const isAcme = node({
		...{ name: 'Is Acme', type: 'n8n-nodes-base.filter', typeVersion: 2.2 },
		parameters: condition('={{ $json.client }}', { type: 'string', operation: 'equals' }, 'Acme'),
	});
	const list = { __rl: true, mode: 'id', value: "={{ $('Clients').first().json.list }}" };
	const send = playground.kudosity(
		{
			...{ resource: 'bulkSms', operation: 'send', sendTo: 'list', sender: 'Acme' },
			...{ message: 'Acme sale', listId: list },
		},
		{ name: 'Send' },
	);
	const { error } = await runNodes([clients, isAcme, send]);
	expect(error?.message).toContain('so it would be the wrong list');
	expect(await sentTo()).toEqual([]);
});

it('skips nobody because of a key from another row', async () => {
	const options = { deduplicationKey: "=reminder-{{ $('People').first().json.phone }}" };
	const { error } = await runNodes([people(), isNotAna('Tomorrow'), sendNode({ options })]);
	expect(error?.message).toContain('so the wrong messages would be skipped');
	expect(await sentTo()).toEqual([]);
});

it('puts the values of all people into nobody’s text', async () => {
	const aggregate = node({
		...{ name: 'Aggregate', type: 'n8n-nodes-base.aggregate', typeVersion: 1 },
		parameters: {
			fieldsToAggregate: {
				fieldToAggregate: [{ fieldToAggregate: 'phone' }, { fieldToAggregate: 'name' }],
			},
			options: {},
		},
	});
	const split = node({
		...{ name: 'Split Out', type: 'n8n-nodes-base.splitOut', typeVersion: 1 },
		parameters: { fieldToSplitOut: 'phone', include: 'allOtherFields', options: {} },
	});
	const send = sendNode({ message: '=Hi {{ $json.name }}' });
	const { error } = await runNodes([people(), aggregate, split, send]);
	expect(error?.message).toContain("reads the column 'name', which is a list");
	expect(await sentTo()).toEqual([]);
});

it('sends bulk messages to nobody whom a Filter node left out', async () => {
	const send = playground.kudosity(
		{
			...{ resource: 'bulkSms', operation: 'send', sender: 'Acme', message: 'Sale' },
			recipients: "={{ $('People').all().map((row) => row.json.phone) }}",
		},
		{ name: 'Send' },
	);
	const { error } = await runNodes([people(), isNotAna('Consents'), send]);
	expect(error?.message).toBe(
		"'Recipients' reads all rows of People, also those that a node after it left out",
	);
	expect(await sentTo()).toEqual([]);
});
