import { randomInt } from 'crypto';
import { sleep } from 'n8n-workflow';
import { CancelledError } from '../api/errors';
import type { Clock } from '../lib/async';

const randomRange = 2 ** 32;

/** Returns a promise that never resolves, but rejects when the user stops the run. */
function cancellation(signal: AbortSignal): Promise<never> {
	const cancelled = new Promise<never>((_, reject) => {
		if (signal.aborted) reject(new CancelledError());
		signal.addEventListener('abort', () => reject(new CancelledError()), { once: true });
	});
	cancelled.catch(() => undefined);
	return cancelled;
}

/**
 * Creates an execution's clock, in real time. n8n's `sleep` can't be interrupted, so the clock races it against the
 * stop signal.
 */
export function createNodeClock(signal: AbortSignal | undefined): Clock {
	const cancelled = signal ? cancellation(signal) : undefined;
	const unlessCancelled = async <Value>(promise: Promise<Value>): Promise<Value> =>
		cancelled ? await Promise.race([cancelled, promise]) : await promise;
	return {
		// This clock is monotonic. If a wall clock were set back by an hour, nothing would be sent for an hour.
		now: () => performance.timeOrigin + performance.now(),
		// Dates need the wall clock, because the monotonic clock stands still while the machine sleeps.
		calendarNow: () => Date.now(),
		random: () => randomInt(randomRange - 1) / randomRange,
		unlessCancelled,
		sleep: async (ms) => await unlessCancelled(sleep(ms)),
	};
}

/** Creates a clock for work that must be done even after the user has stopped the run, e.g. releasing a key. */
export function createUnstoppableClock(): Clock {
	return createNodeClock(undefined);
}

/**
 * Awaits a task for a limited time, because the service that delivers an event is waiting for the response.
 *
 * @throws Error - the task takes longer than `maxMs`
 */
export async function unlessSlow<Value>(task: Promise<Value>, maxMs = 5_000): Promise<Value> {
	const tooSlow = sleep(maxMs).then(() => {
		throw new Error(`not done within ${maxMs} ms`);
	});
	return await Promise.race([task, tooSlow]);
}

/** The longest time without a pause: short enough that n8n stays responsive, long enough that pausing costs little. */
const maxSliceMs = 15;

/** Pauses if a pause is due; otherwise returns undefined. */
export type YieldIfDue = () => Promise<void> | undefined;

/**
 * Creates the function that pauses a run now and then, because n8n has one thread for all workflows. All concurrent
 * work in the run shares one `YieldIfDue`. A pause rejects with CancelledError if the user stops the run.
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
