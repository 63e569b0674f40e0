import { randomInt } from 'crypto';
import { sleep } from 'n8n-workflow';
import { CancelledError } from '../api/errors';
import type { Clock } from '../lib/async';

const randomRange = 2 ** 32;

/** Returns a promise that never fulfills, and rejects when the user stops the run. */
function cancellation(signal: AbortSignal): Promise<never> {
	const cancelled = new Promise<never>((_, reject) => {
		if (signal.aborted) reject(new CancelledError());
		signal.addEventListener('abort', () => reject(new CancelledError()), { once: true });
	});
	cancelled.catch(() => undefined);
	return cancelled;
}

/**
 * Creates the clock of one execution, in real time. n8n's `sleep` cannot be stopped, so it is raced with the stop
 * signal.
 */
export function createNodeClock(signal: AbortSignal | undefined): Clock {
	const cancelled = signal ? cancellation(signal) : undefined;
	const unlessCancelled = async <Value>(promise: Promise<Value>): Promise<Value> =>
		cancelled ? await Promise.race([cancelled, promise]) : await promise;
	return {
		// This clock is monotonic. With a wall clock that is set back by an hour, nothing would be sent for an hour.
		now: () => performance.timeOrigin + performance.now(),
		// This is the wall clock, because the monotonic clock stands still while the machine sleeps.
		calendarNow: () => Date.now(),
		random: () => randomInt(randomRange - 1) / randomRange,
		unlessCancelled,
		sleep: async (ms) => await unlessCancelled(sleep(ms)),
	};
}

/** Creates a clock for work that has to be done even after the user has stopped the run, such as giving back a key. */
export function createUnstoppableClock(): Clock {
	return createNodeClock(undefined);
}

/**
 * Awaits a task for a limited time, because a service that delivers an event waits for an answer.
 *
 * @throws Error - the task takes longer
 */
export async function unlessSlow<Value>(task: Promise<Value>, maxMs = 5_000): Promise<Value> {
	const tooSlow = sleep(maxMs).then(() => {
		throw new Error(`not done within ${maxMs} ms`);
	});
	return await Promise.race([task, tooSlow]);
}

/** The longest time without a pause: too short to notice, long enough that pausing costs little. */
const maxSliceMs = 15;

/** Pauses if a pause is due. Undefined if none is. */
export type YieldIfDue = () => Promise<void> | undefined;

/**
 * Creates the pauses of a run, because n8n has one thread for all workflows. A run has one `YieldIfDue`, which all of
 * its concurrent work shares. A pause rejects with CancelledError when the user stops the run.
 */
export function createYielder(clock: Pick<Clock, 'now' | 'sleep'>): YieldIfDue {
	let resumedMs = clock.now();
	let pause: Promise<void> | undefined;
	const rest = async () => {
		try {
			await clock.sleep(0);
		} finally {
			resumedMs = clock.now();
			pause = undefined;
		}
	};
	return () => {
		if (!pause && clock.now() - resumedMs > maxSliceMs) pause = rest();
		return pause;
	};
}

export async function mapYielding<Item, Value>(
	items: Item[],
	task: (item: Item, index: number) => Value,
	yieldIfDue: YieldIfDue,
): Promise<Value[]> {
	const values: Value[] = [];
	for (const [index, item] of items.entries()) {
		const pause = yieldIfDue();
		if (pause) await pause;
		values.push(task(item, index));
	}
	return values;
}
