import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { startChatModel } from './chatModel.ts';
import { useExample } from './useExample.ts';

let model: Awaited<ReturnType<typeof startChatModel>>;
beforeAll(async () => {
	model = await startChatModel();
});
afterAll(async () => await model.close());

const booking = { recipient: '61491570156', message: 'The table is booked for 7 pm.' };

/** One number, in five ways. */
const spellings = [
	'61491570156',
	'+61491570156',
	'+61 491 570 156',
	'61-491-570-156',
	'0061 (0)491 570 156',
].map((recipient) => ({ ...booking, recipient }));

const toMany = Array.from({ length: 100 }, (_, index) => ({
	...booking,
	recipient: String(61491000000 + index),
}));

// The example has version 2; a new agent in n8n 2 has version 3, which runs its tools in another way.
describe.each([2, 3])('ai-agent.json with version %d of the agent', (typeVersion) => {
	let credentials: WorkflowNode['credentials'];
	const change = (node: WorkflowNode): WorkflowNode => {
		if (node.name === 'Agent') return { ...node, typeVersion };
		return node.name === 'Chat model' ? { ...node, credentials } : node;
	};
	const example = useExample({ file: 'ai-agent.json', change, publish: false });
	beforeAll(async () => {
		const { id, name } = await example.rest.createCredential({
			name: 'Scripted model',
			type: 'openAiApi',
			data: { apiKey: 'none', url: model.url },
		});
		credentials = { openAiApi: { id, name } };
	});

	const sent = async () => await example.control.messages();
	const toldToModel = () => JSON.stringify(model.requests.at(-1)?.messages);

	it('lets the model send what it was asked to, from the fixed number', async () => {
		model.follow([booking]);
		const { status, nodes } = await example.run();

		expect(status).toBe('success');
		expect(nodes.Agent?.items).toMatchObject([{ json: { output: 'Done' } }]);
		expect(await sent()).toMatchObject([
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

	it('sends two messages a day to a number, however the model writes it, and in every chat', async () => {
		model.follow([spellings]);
		await example.run();
		expect(await sent()).toHaveLength(2);
		expect(toldToModel()).toContain("writing the number differently, won't help");

		model.follow(spellings.slice(0, 3));
		const { status } = await example.run();
		expect(status).toBe('success');
		expect(await sent()).toHaveLength(2);
	});

	it('sends five messages for one chat message, when the model writes to 100 people at once', async () => {
		model.follow([toMany]);
		await example.run();

		expect(await sent()).toHaveLength(5);
		expect(toldToModel()).toContain('Trying again in this execution');
	});

	it('reaches nobody in another country', async () => {
		model.follow([{ ...booking, recipient: '+1 416 555 0123' }]);
		await example.run();

		expect(await sent()).toEqual([]);
		expect(toldToModel()).toContain('Allowed Recipients');
	});

	it('tells the model when a text is too long, and sends nothing', async () => {
		model.follow([{ ...booking, message: 'Long story. '.repeat(40) }]);
		await example.run();

		expect(await sent()).toEqual([]);
		expect(toldToModel()).toContain('Max SMS Parts');
	});
});
