import type { Clock } from './clock';

/** Room for one request after another, evenly spaced, so that waiting for answers does not add up. */
export type Limiter = {
	/** Resolves when the next request may start, first come first served. */
	acquire(clock: Clock, requestsPerSecond: number): Promise<void>;
	/** The service said "too many" (429): pause everybody, then go on more slowly. */
	throttled(clock: Clock, pauseMs: number): void;
	/** The service took a request: return to the full speed step by step. */
	accepted(): void;
};

const slowestShare = 0.1;
const slowDownFactor = 0.7;
const recoveryPerRequest = 0.01;

/**
 * The account's limit is 15 requests a second and what exceeds it is dropped, so requests are spaced by
 * `1000 / requestsPerSecond` ms. Another process may use the same account: a 429 lowers the rate by 30 %
 * (not below 10 % of it, at most once a second), each accepted request gives back 1 %.
 */
export const createLimiter = (): Limiter => {
	let nextStartMs = 0;
	let share = 1;
	let slowedAtMs = -Infinity;
	let lastInLine: Promise<void> = Promise.resolve();

	const takeTurn = async (clock: Clock, requestsPerSecond: number) => {
		// A pause can begin while this request sleeps, so the start is looked up again afterwards.
		for (let waitMs = nextStartMs - clock.now(); waitMs > 0; waitMs = nextStartMs - clock.now()) {
			await clock.sleep(waitMs);
		}
		const intervalMs = 1000 / (requestsPerSecond * share);
		// A timer that fires late is caught up with, by half an interval at most.
		nextStartMs = Math.max(nextStartMs + intervalMs, clock.now() + intervalMs / 2);
	};

	return {
		async acquire(clock, requestsPerSecond) {
			const before = lastInLine;
			const turn = before.then(async () => await takeTurn(clock, requestsPerSecond));
			lastInLine = turn.catch(() => undefined);
			await clock.unlessCancelled(turn);
		},
		throttled(clock, pauseMs) {
			const now = clock.now();
			nextStartMs = Math.max(nextStartMs, now + pauseMs);
			if (now - slowedAtMs < 1000) return;
			slowedAtMs = now;
			share = Math.max(slowestShare, share * slowDownFactor);
		},
		accepted() {
			share = Math.min(1, share + recoveryPerRequest);
		},
	};
};
