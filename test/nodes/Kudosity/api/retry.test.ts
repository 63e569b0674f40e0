import { describe, expect, it } from 'vitest';
import {
	createLimiter,
	pauseBefore,
	readRetryAfter,
	withPacing,
	type RetryPolicy,
	type Answer,
	type ApiRequest,
	type NoAnswer,
} from '../../../seams.ts';
import { fakeClock } from '../../../helpers/fakeClock.ts';

const answer = (status: number, headers = {}): Answer => ({
	kind: 'answer',
	status,
	headers,
	text: '{}',
});
const silence: NoAnswer = { kind: 'noAnswer', code: 'ECONNRESET', wasSent: true };
const ok = answer(200);

const request = (repeatable: boolean): ApiRequest => ({
	connection: 'key',
	method: repeatable ? 'GET' : 'POST',
	path: '/v2/sms',
	repeatable,
});

/** Plays the answers one after the other, the last one for ever. */
const play = async (kind: boolean | Partial<ApiRequest>, ...answers: Array<Answer | NoAnswer>) => {
	const clock = fakeClock();
	let tries = 0;
	const transport = async () => answers[Math.min(tries++, answers.length - 1)] ?? ok;
	const line = createLimiter().openLine(clock);
	const paced = withPacing(transport, { clock, line, requestsPerSecond: 1000 });
	const result = await paced(
		typeof kind === 'boolean' ? request(kind) : { ...request(false), ...kind },
	);
	return { tries, result, clock };
};

describe('a deletion', () => {
	const deletion = { method: 'DELETE', repeatable: true } as const;
	const notFound = { ...answer(404), text: '{"error":{"title":"Not found"}}' };

	it('is not done because of a 404 that is not the service’s', async () => {
		const page = { ...answer(404), text: '<html>no such route</html>' };

		expect(await play(deletion, answer(502), page)).toMatchObject({ result: { status: 404 } });
	});

	it.each([
		['a 500', answer(500)],
		['no answer', silence],
	])('is done when there is nothing left to delete after %s', async (_, first) => {
		const { tries, result } = await play(deletion, first, notFound);

		expect({ tries, result }).toMatchObject({ tries: 2, result: { status: 204, text: '' } });
	});

	it.each([
		['a 429', answer(429)],
		['a request that never left', { ...silence, wasSent: false }],
	])('finds nothing to delete after %s', async (_, first) => {
		expect(await play(deletion, first, notFound)).toMatchObject({
			tries: 2,
			result: { status: 404 },
		});
	});
});

describe('a send', () => {
	it.each([
		['500', answer(500)],
		['502', answer(502)],
		['no answer', silence],
		['400', answer(400)],
		['401', answer(401)],
	])('is not repeated after %s', async (_, first) => {
		expect(await play(false, first, ok)).toMatchObject({ tries: 1, result: first });
	});

	it('is repeated after a 429', async () => {
		expect(await play(false, answer(429), answer(429), ok)).toMatchObject({ tries: 3, result: ok });
	});

	it('is not repeated after a 429 that speaks of the record', async () => {
		expect(await play({ hasOwnLimit: true }, answer(429), ok)).toMatchObject({ tries: 1 });
	});

	it('gives up on an endless 429 after 6 repeats and about half a minute', async () => {
		const { tries, result, clock } = await play(false, answer(429));
		expect({ tries, result }).toMatchObject({ tries: 7, result: { status: 429 } });
		expect(clock.now()).toBeGreaterThan(15_000);
		expect(clock.now()).toBeLessThan(40_000);
	});
});

describe('a read', () => {
	it.each([
		['429', answer(429)],
		['500', answer(500)],
		['503', answer(503)],
		['no answer', silence],
	])('is repeated after %s', async (_, first) => {
		expect(await play(true, first, ok)).toMatchObject({ tries: 2, result: ok });
	});

	it.each([400, 401, 403, 404])('is not repeated after %d', async (status) => {
		expect(await play(true, answer(status), ok)).toMatchObject({ tries: 1 });
	});

	it('is repeated a bounded number of times', async () => {
		expect(await play(true, answer(500))).toMatchObject({ tries: 7 });
	});
});

describe('Retry-After', () => {
	it('is obeyed', async () => {
		const { clock, tries } = await play(false, answer(429, { 'retry-after': '3' }), ok);
		expect(tries).toBe(2);
		expect(clock.now()).toBeGreaterThanOrEqual(3000);
		expect(clock.now()).toBeLessThan(3100);
	});

	it('does not use up all repeats at once when it asks for no pause', async () => {
		const { clock, tries } = await play(false, answer(429, { 'retry-after': '0' }));
		expect(tries).toBe(7);
		expect(clock.now()).toBeGreaterThan(15_000);
	});

	it('beyond a minute is not waited for', async () => {
		expect(await play(false, answer(429, { 'retry-after': '3600' }), ok)).toMatchObject({
			tries: 1,
		});
	});

	it.each([
		['2', 2000],
		['0', 0],
		['Thu, 01 Jan 1970 00:00:11 GMT', 1000],
		['Thu, 01 Jan 1970 00:00:01 GMT', 0],
		['soon', undefined],
		['', undefined],
		[undefined, undefined],
	])('%s is %s ms at second 10', (header, expected) => {
		expect(readRetryAfter(header, 10_000)).toBe(expected);
	});
});

it('pauses twice as long each time, up to the longest, with jitter below it', () => {
	const policy = { maxRepeats: 9, firstPauseMs: 100, longestPauseMs: 1000 };
	expect([0, 1, 2, 3, 4, 5].map((repeat) => pauseBefore(repeat, policy, 1))).toEqual([
		100, 200, 400, 800, 1000, 1000,
	]);
	expect(pauseBefore(3, policy, 0)).toBe(400);
});

describe('a policy', () => {
	const tried = async (policy: Partial<RetryPolicy>, result: Answer | NoAnswer, tookMs: number) => {
		const clock = fakeClock();
		let tries = 0;
		const transport = async () => {
			tries++;
			await clock.sleep(tookMs);
			return result;
		};
		const line = createLimiter().openLine(clock);
		const usual = { maxRepeats: 2, firstPauseMs: 500, longestPauseMs: 2_000 };
		const pacing = { clock, line, requestsPerSecond: 1000, policy: { ...usual, ...policy } };
		await withPacing(transport, pacing)(request(true));
		return tries;
	};

	it('asks no more when the time that it gives is over', async () => {
		expect(await tried({ longestMs: 20_000 }, silence, 30_000)).toBe(1);
		expect(await tried({ longestMs: 20_000 }, silence, 10)).toBe(3);
		expect(await tried({}, silence, 30_000)).toBe(3);
	});

	it('does not wait for a service that asks for a longer pause than it gives', async () => {
		const busy = answer(429, { 'retry-after': '30' });
		expect(await tried({ longestRetryAfterMs: 10_000 }, busy, 10)).toBe(1);
		expect(await tried({}, busy, 10)).toBe(3);
	});
});
