import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { firstOf } from '../helpers/runsAll.ts';
import { importRan, named } from './campaignNodes.ts';
import { startChatModel } from './chatModel.ts';
import { useExample } from './useExample.ts';

/** Of several seconds each, with everything else that the machine does. */
const patient = { timeoutMs: 60_000 };

const to = '61491570006';
const sam = { from: '61491573770', to };
const kim = { from: '61491571266', to };

type Example = ReturnType<typeof useExample>;

/** Answers a question once it is there; a reply that comes before the execution waits is delivered again. */
const reply = async (example: Example, question: string, text: string, person = sam) => {
	const { control } = example;
	await control.waitForMessages({ text: question, recipient: person.from }, patient);
	await control.inbound({ ...person, text });
};

describe('survey.json', () => {
	const example = useExample({ file: 'survey.json', publish: false });
	const questions = [
		'How was your visit? Reply GOOD, OK or BAD. Reply STOP for no more messages.',
		'Thank you! Would you recommend us to friends? Reply YES or NO.',
		'One last question: what could we do better?',
	] as const;

	it('asks three questions in a row', async () => {
		const id = await example.start();
		await reply(example, questions[0], '1');
		await reply(example, questions[1], 'Yes please');
		await reply(example, questions[2], 'More music');
		const { status, nodes } = await example.rest.waitForExecution(id, patient);

		expect(status).toBe('success');
		expect(nodes.Result?.items).toMatchObject([
			{ json: { visit: 'Good', recommends: 'true', comment: 'More music' } },
		]);
	});

	it('asks nothing more after STOP', async () => {
		const id = await example.start();
		await reply(example, questions[0], 'bad');
		await reply(example, questions[1], 'STOP');
		const { nodes } = await example.rest.waitForExecution(id, patient);

		expect(nodes.Result?.items).toMatchObject([
			{ json: { visit: 'Bad', recommends: '', comment: '' } },
		]);
		expect(await example.control.messages()).toHaveLength(2);
	});
});

describe('purchase-approval.json', () => {
	const example = useExample({ file: 'purchase-approval.json', publish: false });
	const question = 'Two standing desks for $1,180: shall we buy? Reply BUY 4711 or NO.';

	it.each([
		['buy 4711', 'Buy it'],
		['no thanks', 'Do not buy it'],
	])('takes “%s” from the boss only', async (text, branch) => {
		const id = await example.start();
		await example.control.waitForMessages({ text: question }, patient);
		await example.control.inbound({ ...kim, text: 'buy 4711' });
		await reply(example, question, text);
		const { nodes } = await example.rest.waitForExecution(id, patient);

		const branches = ['Buy it', 'Do not buy it', 'Ask somebody else'];
		expect(branches.filter((name) => nodes[name]?.runs)).toEqual([branch]);
	});
});

describe('purchase-approval.json, with a comma in the number', () => {
	const change = (node: WorkflowNode): WorkflowNode => {
		const parameters = JSON.stringify(node.parameters).replace('"4711"', '"4,711"');
		return { ...node, parameters: JSON.parse(parameters) as WorkflowNode['parameters'] };
	};
	const example = useExample({ file: 'purchase-approval.json', publish: false, change });

	it('takes the whole number only', async () => {
		const id = await example.start();
		await reply(
			example,
			'Two standing desks for $1,180: shall we buy? Reply BUY 4,711 or NO.',
			'711',
		);
		await reply(example, 'Please reply BUY 4,711 or NO.', 'Buy 4,711');
		const { nodes } = await example.rest.waitForExecution(id, patient);

		expect(nodes['Buy it']?.items).toMatchObject([{ json: { approved: true, text: 'Buy 4,711' } }]);
	});
});

