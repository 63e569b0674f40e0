import { randomInt } from 'crypto';
import { sleep } from 'n8n-workflow';
import type { Clock } from '../api/clock';
import { CancelledError } from '../api/errors';

const finestRandom = 2 ** 32;

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
		random: () => randomInt(finestRandom - 1) / finestRandom,
		unlessCancelled,
		sleep: async (ms) => await unlessCancelled(sleep(ms)),
	};
};
