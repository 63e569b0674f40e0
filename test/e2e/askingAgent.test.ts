import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../playground/n8n/until.ts';
import { startChatModel } from '../examples/chatModel.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { runsAll } from '../helpers/runsAll.ts';
import { startPlayground, type Playground } from './harness.ts';
import { runPartly } from './partialRun.ts';
import { condition, kudosityType, manualTrigger, node, noOperation, workflow } from './workflow.ts';

let playground: Playground;
let model: Awaited<ReturnType<typeof startChatModel>>;
let modelCredential: { id: string; name: string };

beforeAll(async () => {
	[playground, model] = [await startPlayground(), await startChatModel()];
	modelCredential = await playground.rest.createCredential({
		name: 'Scripted model for questions',
		type: 'openAiApi',
		data: { apiKey: 'none', url: model.url },
	});
});
beforeEach(
	async () => void (await playground.control.reset({ autoStatus: false, retryDelaysMs: [] })),
);
afterAll(async () => {
	await playground.rest.deleteCredential(modelCredential.id);
	await model.close();
	await playground.stop();
});

type Button = { url: string };

const sender = '61491570156';
const boss = '61491573770';
const customer = '61491571266';

const agent = (typeVersion: number) =>
	node({
		name: 'Agent',
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion,
		parameters: { promptType: 'define', text: 'Do it', options: {} },
	});

const chatModel = () =>
	node({
		name: 'Model',
		type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
		typeVersion: 1.2,
		parameters: { model: { __rl: true, mode: 'list', value: 'gpt-4.1-mini' }, options: {} },
		credentials: { openAiApi: modelCredential },
	});

const kudosity = (name: string, kind: 'Tool' | 'HitlTool', parameters: object) =>
	node({
		name,
		type: `${kudosityType}${kind}`,
		parameters: { resource: 'sms', sender, ...parameters },
		credentials: { kudosityKeyApi: playground.credentials.key },
	});

const ask = () =>
	kudosity('Ask', 'Tool', {
		operation: 'sendAndWait',
		responseType: 'freeText',
		descriptionType: 'manual',
		toolDescription: 'Asks the boss by SMS and gives back the reply',
		message: "={{ $fromAI('message', 'The question', 'string') }}",
		recipient: boss,
	});

const to = (name: string, type = 'main') => ({ [type]: [[{ node: name, type, index: 0 }]] });

const start = async (
	nodes: ReturnType<typeof node>[],
	connections: object,
	items: object[] = [{}],
) => {
	const { id } = await playground.save(
		workflow({
			nodes: [manualTrigger(), ...nodes],
			connections: {
				Start: to('Agent'),
				Model: to('Agent', 'ai_languageModel'),
				...connections,
			} as never,
			items,
		}),
	);
	return await playground.rest.runWorkflow(id);
};

const waiting = async (id: string) =>
	await playground.rest.waitForExecution(id, { statuses: ['waiting', 'success', 'error'] });

const reply = async (text: string) =>
	await playground.control.inbound({ from: boss, to: sender, text });

