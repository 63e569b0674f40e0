import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOperation } from './emulator.ts';
import { useRealPauses } from './pauses.ts';

useRealPauses();

type Service = {
	/** How far its clock is ahead of ours. */
	aheadMs?: number;
	/** So long after the message that it did not answer, it has an equal one. */
	laterMs?: number;
	createdAt?: (ms: number) => unknown;
	/** Whether its answers have a date. */
	isDated?: boolean;
};

/** A service that loses the answer to a message, and then has one like it. */
let current: Service = {};
let stopAfterLook = () => {};
let sent: { body: Record<string, unknown>; atMs: number } | undefined;
const server = createServer((request, response) => {
	const { aheadMs = 0, laterMs = 0, isDated = true } = current;
	const { createdAt = (ms: number) => new Date(ms).toISOString() } = current;
	let text = '';
	request.on('data', (part) => (text += String(part)));
	request.on('end', () => {
		if (request.method === 'POST') {
			sent = { body: JSON.parse(text) as Record<string, unknown>, atMs: Date.now() };
			return request.socket.destroy();
		}
		response.sendDate = false;
		if (isDated) response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString());
		const created_at = createdAt((sent?.atMs ?? 0) + aheadMs + laterMs);
		const smses = [{ ...sent?.body, id: 'a', direction: 'OUT', created_at }];
		response.setHeader('content-type', 'application/json');
		// What is not found at once would be looked for again, for minutes.
		response.once('finish', () => setTimeout(stopAfterLook, 100));
		return response.end(JSON.stringify({ smses }));
	});
});
beforeAll(async () => await new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => void server.close());

/** The message is found by its time, or not; with a reference of the user's, nothing else tells it from others. */
const expectFound = async (isExpected: boolean, service: Service): Promise<void> => {
	current = service;
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const fields = { message: 'Hello', sender: 'Acme', recipient: '61491570006' };
	const { json } = await runOperation(
		'sms/send',
		{ ...fields, options: { messageRef: 'order-7' } },
		{
			credentials: { kudosityKeyApi: { apiKey: 'made-up', baseUrl } },
			settings: { onError: 'continueRegularOutput' },
			stopWhen: async () =>
				await new Promise<void>((stop) => (stopAfterLook = isExpected ? () => {} : stop)),
		},
	);
	expect(json[0]?.id === 'a').toBe(isExpected);
};

describe('a message with a reference of the user, whose answer was lost', () => {
	it.each([0, 5_000, -5_000, 3_600_000, -86_400_000])(
		'is told from equal ones of three seconds before and after by a clock that is %d ms ahead',
		async (aheadMs) => {
			await expectFound(true, { aheadMs });
			await expectFound(false, { aheadMs, laterMs: -3_400 });
			await expectFound(false, { aheadMs, laterMs: 3_400 });
		},
	);

	it('is not found by a service that does not date its answers', async () => {
		await expectFound(false, { isDated: false });
	});
});

describe('the time of a message', () => {
	const { TZ } = process.env;
	beforeAll(() => void (process.env.TZ = 'Australia/Sydney'));
	afterAll(() => {
		if (TZ === undefined) delete process.env.TZ;
		else process.env.TZ = TZ;
	});
	const iso = (ms: number) => new Date(ms).toISOString();

	it.each<[string, (ms: number) => string]>([
		['without a zone', (ms) => iso(ms).replace('Z', '')],
		['without a zone and with a space', (ms) => iso(ms).replace('Z', '').replace('T', ' ')],
		['with that of UTC', iso],
		['with another zone', (ms) => iso(ms + 36_000_000).replace('Z', '+10:00')],
	])('is in UTC %s, wherever n8n runs', async (_, createdAt) => {
		expect(new Date(2026, 7, 5).getTimezoneOffset()).toBe(-600);
		await expectFound(true, { createdAt });
	});

	it.each([undefined, '', 'soon'])('is none in %j, by which no message is found', async (text) => {
		await expectFound(false, { createdAt: () => text });
	});
});
