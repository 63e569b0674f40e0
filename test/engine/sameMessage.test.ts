import { describe, expect, it } from 'vitest';
import { retries, toPhone, toSeveral, useDeduplicationStore, useEmulator } from './emulator.ts';

const service = useEmulator();
useDeduplicationStore();

const phone = '61491570006';
const toolFor = async (how: Parameters<typeof service.tool>[2] = {}, limits = {}) => {
	const options = { requestsPerSecond: 200, onOutcomeUnknown: 'fail', ...limits };
	return await service.tool('sms/send', { ...toPhone, recipient: phone, options }, how);
};

const messages = async () => await service.control.messages();

it('recognises an accepted item although its text reads otherwise in a retry', async () => {
	await service.fault('status403', { bodyIncludes: '61491570157', count: 1 });
	const phones = [phone, '61491570156', '61491570157'];
	const { error } = await service.run(
		'sms/send',
		{ ...toPhone, message: '=Hello at {{ Date.now() }}-{{ Math.random() }}' },
		{ items: phones.map((each) => ({ phone: each })), settings: retries },
	);

	expect(error).toBeUndefined();
	expect((await service.recipients()).sort()).toEqual(phones);
});

describe('as a tool of an agent', () => {
	it.each([false, true])(
		'is not repeated by Retry On Fail when the outcome is unknown; of an MCP Server Trigger: %s',
		async (isMcp) => {
			await service.fault('status500AfterAcceptance', { path: '/v2/sms', count: 1 });
			const call = await toolFor({ settings: retries, isMcp });

			await expect(call()).rejects.toThrow(/^Kudosity did not confirm the request /);
			expect(await messages()).toHaveLength(1);
		},
	);

	it('is sent again when an MCP client calls again, unless it has a Deduplication Key', async () => {
		const lose = async () =>
			await service.fault('status500AfterAcceptance', { path: '/v2/sms', count: 1 });
		const call = async (limits: object) => await (await toolFor({ isMcp: true }, limits))();
		const unconfirmed = 'Kudosity did not confirm the request';

		await lose();
		await expect(call({})).rejects.toThrow(unconfirmed);
		await call({});
		expect(await messages()).toHaveLength(2);
		const key = { deduplicationKey: 'order-1' };
		await lose();
		await expect(call(key)).rejects.toThrow(unconfirmed);
		expect(JSON.stringify(await call(key))).toContain('alreadySent');
		expect(await messages()).toHaveLength(3);
	});

	it('is not repeated in this execution when nobody confirmed it, until its content is another', async () => {
		await service.fault('status500AfterAcceptance', { path: '/send-sms.json', count: 1 });
		const call = await service.tool('bulkSms/send', toSeveral);
		const both = { to: `${phone}, 61491570156` };

		expect(await call(both)).toContain('did not confirm');
		expect(await call(both)).toContain('did not confirm');
		expect(await messages()).toHaveLength(1);
		await call({ ...both, text: 'Bye' });
		expect(await messages()).toHaveLength(2);
	});

	// Before version 3, n8n's AI Agent gives the model an empty text for what a tool throws.
	it('tells the agent why nothing was sent, and what to do', async () => {
		const call = await service.tool('sms/send', { ...toPhone, recipient: '123' });

		expect(JSON.parse(String(await call()))).toEqual([
			{
				error: expect.stringMatching(/'Recipient' .*Don't change or complete the number/),
				details: { code: 'invalid_number' },
			},
		]);
	});

	it('sends the same text twice when the agent asks for it twice', async () => {
		const call = await toolFor();
		await call();
		await call();

		expect(await messages()).toHaveLength(2);
	});

	it('is sent for each call, also when the model numbers those of each item from 0', async () => {
		const items = [{ toolCallId: 'functions.Send:0' }];
		const settings = { rewireOutputLogTo: 'ai_tool' };
		const fields = { ...toPhone, recipient: phone };
		await service.run('sms/send', fields, { items, laterRounds: [items], settings });

		expect(await messages()).toHaveLength(2);
	});

	it('tells the agent only what it has to know of a message', async () => {
		const call = await toolFor();
		const answer = JSON.stringify(await call());
		const [sent] = await messages();

		expect(answer).toContain(`${sent?.id}`);
		for (const name of ['recipient', 'status', 'parts']) expect(answer).toContain(name);
		expect(answer).not.toMatch(/encoding|created_at|is_gsm|Hello/);
	});

	it('tells the agent only what it has to know of a message to several', async () => {
		const call = await service.tool('bulkSms/send', { ...toSeveral, recipients: `${phone}, Sam` });
		const answer = String(await call());
		const [sent] = await messages();

		expect(answer).toContain(`"message_id":"${sent?.number}"`);
		expect(answer).toContain('"recipients":1');
		expect(answer).toContain('invalid_number');
		expect(answer).not.toMatch(/encoding|send_at|cost|delivery_stats/);
	});
});
