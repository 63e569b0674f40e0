import { describe, expect, it } from 'vitest';
import { createRateLimit, takeRequest } from '../../../playground/emulator/http/rateLimit.ts';
import { sendV2, useEmulator } from './emulatorUnderTest.ts';

const passed = (rateLimitKind: 'tokenBucket' | 'slidingWindow', timesMs: number[]) => {
	const state = createRateLimit();
	const rule = { requestsPerSecond: 15, rateLimitKind };
	return timesMs.filter((atMs) => takeRequest(state, rule, atMs)).length;
};
const burst = (count: number, atMs: number) => Array<number>(count).fill(atMs);

describe('takeRequest', () => {
	it.each(['tokenBucket', 'slidingWindow'] as const)('%s lets 15 of a burst pass', (kind) => {
		expect(passed(kind, burst(20, 5000))).toBe(15);
	});

	it('refills the bucket while time passes', () => {
		expect(passed('tokenBucket', [...burst(15, 5000), ...burst(15, 5500)])).toBe(22);
	});

	it('never lets the window hold more than 15 in any second', () => {
		expect(passed('slidingWindow', [...burst(15, 5000), ...burst(15, 5900)])).toBe(15);
		expect(passed('slidingWindow', [...burst(15, 5000), ...burst(15, 6001)])).toBe(30);
	});

	it('takes requests at 14 a second for ever', () => {
		const steady = Array.from({ length: 280 }, (_, index) => 5000 + (index * 1000) / 14);
		expect(passed('tokenBucket', steady)).toBe(280);
		expect(passed('slidingWindow', steady)).toBe(280);
	});
});

describe('the account limit', () => {
	const emulator = useEmulator({ requestsPerSecond: 2, rateLimitKind: 'slidingWindow' });

	it('is shared by both APIs, and answers in the dialect of each', async () => {
		await emulator.call('/get-balance.json');
		await emulator.call('/v2/webhook');
		const v1 = await emulator.call('/get-balance.json');
		expect([v1.status, v1.body]).toEqual([
			429,
			{ error: { code: 'OVER_LIMIT', description: 'You have exceeded the request limit.' } },
		]);
		const v2 = await emulator.call('/v2/webhook');
		expect([v2.status, v2.body]).toEqual([
			429,
			{
				error: {
					type: 'https://developers.kudosity.com/reference/errors#too-many-requests',
					title: 'Too Many Requests',
					detail: 'Rate limit exceeded',
					status: 429,
				},
			},
		]);
		expect(v2.headers.get('retry-after')).toBeNull();
	});

	it('drops what is over it', async () => {
		const answers = await Promise.all(Array.from({ length: 5 }, () => sendV2(emulator)));
		expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
		expect(await emulator.control().messages()).toHaveLength(2);
	});

	it('names a time to retry when told to', async () => {
		await emulator.control().settings({ retryAfterSeconds: 3 });
		await emulator.call('/get-balance.json');
		await emulator.call('/get-balance.json');
		const { headers } = await emulator.call('/get-balance.json');
		expect(headers.get('retry-after')).toBe('3');
	});

	it('does not count for another account', async () => {
		const accounts = ['first', 'second'].map((id) => ({ id, apiKey: id, apiSecret: id }));
		await emulator.control().settings({ accounts });
		const status = async (apiKey: string) =>
			(await emulator.callBare('/v2/webhook', { headers: { 'x-api-key': apiKey } })).status;
		expect([await status('first'), await status('first'), await status('first')]).toEqual([
			200, 200, 429,
		]);
		expect(await status('second')).toBe(200);
	});
});
