import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { firstOf } from '../helpers/runsAll.ts';
import { importRan, named } from './campaignNodes.ts';
import { startChatModel } from './chatModel.ts';
import { patient, reply } from './replyTo.ts';
import { useExample } from './useExample.ts';

const to = '61491570006';
const sam = { from: '61491573770', to };
const kim = { from: '61491571266', to };

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
		await reply(example, question, text, sam);
		const { status } = await example.rest.waitForExecution(id, patient);

		expect(status).toBe('success');
		const sent = await example.control.messages({ recipient: customer });
		expect(sent.map((one) => one.text)).toEqual(texts);
	});
});
