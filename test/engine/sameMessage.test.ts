import { describe, expect, it } from 'vitest';
import { retries, toPhone, toSeveral, useEmulator } from './emulator.ts';

const service = useEmulator();

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

	it('is not repeated when an MCP client calls again, whatever it calls by then', async () => {
		await service.fault('status500AfterAcceptance', { path: '/v2/sms', count: 1 });
		const unconfirmed = { text: 'Is it you?' };
		const call = async (args: object) =>
			await (
				await toolFor({ isMcp: true }, { maxPerExecution: 1 })
			)({ ...args });

		await expect(call(unconfirmed)).rejects.toThrow('Kudosity did not confirm the request');
		await call({ text: 'It is me.' });
		await call({ text: 'It is me.' });
		await expect(call(unconfirmed)).rejects.toThrow('Kudosity did not confirm the request');
		expect(await messages()).toHaveLength(3);
	});

	it('is sent once when an MCP client calls again before it has the answer', async () => {
		await service.fault('status429', { path: '/v2/sms', count: 1 }, { retryAfter: 60 });
		const call = async (text: string) => {
			const answer = await (await toolFor({ isMcp: true }))({ text });
			return JSON.stringify(answer);
		};

		const [first, again] = await Promise.all(['Now?', 'Now?', 'Bye'].map(call));
		expect(await messages()).toHaveLength(2);
		expect(again).toBe(first);
	});

	it('answers an MCP client that calls again while a lost answer is looked for', async () => {
		await service.fault('status500AfterAcceptance', { path: '/v2/sms', count: 1 });
		const call = async () =>
			await (
				await toolFor({ isMcp: true }, { onOutcomeUnknown: 'check' })
			)({ text: 'Lost?' });

		const [first, again] = await Promise.all([call(), call()]);
		const [sent, ...others] = await messages();
		expect(others).toHaveLength(0);
		expect(JSON.stringify(first)).toContain(`${sent?.id}`);
		expect(again).toEqual(first);
	});

	it('to several is sent once when an MCP client calls again with the numbers in another order', async () => {
		await service.fault('status429', { path: '/send-sms.json', count: 1 }, { retryAfter: 60 });
		const call = async (to: string) =>
			await (
				await service.tool('bulkSms/send', toSeveral, { isMcp: true })
			)({ to });

		const [first, again] = await Promise.all(
			[`${phone}, 61491570156`, `61491570156, ${phone}`].map(call),
		);
		expect(await messages()).toHaveLength(1);
		expect(again).toBe(first);
	});

	it.each([
		['in another order', '61491570156, +61 491 570 006', 1],
		['of them', phone, 1],
		['and others', `61491570157, ${phone}`, 1],
		['of other people', '61491570157', 2],
	])('does not send to numbers again that may have had it: %s', async (_, to, sent) => {
		await service.fault('status500AfterAcceptance', { path: '/send-sms.json', count: 1 });
		const call = await service.tool('bulkSms/send', toSeveral);

		expect(await call({ to: `${phone}, 61491570156` })).toContain('did not confirm');
		await call({ to });
		expect(await messages()).toHaveLength(sent);
	});

	// Before version 3, n8n's AI Agent gives the model an empty text for what a tool throws.
	it('tells the agent why nothing was sent, and what to do', async () => {
		const call = await service.tool('sms/send', { ...toPhone, recipient: '123' });

		expect(JSON.parse(String(await call()))).toEqual([
			{
				error: expect.stringMatching(/'Recipient' .*Write it with/),
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
		const items = [{ toolCallId: 'functions.Send:0', phone }];
		const settings = { rewireOutputLogTo: 'ai_tool' };
		await service.run('sms/send', toPhone, { items, laterRounds: [items], settings });

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
