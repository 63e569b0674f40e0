import { describe, expect, it } from 'vitest';
import { createLimiter } from '../../../../nodes/Kudosity/api/limiter.ts';
import { fakeClock } from '../../../helpers/fakeClock.ts';

const startTimes = async (count: number, requestsPerSecond: number, limiter = createLimiter()) => {
	const clock = fakeClock();
	const starts: number[] = [];
	await Promise.all(
		Array.from({ length: count }, async () => {
			await limiter.acquire(clock, requestsPerSecond);
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
		const limiter = createLimiter();
		let mayBegin = true;
		const waiting = Array.from({ length: 50 }, () => limiter.acquire(clock, 1, () => mayBegin));
		await waiting[1];
		mayBegin = false;
		await Promise.all(waiting);
		expect(clock.now()).toBe(2000);

		await limiter.acquire(clock, 1);
		expect(clock.now()).toBe(2000);
	});

	it('pauses everybody after a 429, then goes on more slowly', async () => {
		const clock = fakeClock();
		const limiter = createLimiter();
		await limiter.acquire(clock, 10);
		limiter.throttled(clock, 500);
		await limiter.acquire(clock, 10);
		const resumedMs = clock.now();
		await limiter.acquire(clock, 10);

		expect(resumedMs).toBe(500);
		expect(clock.now() - resumedMs).toBeCloseTo(100 / 0.7);
	});

	it('is back at full speed 7 s after the last 429, whatever happened before', async () => {
		const clock = fakeClock();
		const limiter = createLimiter();
		for (let second = 0; second < 30; second++) {
			limiter.throttled(clock, 0);
			await clock.sleep(1000);
		}
		await clock.sleep(6000);
		await limiter.acquire(clock, 10);
		await limiter.acquire(clock, 10);
		const firstMs = clock.now();
		await limiter.acquire(clock, 10);

		expect(clock.now() - firstMs).toBeCloseTo(100);
	});

	it('keeps to a tenth of its speed however often it is refused', async () => {
		const clock = fakeClock();
		const limiter = createLimiter();
		for (let second = 0; second < 30; second++) {
			limiter.throttled(clock, 0);
			await clock.sleep(1000);
		}
		limiter.throttled(clock, 0);
		await limiter.acquire(clock, 10);
		const firstMs = clock.now();
		await limiter.acquire(clock, 10);

		expect(clock.now() - firstMs).toBeLessThanOrEqual(1000);
	});

	it('frees a place in the line when its owner is stopped', async () => {
		const limiter = createLimiter();
		const stopped = fakeClock();
		await limiter.acquire(stopped, 1);
		const waiting = limiter.acquire(stopped, 1);
		stopped.cancel();

		await expect(waiting).rejects.toThrow('The execution was stopped');
		const other = fakeClock({ startMs: 5000 });
		await limiter.acquire(other, 1);
		expect(other.now()).toBe(5000);
	});
});