describe('an agent that asks a person', () => {
	it('gets the reply as the result of the tool', async () => {
		model.follow([{ message: 'Which colour?' }]);
		const id = await start([agent(3), chatModel(), ask()], { Ask: to('Agent', 'ai_tool') });
		expect((await waiting(id)).status).toBe('waiting');
		await reply('The blue one');
		const { status, nodes } = await playground.rest.waitForExecution(id);

		expect(status).toBe('success');
		expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('The blue one');
		expect(nodes.Agent?.items).toMatchObject([{ json: { output: 'Done' } }]);
		expect(await playground.control.messages()).toHaveLength(1);
	});

	it('can ask two questions at once: each is sent, and gets its own reply', async () => {
		const [anna, ben] = ['61491570157', '61491570158'];
		const askEach = node({
			...ask(),
			parameters: {
				...ask().parameters,
				recipient: "={{ $fromAI('recipient', 'The phone number', 'string') }}",
			},
		});
		model.follow([
			[
				{ message: 'Can you work on Saturday?', recipient: anna },
				{ message: 'Can you work on Saturday?', recipient: ben },
			],
		]);
		const id = await start([agent(3), chatModel(), askEach], { Ask: to('Agent', 'ai_tool') });
		// Which of them n8n calls first differs between its versions.
		for (const count of [1, 2]) {
			const to = await until({ what: `${count} questions` }, async () => {
				const sent = await playground.control.messages();
				return sent.length === count ? sent.at(-1)?.recipient : undefined;
			});
			expect((await waiting(id)).status).toBe('waiting');
			const text = to === anna ? 'Yes, from nine' : 'Sorry, no';
			await playground.control.inbound({ from: to, to: sender, text });
		}
		const { status } = await playground.rest.waitForExecution(id);

		expect(status).toBe('success');
		const told = JSON.stringify(model.requests.at(-1)?.messages);
		const replies = ['Yes, from nine', 'Sorry, no'].filter((text) => told.includes(text));
		// n8n 1.123 tells the agent the last of them only.
		expect(replies).toHaveLength(isCurrent ? 2 : 1);
		expect(await playground.control.messages()).toHaveLength(2);
		await until({ what: 'both webhooks as answered' }, async () =>
			(await playground.control.webhooks()).every(({ name }) => name.includes('(question answered'))
				? true
				: undefined,
		);
	});

	it('writes no more to a person who opts out in the reply, with whichever tool', async () => {
		const send = kudosity('Send', 'Tool', {
			operation: 'send',
			descriptionType: 'manual',
			toolDescription: 'Sends an SMS',
			message: "={{ $fromAI('message', 'The text', 'string') }}",
			recipient: "={{ $fromAI('recipient', 'The phone number', 'string') }}",
		});
		model.follow([
			{ $tool: 'Ask', message: 'Can you come at nine?' },
			{ $tool: 'Send', message: 'We have removed you', recipient: `+${boss}` },
			{ $tool: 'Ask', message: 'Really?' },
			{ $tool: 'Send', message: 'Your boss is out', recipient: customer },
		]);
		const id = await start([agent(3), chatModel(), ask(), send], {
			Ask: to('Agent', 'ai_tool'),
			Send: to('Agent', 'ai_tool'),
		});
		expect((await waiting(id)).status).toBe('waiting');
		await reply('Please stop texting me');
		const { status } = await playground.rest.waitForExecution(id);

		const sent = (await playground.control.messages()).map(({ text }) => text);
		expect(sent).toEqual(['Can you come at nine?', 'Your boss is out']);
		expect(status).toBe('success');
		const told = model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
		expect(told.map(({ content }) => String(content))).toEqual([
			expect.stringContaining('"optedOut":true'),
			expect.stringMatching(/"outcome":"skipped".*Don't contact this person.*"code":"blocked"/),
			expect.stringMatching(/"outcome":"skipped".*Don't contact this person.*"code":"blocked"/),
			expect.stringContaining(customer),
		]);
	});

	it('of version 2 is refused, and nothing is sent', async () => {
		model.follow([{ message: 'Which colour?' }]);
		const id = await start([agent(2), chatModel(), ask()], { Ask: to('Agent', 'ai_tool') });
		await playground.rest.waitForExecution(id);

		const told = JSON.stringify(model.requests.at(-1)?.messages);
		expect(told).toContain("'Send and Wait for Response' doesn't work in this AI Agent");
		expect(await playground.control.requests()).toEqual([]);
	});
});

const loop = () =>
	node({
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { options: {} },
	});

const isDue = () =>
	node({
		...{ name: 'Is due', type: 'n8n-nodes-base.if', typeVersion: 2.2 },
		parameters: condition('={{ $json.isDue }}', {
			...{ type: 'boolean', operation: 'true', singleValue: true },
		}),
	});

const look = () =>
	kudosity('Look', 'Tool', {
		...{ operation: 'getAll', limit: 1 },
		...{ descriptionType: 'manual', toolDescription: 'Lists messages' },
	});

const perItem = (expression: string) =>
	kudosity('Send', 'Tool', {
		operation: 'send',
		descriptionType: 'manual',
		toolDescription: 'Sends an SMS to the customer',
		message: "={{ $fromAI('message', 'The text', 'string') }}",
		recipient: `={{ ${expression} }}`,
	});

describe.each([2, 3])('an agent of version %i in a loop', (version) => {
	const phones = [customer, boss];
	it.each([
		["$('Loop').item", false],
		["$('Loop').item", true],
		["$('Loop')\n  .item", false],
		["$('Start').item", false],
		["$('Start').first()", false],
		["$('Loop').first(1)", false],
		["$('Loop').first(1)", true],
	])(
		'writes to nobody else, with {{ %s }}, with another node before the agent: %s',
		async (item, isBefore) => {
			model.follow([{ message: 'Hello' }]);
			const id = await start(
				[loop(), noOperation('Row'), agent(version), chatModel(), perItem(`${item}.json.phone`)],
				{
					Start: to('Loop'),
					Loop: { main: [[], ...to(isBefore ? 'Row' : 'Agent').main!] },
					Row: to('Agent'),
					Agent: to('Loop'),
					Send: to('Agent', 'ai_tool'),
				},
				phones.map((phone) => ({ phone })),
			);
			await playground.rest.waitForExecution(id);

			const recipients = (await playground.control.messages()).map(({ recipient }) => recipient);
			// From version 3, n8n reads the first round's item in the second, which is refused.
			const isPaired = version === 3 && item.endsWith('item');
			const isRefused = item === "$('Start').first()" || isPaired;
			const sent = phones.slice(0, isRefused ? 1 : undefined);
			// The agent is connected to the second output of the loop.
			expect(recipients).toEqual(isPaired && !isBefore ? [] : sent);
		},
	);
});

describe.each([2, 3])('an agent of version %i with several items', (version) => {
	it.each(['$json.phone', `'${customer}'`])('sends nothing, with {{ %s }}', async (phone) => {
		model.follow([{ message: 'Hello' }]);
		const id = await start(
			[agent(version), chatModel(), perItem(phone)],
			{ Send: to('Agent', 'ai_tool') },
			[{ phone: customer }, { phone: boss }],
		);
		await playground.rest.waitForExecution(id);

		expect(await playground.control.messages()).toEqual([]);
		expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain(
			'the agent has several items',
		);
	});
});

describe.each([2.2, 3])('an agent of version %f that processes one item', (version) => {
	it('sends one message, where Execute Once leaves the first of several items', async () => {
		model.follow([{ message: 'Hello' }]);
		const send = perItem(`'${customer}'`);
		send.parameters.limits = {
			blockedRecipients: "={{ $('Row').all().map((row) => row.json.optedOut) }}",
		};
		const once = { ...agent(version), executeOnce: true };
		const connections = { Start: to('Row'), Row: to('Agent'), Send: to('Agent', 'ai_tool') };
		const items = [{ optedOut: boss }, { optedOut: sender }];
		const id = await start([noOperation('Row'), once, chatModel(), send], connections, items);
		await playground.rest.waitForExecution(id);

		const messages = await playground.control.messages();
		expect(messages.map(({ recipient }) => recipient)).toEqual([customer]);
	});

	it('sends in each round of a loop to the first of several rows that a node in the loop returned', async () => {
		model.follow([{ message: 'Hello' }]);
		const rows = node({
			...{ name: 'Rows', type: 'n8n-nodes-base.code', typeVersion: 2 },
			parameters: { jsCode: `return [{ phone: $json.phone }, { phone: '${sender}' }]` },
		});
		const limit = node({
			...{ name: 'Limit', type: 'n8n-nodes-base.limit', typeVersion: 1 },
			parameters: { maxItems: 1 },
		});
		const phones = [customer, boss];
		const id = await start(
			[loop(), rows, limit, agent(version), chatModel(), perItem("$('Rows').first().json.phone")],
			{
				Start: to('Loop'),
				Loop: { main: [[], ...to('Rows').main!] },
				Rows: to('Limit'),
				Limit: to('Agent'),
				Agent: to('Loop'),
				Send: to('Agent', 'ai_tool'),
			},
			phones.map((phone) => ({ phone })),
		);
		await playground.rest.waitForExecution(id);

		const messages = await playground.control.messages();
		expect(messages.map(({ recipient }) => recipient)).toEqual(phones);
	});

	it('is followed by a message about its round of a loop, which not all rounds lead to', async () => {
		model.follow([{ $tool: 'Look' }]);
		const send = playground.kudosity(
			{
				...{ resource: 'sms', operation: 'send', sender, message: 'Hello' },
				recipient: "={{ $('Row').first().json.phone }}",
			},
			{ name: 'Send' },
		);
		const id = await start(
			[loop(), noOperation('Row'), isDue(), agent(version), chatModel(), look(), send],
			{
				Start: to('Loop'),
				Loop: { main: [[], ...to('Row').main!] },
				Row: to('Is due'),
				'Is due': { main: [...to('Agent').main!, ...to('Loop').main!] },
				Agent: to('Send'),
				Send: to('Loop'),
				Look: to('Agent', 'ai_tool'),
			},
			[
				{ phone: boss, isDue: false },
				{ phone: customer, isDue: true },
			],
		);
		const { error } = await playground.rest.waitForExecution(id);
		expect(error?.message).toBeUndefined();
		const messages = await playground.control.messages();
		expect(messages.map(({ recipient }) => recipient)).toEqual([customer]);
	});

	it('sends in each round of a loop, where the node before it has more rows in another output', async () => {
		model.follow([{ message: 'Hello' }]);
		const rows = node({
			name: 'Rows',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'rows', options: {} },
		});
		const phones = [customer, boss];
		const notDue = [{ isDue: false }, { isDue: false }];
		const id = await start(
			[loop(), rows, isDue(), agent(version), chatModel(), perItem('$json.phone')],
			{
				Start: to('Loop'),
				Loop: { main: [[], ...to('Rows').main!] },
				Rows: to('Is due'),
				'Is due': to('Agent'),
				Agent: to('Loop'),
				Send: to('Agent', 'ai_tool'),
			},
			phones.map((phone) => ({ rows: [{ isDue: true, phone }, ...notDue] })),
		);
		await playground.rest.waitForExecution(id);

		const messages = await playground.control.messages();
		expect(messages.map(({ recipient }) => recipient)).toEqual(phones);
	});
});

it.each([
	["$('Start').item.json.phone", [{ phone: customer }, { phone: boss }], []],
	['$json.phone', [{ phone: customer }], [customer]],
	["$('Start').item.json.phone", [{ phone: customer }], [customer]],
])(
	'an agent with {{ %s }} that looks something up first sends as if it did not',
	async (phone, items, expected) => {
		model.follow([{ $tool: 'Look' }, { $tool: 'Send', message: 'Hello' }]);
		const id = await start(
			[agent(3), chatModel(), look(), perItem(phone)],
			{ Look: to('Agent', 'ai_tool'), Send: to('Agent', 'ai_tool') },
			items,
		);
		await playground.rest.waitForExecution(id);

		expect(await playground.control.requests({ method: 'GET', path: '/v2/sms' })).toHaveLength(
			items.length,
		);
		const recipients = (await playground.control.messages()).map(({ recipient }) => recipient);
		expect(recipients).toEqual(expected);
	},
);

describe.each([2.2, 3])('an agent of version %f behind the second output of a node', (version) => {
	it.each([
		['with $json', '$json.phone', false],
		['with .item', "$('Start').item.json.phone", false],
		['with .item and a node before the agent', "$('Start').item.json.phone", true],
	])('writes only to the person of its item: %s', async (_, phone, isBefore) => {
		model.follow([{ message: 'Hello' }, { message: 'Hello again' }]);
		const id = await start(
			[isDue(), noOperation('Row'), agent(version), chatModel(), perItem(phone)],
			{
				Start: to('Is due'),
				'Is due': { main: [[], ...to(isBefore ? 'Row' : 'Agent').main!] },
				Row: to('Agent'),
				Send: to('Agent', 'ai_tool'),
			},
			[
				{ phone: boss, isDue: true },
				{ phone: customer, isDue: false },
			],
		);
		await playground.rest.waitForExecution(id);

		const recipients = (await playground.control.messages()).map(({ recipient }) => recipient);
		const isRefused = version === 3 && phone.includes('.item') && !isBefore;
		expect(recipients).toEqual(isRefused ? [] : [customer, customer]);
		if (!isRefused) return;
		expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain(
			"behind a node's second output",
		);
	});
});

const ofRow = { recipient: "={{ $('Rows').item.json.phone }}", message: 'Hello' };
it.each([
	['the agent is behind a second output, and has called a tool', false, ofRow, []],
	[
		'it reads the node whose second output that is',
		false,
		{ recipient: "={{ $('Is due').item.json.phone }}", message: 'Hello' },
		[],
	],
	['there is a node before that agent', true, ofRow, [boss]],
	[
		'it reads only a node with one row',
		false,
		{ recipient: boss, message: "={{ $('Settings').first().json.text }}" },
		[boss],
	],
])(
	'a message after an agent goes to nobody but its person: %s',
	async (_, isBefore, fields, expected) => {
		model.follow([{ $tool: 'Look' }]);
		const code = (name: string, rows: object[]) =>
			node({
				...{ name, type: 'n8n-nodes-base.code', typeVersion: 2 },
				parameters: { jsCode: `return ${JSON.stringify(rows)}` },
			});
		const rows = code('Rows', [
			{ phone: customer, isDue: true },
			{ phone: boss, isDue: false },
		]);
		const base = { resource: 'sms', operation: 'send', sender };
		const send = playground.kudosity({ ...base, ...fields }, { name: 'Send' });
		const settings = code('Settings', [{ text: 'Hello' }]);
		const id = await start(
			[settings, rows, isDue(), noOperation('Row'), agent(3), chatModel(), look(), send],
			{
				Start: to('Settings'),
				Settings: to('Rows'),
				Rows: to('Is due'),
				'Is due': { main: [[], ...to(isBefore ? 'Row' : 'Agent').main!] },
				Row: to('Agent'),
				Agent: to('Send'),
				Look: to('Agent', 'ai_tool'),
			},
		);
		const { error } = await playground.rest.waitForExecution(id);
		const messages = await playground.control.messages();
		expect(messages.map(({ recipient }) => recipient)).toEqual(expected);
		if (expected.length > 0) expect(error?.message).toBeUndefined();
		else expect(error?.message).toContain('pairs the items of Agent with the wrong rows');
	},
);

describe.each(isCurrent ? [2.2, 3] : [2.2])('an AI Agent Tool of version %f', (typeVersion) => {
	const phones = [customer, boss];
	const helper = () =>
		node({
			name: 'Helper',
			type: '@n8n/n8n-nodes-langchain.agentTool',
			typeVersion,
			parameters: { text: "={{ $fromAI('message') }}", options: {} },
		});
	const models = ['Agent', 'Helper'].map((name) => ({
		node: name,
		type: 'ai_languageModel',
		index: 0,
	}));
	const nested = {
		Model: { ai_languageModel: [models] },
		Helper: to('Agent', 'ai_tool'),
		Send: to('Helper', 'ai_tool'),
	};

	it('has an outer model that fills in its prompt', async () => {
		model.follow([
			{ $tool: 'Helper', Prompt: 'Say hello' },
			{ $tool: 'Send', message: 'Hello' },
		]);
		const text = "={{ $fromAI('Prompt') }}";
		const prompted = { ...helper(), parameters: { text, options: {} } };
		const nodes = [agent(3), prompted, chatModel(), perItem('$json.phone')];
		await playground.rest.waitForExecution(await start(nodes, nested, [{ phone: customer }]));
		const recipients = (await playground.control.messages()).map(({ recipient }) => recipient);
		expect(recipients).toEqual([customer]);
	});

	it.each([
		["$('Start').item.json.phone", false, []],
		// From version 3, n8n counts the items of the outer agent; before, it gives each call its own.
		['$json.phone', false, typeVersion === 3 ? [] : phones],
		["$('Start').item.json.phone", true, typeVersion === 3 ? [customer] : []],
		["$('Row').first().json.phone", true, phones],
	] as const)(
		'writes to nobody else, with {{ %s }}, in a loop: %s',
		async (phone, loops, expected) => {
			model.follow([{ message: 'Hello' }]);
			const main = loops
				? {
						Start: to('Loop'),
						Loop: { main: [[], [{ node: 'Row', type: 'main', index: 0 }]] },
						Row: to('Agent'),
						Agent: to('Loop'),
					}
				: {};
			const nodes = [agent(3), helper(), chatModel(), perItem(phone)];
			const items = phones.map((each) => ({ phone: each }));
			const id = await start(
				loops ? [loop(), noOperation('Row'), ...nodes] : nodes,
				{ ...nested, ...main },
				items,
			);
			await playground.rest.waitForExecution(id);

			const recipients = (await playground.control.messages()).map(({ recipient }) => recipient);
			expect(recipients.sort()).toEqual([...expected].sort());
		},
	);

	it.each([
		['$json.phone', {}, [customer]],
		['$json.phone', { phone: boss }, []],
		['$json.query.phone', { query: { phone: boss } }, []],
		["$json['Mobile Phone']", {}, [customer]],
		["$json['Mobile Phone']", { 'Mobile Phone': boss }, []],
		["$('Start').first().json.phone", {}, [customer]],
	])('with {{ %s }}, writes to nobody whom the outer model passes: %j', async (...given) => {
		const [phone, passed, expected] = given;
		model.follow([
			{ $tool: 'Helper', message: 'Greet the customer', ...passed },
			{ $tool: 'Send', message: 'Hello' },
		]);
		const nodes = [agent(3), helper(), chatModel(), perItem(phone)];
		nodes.at(-1)!.parameters.message = "={{ $fromAI('message') }}";
		const item = {
			...{ phone: customer, query: { phone: customer } },
			...{ 'Mobile Phone': customer, note: null },
		};
		await playground.rest.waitForExecution(await start(nodes, nested, [item]));

		const messages = await playground.control.messages();
		expect(messages.map(({ recipient }) => recipient)).toEqual(expected);
	});
});

describe('a tool that reads a field of the agent’s item', () => {
	const tool = (recipient: string) =>
		kudosity('Send', 'Tool', {
			operation: 'send',
			descriptionType: 'manual',
			toolDescription: 'Sends an SMS to the customer',
			message: "={{ $fromAI('message', 'The text', 'string') }}",
			recipient,
		});

	it.each([
		['is sent to the person in the item', {}, [customer]],
		['is not sent to a person whom the model passes', { query: { phone: boss } }, []],
	])('%s', async (_, extra, expected) => {
		model.follow([{ message: 'Your code is 4711', ...extra }]);
		const nodes = [agent(3), chatModel(), tool('={{ $json.query.phone }}')];
		const items = [{ query: { phone: customer } }];
		const id = await start(nodes, { Send: to('Agent', 'ai_tool') }, items);
		await playground.rest.waitForExecution(id);

		const messages = await playground.control.messages();
		expect(messages.map(({ recipient }) => recipient)).toEqual(expected);
	});

	it('sends nothing after the agent has ended, as n8n runs it with the old execution order', async () => {
		model.follow([{ message: 'Hello' }]);
		const draft = workflow({
			nodes: [manualTrigger(), agent(3), chatModel(), tool(customer)],
			connections: {
				Start: to('Agent'),
				Model: to('Agent', 'ai_languageModel'),
				Send: to('Agent', 'ai_tool'),
			} as never,
			items: [{}, {}],
		});
		const { id } = await playground.save({ ...draft, settings: { executionOrder: 'v0' } });
		const execution = await playground.rest.run(id);

		expect(await playground.control.messages()).toEqual([]);
		expect(execution.nodes.Send?.runs).toBe(2);
	});

	/** An agent of version 3 whose tool reads the recipient from the item. */
	const sendTo = async (recipient: string, item: object) => {
		const connections = { Send: to('Agent', 'ai_tool') };
		const id = await start([agent(3), chatModel(), tool(recipient)], connections, [item]);
		await playground.rest.waitForExecution(id);
		return JSON.stringify(model.requests.at(-1)?.messages);
	};

	it.each(['phone', 'Mobile Phone', 'Téléphone', 'contact.phone', 'query', 'tool', 'p'.repeat(65)])(
		'refuses a call that would replace the number of the workflow in %s',
		async (name) => {
			const recipient = `={{ $json[${JSON.stringify(name)}] }}`;
			model.follow([{ message: 'Hello', [name]: boss }]);
			const told = await sendTo(recipient, { [name]: customer });
			expect(await playground.control.messages()).toEqual([]);
			expect(told).toContain(`The model tried to set '${name}'`);

			model.follow([{ message: 'Hello' }]);
			await sendTo(recipient, { [name]: customer });
			expect(await playground.control.messages()).toMatchObject([{ recipient: customer }]);
		},
	);

	it('refuses a call that would empty a field of the workflow', async () => {
		model.follow([{ message: 'Hello', guardian: null }]);
		const item = { guardian: boss, phone: customer, note: null };
		const told = await sendTo('={{ $json.guardian || $json.phone }}', item);
		expect(await playground.control.messages()).toEqual([]);
		expect(told).toContain("The model tried to set 'guardian'");

		model.follow([{ message: 'Hello' }]);
		await sendTo('={{ $json.guardian || $json.phone }}', item);
		expect(await playground.control.messages()).toMatchObject([{ recipient: boss }]);
	});
});

describe.runIf(isCurrent)('a person who reviews what an agent does', () => {
	const review = () =>
		kudosity('Review', 'HitlTool', {
			operation: 'sendAndWait',
			message: '=The agent wants to use {{ $tool.name }}. Reply YES or NO.',
			recipient: boss,
		});
	const send = () =>
		kudosity('Send', 'Tool', {
			operation: 'send',
			descriptionType: 'manual',
			toolDescription: 'Sends an SMS to the customer',
			message: "={{ $fromAI('message', 'The text', 'string') }}",
			recipient: customer,
		});
	const startReviewed = async (items?: object[]) => {
		const toolParameters = { message: 'Your refund is on its way' };
		model.follow([{ toolParameters, hitlParameters: {} }]);
		const connections = { Send: to('Review', 'ai_tool'), Review: to('Agent', 'ai_tool') };
		return await start([agent(3), chatModel(), review(), send()], connections, items);
	};
	const textsTo = async (recipient: string) =>
		(await playground.control.messages({ recipient })).map(({ text }) => text);
	const textsToCustomer = async () => await textsTo(customer);

	it('lets the tool run with YES', async () => {
		const id = await startReviewed();
		expect((await waiting(id)).status).toBe('waiting');
		expect(await textsToCustomer()).toEqual([]);
		await reply('Yes');
		expect((await playground.rest.waitForExecution(id)).status).toBe('success');

		expect(await textsToCustomer()).toEqual(['Your refund is on its way']);
	});

	it('is the one whom the workflow names, and not the one whom the model passes', async () => {
		model.follow([
			{
				toolParameters: { message: 'Your account is closed' },
				hitlParameters: { query: { boss: customer } },
			},
		]);
		const asking = review();
		asking.parameters.recipient = '={{ $json.query.boss }}';
		const connections = { Send: to('Review', 'ai_tool'), Review: to('Agent', 'ai_tool') };
		const items = [{ query: { boss } }];
		const id = await start([agent(3), chatModel(), asking, send()], connections, items);
		await playground.rest.waitForExecution(id);

		expect(await playground.control.messages()).toEqual([]);
	});

	it('stops it with NO', async () => {
		const id = await startReviewed();
		expect((await waiting(id)).status).toBe('waiting');
		await reply('no');
		await playground.rest.waitForExecution(id);

		expect(await textsToCustomer()).toEqual([]);
	});

	// The shortest time limit is a minute.
	it.runIf(runsAll)(
		'is not asked about a call that n8n has lost, because the review of another one timed out',
		async () => {
			const calls = ['Your table is booked', 'Your refund is on its way'].map((message) => ({
				toolParameters: { message },
				hitlParameters: {},
			}));
			model.follow([calls]);
			const asking = kudosity('Review', 'HitlTool', {
				operation: 'sendAndWait',
				message: '=The agent wants to text: “{{ $tool.parameters.message }}” Reply YES or NO.',
				recipient: boss,
				...{ waitAmount: 1, waitUnit: 'minutes' },
			});
			const id = await start([agent(3), chatModel(), asking, send()], {
				Send: to('Review', 'ai_tool'),
				Review: to('Agent', 'ai_tool'),
			});
			await playground.rest.waitForExecution(id, { statuses: ['success'], timeoutMs: 200_000 });

			const asked = (await playground.control.messages({ recipient: boss })).map(
				({ text }) => text,
			);
			expect(asked).toEqual(['The agent wants to text: “Your table is booked” Reply YES or NO.']);
			expect(await textsToCustomer()).toEqual([]);
		},
		300_000,
	);

	it('is not asked where the agent has several items, for which n8n would run it several times', async () => {
		await playground.rest.waitForExecution(await startReviewed([{}, {}]));

		expect(await playground.control.messages()).toEqual([]);
	});

	describe('in another app', () => {
		let app: Server;
		let approve: string | undefined;
		let credential: { id: string; name: string };
		beforeAll(async () => {
			app = createServer((request, response) => {
				void json(request).then((sent) => {
					const { reply_markup } = sent as { reply_markup?: { inline_keyboard: Button[][] } };
					const buttons = reply_markup?.inline_keyboard.flat() ?? [];
					approve = buttons.find(({ url }) => url.includes('approved=true'))?.url;
					response.setHeader('content-type', 'application/json');
					response.end(JSON.stringify({ ok: true, result: { message_id: 1 } }));
				});
			}).listen(0, '127.0.0.1');
			await once(app, 'listening');
			const baseUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
			const data = { accessToken: 'token', baseUrl };
			credential = await playground.rest.createCredential({
				name: 'Telegram of the tests',
				type: 'telegramApi',
				data,
			});
		});
		afterAll(async () => {
			await playground.rest.deleteCredential(credential.id);
			app.close();
		});

		it.each([
			['lets the tool run', [{ phone: customer }], [customer]],
			[
				'sends nothing where the agent has several items',
				[{ phone: customer }, { phone: boss }],
				[],
			],
		])('%s', async (_, items, recipients) => {
			model.follow([{ toolParameters: { message: 'Hello' }, hitlParameters: {} }]);
			const telegram = node({
				name: 'Review',
				type: 'n8n-nodes-base.telegramHitlTool',
				typeVersion: 1.2,
				parameters: {
					resource: 'message',
					operation: 'sendAndWait',
					chatId: '1',
					message: 'OK?',
					approvalOptions: { values: { approvalType: 'double' } },
				},
				credentials: { telegramApi: credential },
			});
			const parameters = { ...send().parameters, recipient: '={{ $json.phone }}' };
			const nodes = [agent(3), chatModel(), telegram, { ...send(), parameters }];
			const connections = { Send: to('Review', 'ai_tool'), Review: to('Agent', 'ai_tool') };
			const id = await start(nodes, connections, items);
			expect((await waiting(id)).status).toBe('waiting');
			// n8n ignores what does not look like a browser, for link previews.
			await fetch(approve!, { headers: { 'user-agent': 'Mozilla/5.0 Chrome/140' } });
			await until({ what: 'the run of the tool' }, async () => {
				const { nodes: ran } = await waiting(id);
				return ran.Send ? true : undefined;
			});

			const messages = await playground.control.messages();
			expect(messages.map(({ recipient }) => recipient)).toEqual(recipients);
		});
	});

	it('lets a tool read the first of several rows in a second reviewed call, too', async () => {
		const texts = ['Your refund is on its way', 'Your order is on its way'];
		model.follow(texts.map((message) => ({ toolParameters: { message }, hitlParameters: {} })));
		const staff = node({
			...{ name: 'Staff', type: 'n8n-nodes-base.code', typeVersion: 2 },
			parameters: { jsCode: `return [{ phone: '${customer}' }, { phone: '${sender}' }]` },
		});
		const parameters = { ...send().parameters, recipient: "={{ $('Staff').first().json.phone }}" };
		const id = await start(
			[staff, { ...agent(3), executeOnce: true }, chatModel(), review(), { ...send(), parameters }],
			{
				Start: to('Staff'),
				Staff: to('Agent'),
				Send: to('Review', 'ai_tool'),
				Review: to('Agent', 'ai_tool'),
			},
		);
		for (const count of [1, 2]) {
			await until({ what: `question ${count}` }, async () => {
				return (await textsTo(boss)).length === count || undefined;
			});
			await waiting(id);
			await reply('Yes');
		}
		expect((await playground.rest.waitForExecution(id)).status).toBe('success');
		expect((await textsToCustomer()).sort()).toEqual([...texts].sort());
	});

	describe.each([false, true])(
		'approves a message; of an agent inside an agent: %s',
		(isNested) => {
			it.each([
				['is sent, although a column has a space in its name, and another no value', {}, 1],
				['is not sent to a person whom a model passes', { phone: boss }, 0],
			])('%s', async (_, passed, count) => {
				const toolParameters = { message: 'Your refund is on its way' };
				const hitlParameters = {};
				const call = { $tool: 'Send', toolParameters, hitlParameters };
				model.follow(
					isNested
						? [{ $tool: 'Helper', message: 'Refund', ...passed }, call]
						: [{ ...call, toolParameters: { ...toolParameters, ...passed } }],
				);
				const tool = send();
				tool.parameters.recipient = "={{ $json['Mobile Phone'] || $json.phone }}";
				const helper = node({
					name: 'Helper',
					type: '@n8n/n8n-nodes-langchain.agentTool',
					typeVersion: 3,
					parameters: { text: "={{ $fromAI('message') }}", options: {} },
				});
				const agents = isNested ? ['Agent', 'Helper'] : ['Agent'];
				const models = agents.map((name) => ({ node: name, type: 'ai_languageModel', index: 0 }));
				const connections = {
					Model: { ai_languageModel: [models] },
					Send: to('Review', 'ai_tool'),
					Review: to(agents.at(-1)!, 'ai_tool'),
					...(isNested && { Helper: to('Agent', 'ai_tool') }),
				};
				const nodes = [agent(3), chatModel(), review(), tool, ...(isNested ? [helper] : [])];
				const item = { phone: customer, 'Mobile Phone': '', note: null };
				const id = await start(nodes, connections, [item]);
				await waiting(id);
				await reply('Yes');
				await playground.rest.waitForExecution(id);

				expect(await textsToCustomer()).toHaveLength(count);
				expect(await textsTo(boss)).not.toContain('Your refund is on its way');
			});
		},
	);

	it('loses no call of an agent in a loop, whose items have columns with a space and without a value', async () => {
		const columns = [customer, boss].map((phone) => ({ 'Mobile Phone': phone, note: null }));
		const tool = { ...send(), parameters: { ...send().parameters } };
		tool.parameters.recipient = "={{ $json['Mobile Phone'] }}";
		const loop = node({
			...{ name: 'Loop', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 },
			parameters: { batchSize: 1 },
		});
		model.follow([{ message: 'Hello' }]);
		const { id } = await playground.save(
			workflow({
				nodes: [manualTrigger(), loop, agent(3), chatModel(), tool],
				items: columns,
				connections: {
					Start: to('Loop'),
					Loop: { main: [[], ...to('Agent').main!] },
					Agent: to('Loop'),
					Model: to('Agent', 'ai_languageModel'),
					Send: to('Agent', 'ai_tool'),
				},
			}),
		);
		const { status } = await playground.rest.run(id);
		expect(status).toBe('success');
		const messages = await playground.control.messages();
		expect(messages.map(({ recipient }) => recipient).sort()).toEqual([boss, customer].sort());
	});
});

it.each([2.2, 3])(
	'an agent of version %s sends nothing when only the nodes before it are to run',
	async (version) => {
		const send = kudosity('Send', 'Tool', {
			operation: 'send',
			descriptionType: 'manual',
			toolDescription: 'Sends an SMS',
			message: "={{ $fromAI('message', 'The text', 'string') }}",
			recipient: customer,
		});
		const nodes = [manualTrigger(), noOperation('Before'), agent(version), chatModel(), send];
		const connections = {
			Start: to('Before'),
			Before: to('Agent'),
			Model: to('Agent', 'ai_languageModel'),
			Send: to('Agent', 'ai_tool'),
		};
		const { id } = await playground.save(workflow({ nodes, connections }));
		const execute = async (mode: 'exclusive' | 'inclusive') => {
			model.follow([{ message: 'Hello' }]);
			return await runPartly(playground, id, { nodeName: 'Agent', mode });
		};

		expect((await execute('exclusive')).nodes.Before?.items).toHaveLength(1);
		expect(await playground.control.messages()).toEqual([]);
		await execute('inclusive');
		expect(await playground.control.messages()).toMatchObject([{ recipient: customer }]);
	},
);