describe('fill-a-shift.json', () => {
	const example = useExample({ file: 'fill-a-shift.json', publish: false });

	it('asks the next person when the one before declines, and ends when somebody takes it', async () => {
		const id = await example.start();
		await reply(example, 'Hi Sam, can you take the shift on Tuesday? Reply YES or NO.', 'No');
		expect(await example.control.messages({ recipient: kim.from })).toEqual([]);
		await reply(example, 'Hi Kim, can you take the shift on Tuesday? Reply YES or NO.', 'OK', kim);
		const { status, nodes } = await example.rest.waitForExecution(id, patient);

		expect(status).toBe('success');
		expect(nodes['Somebody takes it']?.items).toMatchObject([{ json: { contact: kim.from } }]);
		expect(nodes['Nobody takes it']?.runs).toBeUndefined();
	});

	it('ends without an error when everybody was asked, and nobody takes it', async () => {
		const id = await example.start();
		await reply(example, 'Hi Sam, can you take the shift on Tuesday? Reply YES or NO.', 'No');
		await reply(
			example,
			'Hi Kim, can you take the shift on Tuesday? Reply YES or NO.',
			'STOP',
			kim,
		);
		const { status, nodes } = await example.rest.waitForExecution(id, patient);

		expect(status).toBe('success');
		expect(nodes['Nobody takes it']?.items.map(({ json }) => json)).toEqual([
			{ name: 'Sam', phone: sam.from, outcome: 'declined' },
			{ name: 'Kim', phone: kim.from, outcome: 'opted out' },
		]);
	});

	it('says who was not asked for sure, where Kudosity gave no answer', async () => {
		const match = { path: '/v2/sms', method: 'POST', count: 1 };
		await example.control.addFault({ fault: 'status500AfterAcceptance', match });
		const id = await example.start();
		await reply(example, 'Hi Kim, can you take the shift on Tuesday? Reply YES or NO.', 'No', kim);
		const { status, error, nodes } = await example.rest.waitForExecution(id, patient);

		expect(status).toBe('error');
		expect(error?.message).toMatch(/could not be asked: Sam \(not asked for sure: .+\)$/s);
		expect(nodes['Nobody takes it']?.items.map(({ json }) => json)).toMatchObject([
			{ name: 'Sam', outcome: expect.stringMatching(/^not asked for sure: ./) },
			{ name: 'Kim', outcome: 'declined' },
		]);
	});

	it('says at the end why nobody could be asked', async () => {
		await example.control.settings({ balance: 0 });
		const { status, error, nodes } = await example.run();

		expect(status).toBe('error');
		expect(error?.message).toMatch(
			/^Nobody takes it, and these people could not be asked: Sam \(.+\), Kim \(.+\)$/s,
		);
		expect(nodes['Nobody takes it']?.items).toHaveLength(2);
	});
});

describe('fill-a-shift.json, with people of your own', () => {
	const people = [
		{ name: 'Sam', phone: sam.from },
		{ name: 'Alex', phone: '' },
		{ name: 'Robin', phone: '0491' },
		{ name: ' ', phone: kim.from },
	];
	const change = (node: WorkflowNode): WorkflowNode =>
		node.name === 'People'
			? {
					...node,
					parameters: { jsCode: `return ${JSON.stringify(people.map((json) => ({ json })))}` },
				}
			: node;
	const example = useExample({ file: 'fill-a-shift.json', publish: false, change });
	const question = 'Hi there, can you take the shift on Tuesday? Reply YES or NO.';

	it('goes on with the next person when one has opted out or has no proper number', async () => {
		await example.control.inbound({ ...sam, text: 'STOP' });
		const id = await example.start();
		await reply(example, question, 'yes', kim);
		const { status, nodes } = await example.rest.waitForExecution(id, patient);

		expect(status).toBe('success');
		expect(nodes['Somebody takes it']?.items).toMatchObject([{ json: { contact: kim.from } }]);
		expect(await example.control.messages()).toHaveLength(1);
	});

	it('says who could not be asked, and why, when nobody takes it', async () => {
		await example.control.inbound({ ...sam, text: 'STOP' });
		const id = await example.start();
		await reply(example, question, 'no', kim);
		const { status, error, nodes } = await example.rest.waitForExecution(id, patient);

		expect(status).toBe('error');
		expect(error?.message).toMatch(/opted out.*Alex \(.+\), Robin \(.+\)$/s);
		expect(error?.message).not.toContain(kim.from);
		expect(nodes['Nobody takes it']?.items.map(({ json }) => json)).toEqual([
			{ name: 'Sam', phone: sam.from, outcome: expect.stringMatching(/^not asked: .*opted out/) },
			{ name: 'Alex', phone: '', outcome: expect.stringMatching(/^not asked: ./) },
			{ name: 'Robin', phone: '0491', outcome: expect.stringMatching(/^not asked: ./) },
			{ name: ' ', phone: kim.from, outcome: 'declined' },
		]);
	});
});

