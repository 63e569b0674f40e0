import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/workflowCalls.ts';
import { startChatModel } from './chatModel.ts';
import { useExample } from './useExample.ts';

let model: Awaited<ReturnType<typeof startChatModel>>;
let credentials: WorkflowNode['credentials'];

const chooseModel = (node: WorkflowNode): WorkflowNode =>
	node.name === 'Chat model' ? { ...node, credentials } : node;

beforeAll(async () => {
	model = await startChatModel();
});
const example = useExample({ file: 'ai-agent.json', change: chooseModel, publish: false });
beforeAll(async () => {
	const { id, name } = await example.rest.createCredential({
		name: 'Scripted model',
		type: 'openAiApi',
		data: { apiKey: 'none', url: model.url },
	});
	credentials = { openAiApi: { id, name } };
});
afterAll(async () => await model.close());

const booking = { recipient: '61491570156', message: 'The table is booked for 7 pm.' };

describe('ai-agent.json', () => {
	it('lets the model send what it was asked to, from the fixed number', async () => {
		model.follow([booking]);
		const { status, nodes } = await example.run();

		expect(status).toBe('success');
		expect(nodes.Agent?.items).toMatchObject([{ json: { output: 'Done' } }]);
		expect(await example.control.messages()).toMatchObject([
			{ sender: '61491570006', recipient: booking.recipient, text: booking.message },
		]);
		expect(JSON.stringify(model.requests[0]?.messages)).toContain('Text 61491570156');
	});

	it('offers the model recipient and text, nothing else', async () => {
		model.follow([booking]);
		await example.run();

		const [tool] = model.requests[0]?.tools ?? [];
		expect(tool?.function.parameters).toMatchObject({
			properties: { message: { type: 'string' }, recipient: { type: 'string' } },
		});
		const { properties } = tool?.function.parameters as { properties: object };
		expect(Object.keys(properties).sort()).toEqual(['message', 'recipient']);
	});

	it('sends once to each recipient, even when the model calls the tool again', async () => {
		model.follow([booking, booking, { ...booking, recipient: '61491573087' }]);
		const { status } = await example.run();

		expect(status).toBe('success');
		const recipients = (await example.control.messages()).map(({ recipient }) => recipient);
		expect(recipients.sort()).toEqual(['61491570156', '61491573087']);
	});

	it('tells the model when a text is too long, and sends nothing', async () => {
		model.follow([{ ...booking, message: 'Long story. '.repeat(40) }]);
		await example.run();

		expect(await example.control.messages()).toEqual([]);
		expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('Max Parts');
	});
});
