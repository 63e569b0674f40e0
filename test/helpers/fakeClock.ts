import { type Clock, CancelledError } from '../seams.ts';

type Sleeper = { wakesAtMs: number; wake: () => void; stop: (reason: Error) => void };

export type FakeClock = Clock & {
	/** Duration of each sleep in milliseconds, in the order they began. */
	sleeps: number[];
	/** Acts like the user's Stop button. */
	cancel(): void;
};

/**
 * A clock that advances by itself: whenever nothing else can run, the next sleeper wakes up. Hours pass instantly,
 * in the right order.
 */
export const fakeClock = ({ startMs = 0, random = 0.5 } = {}): FakeClock => {
	let nowMs = startMs;
	let isCancelled = false;
	let sleepers: Sleeper[] = [];
	const sleeps: number[] = [];

	const wakeNext = () => {
		const [next] = sleepers.sort((a, b) => a.wakesAtMs - b.wakesAtMs);
		if (!next) return;
		sleepers = sleepers.filter((sleeper) => sleeper !== next);
		nowMs = Math.max(nowMs, next.wakesAtMs);
		next.wake();
	};

	return {
		sleeps,
		now: () => nowMs,
		calendarNow: () => nowMs,
		random: () => random,
		unlessCancelled: async (promise) => {
			if (isCancelled) throw new CancelledError();
			return await promise;
		},
		sleep: async (ms) => {
			if (isCancelled) throw new CancelledError();
			sleeps.push(ms);
			await new Promise<void>((wake, stop) => {
				sleepers.push({ wakesAtMs: nowMs + ms, wake, stop });
				setImmediate(wakeNext);
			});
		},
		cancel: () => {
			isCancelled = true;
			for (const { stop } of sleepers) stop(new CancelledError());
			sleepers = [];
		},
	};
};
