import { describe, expect, it } from 'vitest';
import { createLimiter } from '../../../seams.ts';
import { fakeClock } from '../../../helpers/fakeClock.ts';

const startTimes = async (count: number, requestsPerSecond: number, limiter = createLimiter()) => {
	const clock = fakeClock();
	const line = limiter.openLine(clock);
	const starts: number[] = [];
	await Promise.all(
		Array.from({ length: count }, async () => {
			await line.acquire(requestsPerSecond);
			starts.push(clock.now());
		}),
	);
	return starts;
};

describe('limiter', () => {
	it('spaces the requests evenly', async () => {
		expect(await startTimes(5, 10)).toEqual([0, 100, 200, 300, 400]);
	});

	it('starts at most 14 of 14/s in any second', async () => {
		const starts = await startTimes(100, 14);
		const inWindow = starts.map(
			(start) => starts.filter((other) => other >= start && other < start + 1000).length,
		);
		expect(Math.max(...inWindow)).toBeLessThanOrEqual(15);
	});

	it('lets nobody wait for requests that may not begin any more', async () => {
		const clock = fakeClock();
		const line = createLimiter().openLine(clock);
		let mayBegin = true;
		const waiting = Array.from({ length: 50 }, () => line.acquire(1, () => mayBegin));
		await waiting[1];
		mayBegin = false;
		await Promise.all(waiting);
		expect(clock.now()).toBe(2000);

		await line.acquire(1);
		expect(clock.now()).toBe(2000);
	});

	it('pauses everybody after a 429, then goes on more slowly', async () => {
		const clock = fakeClock();
		const line = createLimiter().openLine(clock);
		await line.acquire(10);
		line.throttled(500);
		await line.acquire(10);
		const resumedMs = clock.now();
		await line.acquire(10);

		expect(resumedMs).toBe(500);
		expect(clock.now() - resumedMs).toBeCloseTo(100 / 0.7);
	});

	it('is back at full speed 7 s after the last 429, whatever happened before', async () => {
		const clock = fakeClock();
		const line = createLimiter().openLine(clock);
		for (let second = 0; second < 30; second++) {
			line.throttled(0);
			await clock.sleep(1000);
		}
		await clock.sleep(6000);
		await line.acquire(10);
		await line.acquire(10);
		const firstMs = clock.now();
		await line.acquire(10);

		expect(clock.now() - firstMs).toBeCloseTo(100);
	});

	it('keeps to a tenth of its speed however often it is refused', async () => {
		const clock = fakeClock();
		const line = createLimiter().openLine(clock);
		for (let second = 0; second < 30; second++) {
			line.throttled(0);
			await clock.sleep(1000);
		}
		line.throttled(0);
		await line.acquire(10);
		const firstMs = clock.now();
		await line.acquire(10);

		expect(clock.now() - firstMs).toBeLessThanOrEqual(1000);
	});

	it('frees a place in the line when its owner is stopped', async () => {
		const limiter = createLimiter();
		const stopped = fakeClock();
		const line = limiter.openLine(stopped);
		await line.acquire(1);
		const waiting = line.acquire(1);
		stopped.cancel();

		await expect(waiting).rejects.toThrow('The execution was stopped');
		const other = fakeClock({ startMs: 5000 });
		await limiter.openLine(other).acquire(1);
		expect(other.now()).toBe(5000);
	});
});

type Run = { name: string; count: number; requestsPerSecond: number; goesFirst?: boolean };

/** Runs of one account that begin at the same time, each with all its requests at once. */
const startsOf = async (...runs: Run[]) => {
	const clock = fakeClock();
	const limiter = createLimiter();
	const starts: Array<{ name: string; atMs: number }> = [];
	const begin = async ({ name, count, requestsPerSecond, goesFirst }: Run) => {
		const line = limiter.openLine(clock, { goesFirst });
		const start = async () => {
			await line.acquire(requestsPerSecond);
			starts.push({ name, atMs: clock.now() });
		};
		await Promise.all(Array.from({ length: count }, start));
	};
	await Promise.all(runs.map(begin));
	const timesOf = (run: string) => starts.flatMap(({ name, atMs }) => (name === run ? atMs : []));
	return { order: starts.map(({ name }) => name), starts, timesOf };
};

