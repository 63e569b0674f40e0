import { expect, it } from 'vitest';
import { CancelledError, lookAgain } from '../../../seams.ts';
import { fakeClock } from '../../../helpers/fakeClock.ts';

const endsAtMs = 150_000;

it('looks at once, and not again when nothing is left', async () => {
	const clock = fakeClock();
	const looks: number[][] = [];
	const look = async (open: number[]) => {
		looks.push(open);
		return [];
	};
	await lookAgain([1, 2], { look, clock, endsAtMs });

	expect(looks).toEqual([[1, 2]]);
	expect(clock.now()).toBeLessThan(1_000);
});

it('looks again for what is left, less and less often, until shortly before the end', async () => {
	const clock = fakeClock();
	const looks: Array<{ atMs: number; open: number[] }> = [];
	const look = async (open: number[]) => {
		looks.push({ atMs: clock.now(), open });
		return [2];
	};
	await lookAgain([1, 2], { look, clock, endsAtMs });

	expect(looks[0]).toEqual({ atMs: 0, open: [1, 2] });
	expect(looks.slice(1).every(({ open }) => open.join() === '2')).toBe(true);
	expect(looks.length).toBeLessThan(20);
	// The service knows a message after two minutes at the latest.
	expect(looks.at(-1)!.atMs).toBeGreaterThan(125_000);
	expect(clock.now()).toBeLessThanOrEqual(endsAtMs);
});

it('asks less often for many', async () => {
	const clock = fakeClock();
	const many = Array.from({ length: 100 }, (_, index) => index);
	let looks = 0;
	const look = async (open: number[]) => {
		looks++;
		return open;
	};
	await lookAgain(many, { look, clock, endsAtMs });

	// Once at first, and then three a second.
	expect(looks * many.length).toBeLessThanOrEqual(100 + 3 * 150);
});

it('is over in time while a look does not end', async () => {
	const clock = fakeClock();
	await lookAgain([1], { look: async () => await new Promise<never>(() => {}), clock, endsAtMs });

	expect(clock.now()).toBe(endsAtMs);
});

it('does not look at all when the time is up', async () => {
	const clock = fakeClock({ startMs: endsAtMs });
	const look = async () => {
		throw new Error('It looked');
	};
	await expect(lookAgain([1], { look, clock, endsAtMs })).resolves.toBeUndefined();
});

it('ends at once when the run is stopped, in the middle of a look and in a pause', async () => {
	const clock = fakeClock();
	const hanging = lookAgain([1], {
		look: async () => {
			setImmediate(() => clock.cancel());
			return await new Promise<never>(() => {});
		},
		clock,
		endsAtMs,
	});
	await expect(hanging).rejects.toBeInstanceOf(CancelledError);

	const other = fakeClock();
	const sleep = async (ms: number) => {
		if (ms >= 3_000) setImmediate(() => other.cancel());
		await other.sleep(ms);
	};
	let looks = 0;
	const pausing = lookAgain([1], {
		look: async (open) => {
			looks++;
			return open;
		},
		clock: { ...other, sleep },
		endsAtMs,
	});
	await expect(pausing).rejects.toBeInstanceOf(CancelledError);
	expect(looks).toBe(1);
});

it('gives on what forbids to look again', async () => {
	const clock = fakeClock();
	const look = async () => {
		throw new Error('The key may not read');
	};
	await expect(lookAgain([1], { look, clock, endsAtMs })).rejects.toThrow('may not read');
});
