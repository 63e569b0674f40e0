import { describe, expect, it } from 'vitest';
import { endpoints, openRun } from '../../../seams.ts';
import { fakeClock } from '../../../helpers/fakeClock.ts';
import { fakeTransport, json, noAnswer, text, type Reply } from '../../../helpers/fakeTransport.ts';

const ok = json({ id: 'a' });
const answer = (status: number, headers = {}) => json({}, status, headers);
const silence = noAnswer();

type Call = { call?: 'getSms' | 'sendSms' | 'registerSender' | 'deleteWebhook'; random?: number };

/** Plays the answers one after the other, the last one for ever. */
const play = async (replies: Reply[], { call = 'sendSms', random = 0.5 }: Call = {}) => {
	const clock = fakeClock({ startMs: 10_000, random });
	const startsMs: number[] = [];
	const { transport } = fakeTransport((_, index) => {
		startsMs.push(clock.now());
		return replies[Math.min(index, replies.length - 1)]!;
	});
	const run = openRun(transport, { clock, requestsPerSecond: 1000 });
	const result = await run.call<unknown>(endpoints[call], { id: 'a' }).then(
		() => 'done',
		(error: Error & { fields?: { status: number } }) => error.fields?.status ?? error.name,
	);
	const pausesMs = startsMs.slice(1).map((startMs, index) => startMs - startsMs[index]!);
	return { tries: startsMs.length, result, pausesMs, tookMs: clock.now() - 10_000 };
};

describe('a deletion', () => {
	const deletion = { call: 'deleteWebhook' } as const;
	const notFound = json({ error: { title: 'Not found' } }, 404);

	it.each([
		['a 500', answer(500), 'done'],
		['no answer', silence, 'done'],
		['a 429', answer(429), 404],
		['a request that never left', noAnswer('ECONNREFUSED', false), 404],
	])('of what is not there after %s: %s', async (_, first, result) => {
		expect(await play([first, notFound], deletion)).toMatchObject({ tries: 2, result });
	});

	it('is not done because of a 404 that is not the service’s', async () => {
		const page = text('<html>no such route</html>', 404);
		expect(await play([answer(502), page], deletion)).toMatchObject({ result: 404 });
	});
});

describe('a send', () => {
	it.each([
		[answer(500), 500],
		[answer(502), 502],
		[silence, 'NoAnswerError'],
		[answer(400), 400],
		[answer(401), 401],
	])('is not repeated after %j', async (first, result) => {
		expect(await play([first, ok])).toMatchObject({ tries: 1, result });
	});

	it('is repeated after a 429', async () => {
		expect(await play([answer(429), answer(429), ok])).toMatchObject({ tries: 3, result: 'done' });
	});

	it('is not repeated after a 429 that speaks of the record', async () => {
		const registration = { call: 'registerSender' } as const;
		expect(await play([answer(429), ok], registration)).toMatchObject({ tries: 1, result: 429 });
	});

	it('gives up on an endless 429 after 6 repeats and about half a minute', async () => {
		const { tries, result, tookMs } = await play([answer(429)]);
		expect({ tries, result }).toEqual({ tries: 7, result: 429 });
		expect(tookMs).toBeGreaterThan(15_000);
		expect(tookMs).toBeLessThan(40_000);
	});
});

describe('a read', () => {
	const read = { call: 'getSms' } as const;

	it.each([answer(429), answer(500), answer(503), silence])(
		'is repeated after %j',
		async (first) => {
			expect(await play([first, ok], read)).toMatchObject({ tries: 2, result: 'done' });
		},
	);

	it.each([400, 401, 403, 404])('is not repeated after %d', async (status) => {
		expect(await play([answer(status), ok], read)).toMatchObject({ tries: 1, result: status });
	});

	it.each([
		[0.999999, [500, 1000, 2000, 4000, 8000, 16_000]],
		[0, [250, 500, 1000, 2000, 4000, 8000]],
	])('pauses twice as long before each of 6 repeats, by chance: %f', async (random, expected) => {
		const { pausesMs } = await play([answer(500)], { ...read, random });
		expect(pausesMs.map(Math.round)).toEqual(expected);
	});
});

describe('Retry-After', () => {
	it.each([
		['3', 3000],
		['Thu, 01 Jan 1970 00:00:12 GMT', 2000],
		// No pause at all would use up all repeats at once.
		['0', 375],
		['Thu, 01 Jan 1970 00:00:01 GMT', 375],
		['soon', 375],
		['', 375],
	])('of %j at second 10 is a pause of %d ms', async (header, expected) => {
		const { pausesMs } = await play([answer(429, { 'retry-after': header }), ok]);
		expect(pausesMs).toEqual([expected]);
	});

	it('beyond a minute is not waited for', async () => {
		const busy = answer(429, { 'retry-after': '3600' });
		expect(await play([busy, ok])).toMatchObject({ tries: 1, result: 429 });
	});
});