const mostInOneSecond = (times: number[]) =>
	Math.max(...times.map((time) => times.filter((at) => at >= time && at < time + 1000).length));

describe('several runs of an account', () => {
	it('take turns, however much each of them has to do', async () => {
		const { order } = await startsOf(
			{ name: 'a', count: 50, requestsPerSecond: 14 },
			{ name: 'b', count: 50, requestsPerSecond: 14 },
			{ name: 'one', count: 1, requestsPerSecond: 14 },
		);
		expect(order.slice(0, 7)).toEqual(['a', 'b', 'one', 'a', 'b', 'a', 'b']);
	});

	it('do not wait for those that are slow by choice', async () => {
		const { timesOf } = await startsOf(
			{ name: 'slow', count: 20, requestsPerSecond: 0.4 },
			{ name: 'slower', count: 20, requestsPerSecond: 0.1 },
			{ name: 'fast', count: 100, requestsPerSecond: 14 },
		);
		// 100 requests of its own and a handful of the others at 14 a second.
		expect(timesOf('fast').at(-1)).toBeLessThan(8000);
		expect(timesOf('slow').at(-1)).toBeCloseTo(19 * 2500, -3);
	});

	it('keep to the limit of the account together, and each to its own speed', async () => {
		const { starts, timesOf } = await startsOf(
			{ name: 'a', count: 100, requestsPerSecond: 14 },
			{ name: 'b', count: 100, requestsPerSecond: 10 },
			{ name: 'c', count: 20, requestsPerSecond: 2 },
		);
		expect(mostInOneSecond(starts.map(({ atMs }) => atMs))).toBeLessThanOrEqual(15);
		expect(mostInOneSecond(timesOf('c'))).toBeLessThanOrEqual(3);
	});

	it('are as fast together as the fastest of them wants, where the limit was raised', async () => {
		const { timesOf, starts } = await startsOf(
			{ name: 'raised', count: 200, requestsPerSecond: 40 },
			{ name: 'usual', count: 40, requestsPerSecond: 14 },
		);
		expect(mostInOneSecond(starts.map(({ atMs }) => atMs))).toBeLessThanOrEqual(41);
		expect(mostInOneSecond(starts.map(({ atMs }) => atMs))).toBeGreaterThan(35);
		expect(timesOf('raised').at(-1)).toBeLessThan(7000);
	});

	it('let those start first that go first', async () => {
		const { order } = await startsOf(
			{ name: 'a', count: 10, requestsPerSecond: 14 },
			{ name: 'b', count: 10, requestsPerSecond: 14 },
			{ name: 'first', count: 2, requestsPerSecond: 14, goesFirst: true },
		);
		expect(order.indexOf('first')).toBeLessThanOrEqual(1);
		expect(order.lastIndexOf('first')).toBeLessThanOrEqual(3);
	});

	it('all pause after a 429 of one of them', async () => {
		const clock = fakeClock();
		const limiter = createLimiter();
		const one = limiter.openLine(clock);
		const other = limiter.openLine(clock);
		const first = limiter.openLine(clock, { goesFirst: true });
		await one.acquire(14);
		one.throttled(3000);
		await first.acquire(14);
		expect(clock.now()).toBe(3000);
		await other.acquire(14);
		expect(clock.now()).toBeCloseTo(3000 + 1000 / 14 / 0.7, 0);
	});

	it('do not wait for one that is stopped while it is next', async () => {
		const limiter = createLimiter();
		const clock = fakeClock();
		const stopped = fakeClock();
		await limiter.openLine(stopped).acquire(14);
		const waiting = limiter.openLine(stopped).acquire(14);
		const behind = limiter.openLine(clock).acquire(14);
		stopped.cancel();
		await expect(waiting).rejects.toThrow('The execution was stopped');
		await behind;
		expect(clock.now()).toBeCloseTo(1000 / 14);
	});
});
