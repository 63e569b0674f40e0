import { randomInt } from 'crypto';
import { sleep } from 'n8n-workflow';
import { CancelledError } from '../api/errors';
import type { Clock } from '../lib/async';

const randomRange = 2 ** 32;

/** A promise that never fulfils and rejects when the user stops the run. */
const cancellation = (signal: AbortSignal): Promise<never> => {
	const cancelled = new Promise<never>((_, reject) => {
		if (signal.aborted) reject(new CancelledError());
		signal.addEventListener('abort', () => reject(new CancelledError()), { once: true });
	});
	cancelled.catch(() => undefined);
	return cancelled;
};

/** The real time of one execution. n8n's `sleep` cannot be stopped, so it is raced with the stop signal. */
export const createNodeClock = (signal: AbortSignal | undefined): Clock => {
	const cancelled = signal ? cancellation(signal) : undefined;
	const unlessCancelled = async <Value>(promise: Promise<Value>): Promise<Value> =>
		cancelled ? await Promise.race([cancelled, promise]) : await promise;
	return {
		// A machine whose clock is set back by an hour would send nothing for an hour.
		now: () => performance.timeOrigin + performance.now(),
		// The other one stands still while the machine sleeps.
		calendarNow: () => Date.now(),
		random: () => randomInt(randomRange - 1) / randomRange,
		unlessCancelled,
		sleep: async (ms) => await unlessCancelled(sleep(ms)),
	};
};

/** Nobody notices a pause as short as this; shorter ones would cost more than they give. */
const maxSliceMs = 15;

/** Waits now and then, so that everything else in n8n gets its turn; most calls have nothing to wait for. */
export type YieldIfDue = () => Promise<void> | undefined;

/**
 * n8n has one thread for all workflows: whoever works through thousands of items in one go keeps webhooks
 * and other executions waiting. One for each run; all that the run does at a time share it.
 * What it returns rejects with CancelledError when the user stops the run.
 */
export const createYielder = (clock: Pick<Clock, 'now' | 'sleep'>): YieldIfDue => {
	let begunMs = clock.now();
	let pause: Promise<void> | undefined;
	const rest = async () => {
		try {
			await clock.sleep(0);
		} finally {
			begunMs = clock.now();
			pause = undefined;
		}
	};
	return () => {
		if (!pause && clock.now() - begunMs > maxSliceMs) pause = rest();
		return pause;
	};
};

/** Like `map`, with pauses in between. */
export const mapYielding = async <Item, Value>(
	items: Item[],
	task: (item: Item, index: number) => Value,
	breathe: YieldIfDue,
): Promise<Value[]> => {
	const values: Value[] = [];
	for (const [index, item] of items.entries()) {
		const pause = breathe();
		if (pause) await pause;
		values.push(task(item, index));
	}
	return values;
};