describe('ask-thousands.json', () => {
	const table = 'Kudosity answers';
	const optOuts = 'Kudosity opt-outs';
	const example = useExample({ file: 'ask-thousands.json', change: named });
	const start = "When clicking 'Execute workflow'";
	const people = [
		{ phone: '+61 491 573 770', name: 'Sam' },
		{ phone: '0491 571 266', name: 'Kim' },
	];
	/** With nobody in the table of opt-outs, unless they are given. */
	const withPeople = async (optedOut: object[] = [importRan]) =>
		await example.withTables({ [table]: people, [optOuts]: optedOut as (typeof importRan)[] });

	it('asks nobody twice, keeps answers, and asks the others where one cannot be asked', async () => {
		await withPeople();
		await example.control.inbound({ ...sam, text: 'STOP' });
		await example.executions(1);
		await example.run(start);
		await example.control.inbound({ ...kim, text: 'Tuesday' });
		await example.executions(3);
		const { status } = await example.run(start);

		expect(status).toBe('success');
		const sent = (await example.control.messages()).map(({ recipient, text }) => [recipient, text]);
		expect(sent).toEqual([[kim.from, expect.stringMatching(/^Hi Kim, /)]]);
		expect(await example.rows(table)).toMatchObject([
			{ phone: `+${sam.from}`, state: 'stopped', answer: null },
			{ phone: `+${kim.from}`, state: 'answered', answer: 'Tuesday' },
		]);
	});

	it('asks nobody who is in the table of opt-outs', async () => {
		await withPeople([{ phone: sam.from }]);
		const { status } = await example.run(start);

		expect(status).toBe('success');
		const sent = (await example.control.messages()).map(({ recipient }) => recipient);
		expect(sent).toEqual([kim.from]);
		expect(await example.rows(table)).toMatchObject([
			{ state: null },
			{ phone: `+${kim.from}`, state: 'open' },
		]);
	});

	it('asks later who could not be asked for lack of credit', async () => {
		await withPeople();
		await example.control.settings({ balance: 0 });
		await example.run(start);
		const reason = expect.stringContaining('balance');
		expect(await example.rows(table)).toMatchObject(Array(2).fill({ state: null, reason }));

		await example.control.settings({ balance: 100 });
		await example.run(start);
		expect(await example.control.messages()).toHaveLength(2);
		expect(await example.rows(table)).toMatchObject(Array(2).fill({ state: 'open', reason: null }));
	});

	it('keeps taking the answers of people asked before, where a later run is refused', async () => {
		await withPeople();
		await example.run(start);
		await example.updateRows(table, { name: 'x'.repeat(160) });
		await example.run(start);
		await example.control.inbound({ ...sam, text: 'Tuesday' });
		await example.executions(3);

		expect(await example.rows(table)).toMatchObject([
			{ state: 'answered', answer: 'Tuesday' },
			{ state: 'open', reason: expect.stringContaining('Max SMS Parts') },
		]);
	});

	it.each(firstOf(1, ['STOP', 'Unsubscribe']))(
		'notes the first answer of each person, and a %s',
		async (text) => {
			await withPeople();
			await example.run(start);
			await example.control.inbound({ ...sam, text: 'Tuesday' });
			await example.executions(2);
			await example.control.inbound({ ...sam, text: 'Or Friday' });
			await example.control.inbound({ from: '61491570158', to, text: 'Who is this?' });
			await example.control.inbound({ ...kim, text });
			const executions = await example.executions(5);

			expect(executions.map(({ status }) => status)).toEqual(Array(5).fill('success'));
			expect(await example.rows(table)).toMatchObject([
				{ phone: `+${sam.from}`, state: 'answered', answer: 'Tuesday' },
				{ phone: `+${kim.from}`, state: 'stopped', answer: text },
			]);
		},
	);

	it('takes an answer by MMS, with or without words', async () => {
		await withPeople();
		await example.run(start);
		await example.control.inbound({ ...sam, channel: 'MMS', text: 'Tuesday' });
		await example.control.inbound({ ...kim, channel: 'MMS', text: '' });
		await example.executions(3);

		expect(await example.rows(table)).toMatchObject([
			{ phone: `+${sam.from}`, state: 'answered', answer: 'Tuesday' },
			{ phone: `+${kim.from}`, state: 'answered', answer: '(no text)' },
		]);
	});
});

describe.runIf(isCurrent)('reviewed-agent.json', () => {
	let model: Awaited<ReturnType<typeof startChatModel>>;
	let credentials: WorkflowNode['credentials'];
	beforeAll(async () => {
		model = await startChatModel();
	});
	afterAll(async () => await model.close());
	const change = (node: WorkflowNode): WorkflowNode =>
		node.name === 'Chat model' ? { ...node, credentials } : node;
	const example = useExample({ file: 'reviewed-agent.json', change, publish: false });
	beforeAll(async () => {
		const data = { apiKey: 'none', url: model.url };
		const name = 'Scripted model for reviews';
		const { id } = await example.rest.createCredential({ name, type: 'openAiApi', data });
		credentials = { openAiApi: { id, name } };
	});

	const customer = '61491570156';
	const message = 'Your refund is on its way.';
	const question = `The agent wants to text ${customer}: "${message}" Reply YES or NO.`;

	it.each([
		['yes', [message]],
		['No', []],
	])('asks the boss, who answers “%s”, before the customer gets a message', async (text, texts) => {
		model.follow([{ toolParameters: { message, recipient: customer }, hitlParameters: {} }]);
		const id = await example.start();
		await reply(example, question, text);
		const { status } = await example.rest.waitForExecution(id, patient);

		expect(status).toBe('success');
		const sent = await example.control.messages({ recipient: customer });
		expect(sent.map((one) => one.text)).toEqual(texts);
	});
});
