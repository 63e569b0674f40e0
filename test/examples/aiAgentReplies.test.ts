import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { startChatModel } from './chatModel.ts';
import { useExample } from './useExample.ts';

const texted = '61491570006';
const contact = '61491570156';

let model: Awaited<ReturnType<typeof startChatModel>>;
let credentials: WorkflowNode['credentials'];
beforeAll(async () => {
	model = await startChatModel();
});
afterAll(async () => await model.close());

/** Twenty in the example. */
const waitSeconds = 4;

const change = (node: WorkflowNode): WorkflowNode => {
	if (node.name === 'Chat model') return { ...node, credentials };
	if (node.name === 'Wait 20 seconds') return { ...node, parameters: { amount: waitSeconds } };
	return node;
};

describe('ai-agent-replies.json', () => {
	const example = useExample({ file: 'ai-agent-replies.json', change });
	beforeAll(async () => {
		const data = { apiKey: 'none', url: model.url };
		const name = 'Scripted model for an inbox';
		const { id } = await example.rest.createCredential({ name, type: 'openAiApi', data });
		credentials = { openAiApi: { id, name } };
	});

	const text = async (words: string, from = contact) =>
		await example.control.inbound({ from, to: texted, text: words });
	const sent = async () => await example.control.messages();
	/** What the model read of a request, the newest question last. */
	const asked = (index: number) => JSON.stringify(model.requests[index]?.messages);

	it('gives one answer to three messages in a row, and Kudosity bills one', async () => {
		model.follow([], 'We open at 9 am.');
		for (const words of ['Hi', 'quick question', 'When do you open?']) await text(words);
		const executions = await example.executions(3);

		expect(executions.map(({ status }) => status)).toEqual(Array(3).fill('success'));
		expect(model.requests).toHaveLength(1);
		expect(asked(0)).toContain(String.raw`Hi\nquick question\nWhen do you open?`);
		expect(model.requests[0]?.tools).toEqual([]);
		expect(await sent()).toMatchObject([
			{ sender: texted, recipient: contact, text: 'We open at 9 am.', parts: 1 },
		]);
	});

	it('answers each person, and remembers what it said to them', async () => {
		model.follow([], 'We open at 9 am.');
		await text('When do you open?');
		await text('Where are you?', '61491570157');
		await example.executions(2);
		model.follow([], 'On Saturday, too.');
		await text('And on Saturday?');
		await example.executions(3);

		expect((await sent()).map(({ recipient }) => recipient).sort()).toEqual(
			[contact, contact, '61491570157'].sort(),
		);
		expect(asked(0)).toContain('We open at 9 am.');
		expect(asked(0)).not.toContain('Where are you?');
	});

	it('answers once when events are delivered twice', async () => {
		await example.control.settings({ duplicateEvents: true });
		model.follow([], 'We open at 9 am.');
		await text('When do you open?');
		await example.executions(2);

		expect(await sent()).toHaveLength(1);
	});

	it.each([[['Stop']], [['Please stop texting me', 'please']]])(
		'gives no answer to %j',
		async (words) => {
			model.follow([]);
			for (const each of words) await text(each);
			await example.executions(words.length);

			expect(model.requests).toEqual([]);
			expect(await sent()).toEqual([]);
		},
	);

	it('gives no answer to a reaction', async () => {
		model.follow([], 'We open at 9 am.');
		await text('When do you open?');
		await example.executions(1);
		await text('Liked “We open at 9 am.”');
		await example.executions(2);

		expect(await sent()).toHaveLength(1);
	});

	it('gives no answer to what is older than an hour', async () => {
		model.follow([]);
		await text('When do you open?');
		const [message] = await example.control.inboundMessages();
		const timestamp = new Date(Date.now() - 61 * 60_000).toISOString();
		await example.control.emit({
			event_type: 'SMS_INBOUND',
			overrides: { timestamp, mo: { id: message!.id, sender: contact, recipient: texted } },
		});
		await example.executions(2);

		// The event of the message itself was answered.
		expect(model.requests).toHaveLength(1);
	});

	it('sends nothing in the editor', async () => {
		model.follow([], 'We open at 9 am.');
		const { status, nodes } = await example.run();

		expect(status).toBe('success');
		expect(asked(0)).toContain('When do you open on Saturday?');
		expect(nodes['Send answer']?.items).toMatchObject([{ json: { outcome: 'dryRun' } }]);
		expect(await sent()).toEqual([]);
	});
});

describe('ai-agent-replies.json, whose model writes a long story', () => {
	const example = useExample({ file: 'ai-agent-replies.json', change });

	it('sends nothing, and the execution says why', async () => {
		model.follow([], 'Long story. '.repeat(60));
		await example.control.inbound({ from: contact, to: texted, text: 'When do you open?' });
		const [execution] = await example.executions(1);

		expect(execution?.error?.message).toContain('Max SMS Parts');
		expect(await example.control.messages()).toEqual([]);
	});
});
