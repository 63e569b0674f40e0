import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { startChatModel } from './chatModel.ts';
import { reply } from './replyTo.ts';
import { useExample } from './useExample.ts';

const to = '61491570006';
const sam = { from: '61491573770', to };

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
		const { status } = await example.rest.waitForExecution(id);

		expect(status).toBe('success');
		const sent = await example.control.messages({ recipient: customer });
		expect(sent.map((one) => one.text)).toEqual(texts);
	});
});
