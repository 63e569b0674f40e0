import { describe, expect, it } from 'vitest';
import { mapConcurrently } from '../../../seams.ts';

const deferred = () => {
	let resolve = () => {};
	const promise = new Promise<void>((done) => {
		resolve = done;
	});
	return { promise, resolve };
};

describe('mapConcurrently', () => {
	it('keeps the order of the items, whichever ends first', async () => {
		const last = deferred();
		const results = await mapConcurrently(
			['a', 'b', 'c'],
			async (item) => {
				if (item === 'a') await last.promise;
				if (item === 'c') last.resolve();
				return item;
			},
			{ mostInFlight: 3, stopAtFailure: true },
		);
		expect(results.map((result) => result.status === 'fulfilled' && result.value)).toEqual([
			'a',
			'b',
			'c',
		]);
	});

	it('never has more in flight than allowed', async () => {
		let inFlight = 0;
		let most = 0;
		await mapConcurrently(
			Array.from({ length: 30 }),
			async () => {
				most = Math.max(most, ++inFlight);
				await Promise.resolve();
				inFlight--;
			},
			{ mostInFlight: 4, stopAtFailure: true },
		);
		expect(most).toBe(4);
	});

	it('begins nothing new after a failure, and reports what had begun', async () => {
		const begun: number[] = [];
		const results = await mapConcurrently(
			[0, 1, 2, 3, 4, 5],
			async (item) => {
				begun.push(item);
				await Promise.resolve();
				if (item === 0) throw new Error('no');
			},
			{ mostInFlight: 2, stopAtFailure: true },
		);
		expect(begun.length).toBeLessThan(6);
		expect(results.map(({ status }) => status)).toEqual([
			'rejected',
			...Array(begun.length - 1).fill('fulfilled'),
		]);
	});

	it('goes on after a failure when told to', async () => {
		const results = await mapConcurrently(
			[0, 1, 2],
			async (item) => (item === 1 ? await Promise.reject(new Error('no')) : item),
			{ mostInFlight: 2, stopAtFailure: false },
		);
		expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
	});
});
