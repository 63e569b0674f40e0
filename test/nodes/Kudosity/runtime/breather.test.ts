import { describe, expect, it } from 'vitest';
import { createBreather, mapInSlices } from '../../../seams.ts';
import { fakeClock } from '../../../helpers/fakeClock.ts';

/** Each item costs time, as reading its fields does. */
const slowWork = () => {
	const clock = fakeClock();
	let workedMs = 0;
	const now = () => clock.now() + workedMs;
	const work = (ms: number) => (item: number) => {
		workedMs += ms;
		return item * 2;
	};
	return { clock, breathe: createBreather({ now, sleep: clock.sleep }), work };
};

const numbers = Array.from({ length: 100 }, (_, index) => index);

describe('mapInSlices', () => {
	it('keeps nobody waiting for longer than a few items', async () => {
		const { clock, breathe, work } = slowWork();
		const doubled = await mapInSlices(numbers, work(5), breathe);
		expect(doubled).toEqual(numbers.map((number) => number * 2));
		// 500 ms of work in slices of 20 ms.
		expect(clock.sleeps).toEqual(Array(24).fill(0));
	});

	it('does not pause when there is little to do', async () => {
		const { clock, breathe, work } = slowWork();
		await mapInSlices(numbers, work(0.1), breathe);
		expect(clock.sleeps).toEqual([]);
	});

	it('stops when the user stops the run', async () => {
		const { clock, breathe, work } = slowWork();
		clock.cancel();
		await expect(mapInSlices(numbers, work(5), breathe)).rejects.toThrow('was stopped');
	});
});

it('pauses once for all that runs at the same time', async () => {
	const { clock, breathe, work } = slowWork();
	work(20)(0);
	await Promise.all(numbers.map(async () => await breathe()));
	expect(clock.sleeps).toEqual([0]);
});
