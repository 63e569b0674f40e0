import { describe, expect, it } from 'vitest';
import { useDeduplicationStore, useEmulator } from './emulator.ts';
import { createLoneTool } from './harness.ts';

const service = useEmulator();
useDeduplicationStore();

const ana = '61491570006';

const fieldsOf = (options: object, message = 'Hello') => ({
	...{ message, sender: 'Acme', recipient: ana },
	options: { lookUpUnknown: false, ...options },
});
const inChat = async (workflowName: string, options: object) =>
	await service.run('sms/send', fieldsOf(options), { mode: 'chat', workflowName });

const sent = async () => await service.control.messages();

describe("as a tool of n8n's Agents, which call it outside of any workflow, the node", () => {
	const toolWith = async (options: object, text?: string) =>
		await createLoneTool({
			parameters: { resource: 'sms', operation: 'send', ...fieldsOf(options, text) } as never,
			credentials: service.credentials,
		});

	it.each([
		['Max per Execution', { maxPerExecution: 1 }],
		['Max per Recipient', { maxPerRecipient: 1 }],
		['Send Once Key', { sendOnceKey: 'order-1' }],
		['Max per Execution', { maxPerExecution: 1, dryRun: 'always', requestsPerSecond: 200 }],
	])('refuses %s, and says in one sentence what holds there', async (name, options) => {
		const call = await toolWith(options);
		const told = await call().then(
			// A dry run tells it in its output.
			([item]) => ({ message: item?.reason, context: item?.details }),
			(error: unknown) => error,
		);

		expect(told).toMatchObject({
			message: expect.stringMatching(
				new RegExp(
					`'${name}' cannot be kept in n8n's Agents.*another try is of no use.*Allowed Recipients`,
				),
			),
			context: { code: 'guard' },
		});
		expect(await sent()).toEqual([]);
	});

	it('sends with the guards that look at one message, and answers in short', async () => {
		const call = await toolWith({ allowedRecipients: 'AU', maxParts: 1 });

		expect(await call()).toEqual([
			{ id: expect.any(String), recipient: ana, status: 'pending', parts: 1 },
		]);
		expect(await call()).toHaveLength(1);
		expect(await sent()).toHaveLength(2);
	});

	it('does not send what may have been sent, however often it is asked', async () => {
		await service.fault('status500AfterAcceptance', { path: '/v2/sms', count: 1 });
		const call = await toolWith({}, 'Is it you?');

		await expect(call()).rejects.toThrow('Outcome unknown');
		await expect(call()).rejects.toThrow('Outcome unknown');
		expect(await sent()).toHaveLength(1);
		const other = await toolWith({}, 'It is me.');
		expect(await other()).toHaveLength(1);
	});
});

describe("in n8n's Chat, which makes a workflow for each turn", () => {
	const run = async (options: object) =>
		await inChat('Chat 67e3e4af-62e8-4515-8b67-6f20d0c51ffb', options);

	it.each([
		['Max per Recipient', { maxPerRecipient: 1 }],
		['Send Once Key', { sendOnceKey: 'order-1' }],
	])('%s is refused, since it would begin anew with each', async (name, options) => {
		const { error } = await run(options);

		expect(error).toMatchObject({
			message: expect.stringContaining(`'${name}' cannot be kept in n8n's Chat`),
			code: 'guard',
		});
		expect(await sent()).toEqual([]);
	});

	it('Max per Execution holds', async () => {
		const { error } = await run({ maxPerExecution: 1 });

		expect(error).toBeUndefined();
		expect(await sent()).toHaveLength(1);
	});
});

it("sends with the guards that count over several executions where n8n's MCP server or its assistant starts it", async () => {
	const options = { maxPerRecipient: 1, sendOnceKey: 'order-1' };
	const { error } = await inChat('Chat support', options);

	expect(error).toBeUndefined();
	expect(await sent()).toHaveLength(1);
});
