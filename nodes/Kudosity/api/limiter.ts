import type { Clock } from './clock';

/** Room for one request after another, evenly spaced, so that waiting for answers does not add up. */
export type Limiter = {
	/**
	 * Resolves when the next request may start, first come first served. One that may not begin any more by
	 * then gives up its place, so that nobody waits for it.
	 */
	acquire(clock: Clock, requestsPerSecond: number, mayBegin?: () => boolean): Promise<void>;
	/** The service said "too many" (429): pause everybody, then go on more slowly. */
	throttled(clock: Clock, pauseMs: number): void;
};

const slowestShare = 0.1;
const slowDownFactor = 0.7;

/** Slowly at first, to stay near the speed that the service takes; then faster: the others have gone. */
const regainedShare = (seconds: number): number => 0.02 * seconds ** 2;

/**
 * The account's limit is 15 requests a second and what exceeds it is dropped, so requests are spaced by
 * `1000 / requestsPerSecond` ms. Another process may use the same account: a 429 lowers the rate by 30 %
 * (not below 10 % of it, at most once a second). Without another 429 the full rate is back within 7 s.
 */
export const createLimiter = (): Limiter => {
	let nextStartMs = 0;
	let shareAfter429 = 1;
	let slowedAtMs = -Infinity;
	let pausedUntilMs = -Infinity;
	let lastInLine: Promise<void> = Promise.resolve();

	const shareAt = (nowMs: number): number =>
		Math.min(1, shareAfter429 + regainedShare(Math.max(0, nowMs - pausedUntilMs) / 1000));

	const takeTurn = async (clock: Clock, requestsPerSecond: number, mayBegin = () => true) => {
		// A pause can begin while this request sleeps, so the start is looked up again afterwards.
		for (
			let waitMs = nextStartMs - clock.now();
			waitMs > 0 && mayBegin();
			waitMs = nextStartMs - clock.now()
		) {
			await clock.sleep(waitMs);
		}
		if (!mayBegin()) return;
		const intervalMs = 1000 / (requestsPerSecond * shareAt(clock.now()));
		// A timer that fires late is caught up with, by half an interval at most.
		nextStartMs = Math.max(nextStartMs + intervalMs, clock.now() + intervalMs / 2);
	};

	return {
		async acquire(clock, requestsPerSecond, mayBegin) {
			const before = lastInLine;
			const turn = before.then(async () => await takeTurn(clock, requestsPerSecond, mayBegin));
			lastInLine = turn.catch(() => undefined);
			await clock.unlessCancelled(turn);
		},
		throttled(clock, pauseMs) {
			const now = clock.now();
			nextStartMs = Math.max(nextStartMs, now + pauseMs);
			if (now - slowedAtMs < 1000) return;
			shareAfter429 = Math.max(slowestShare, shareAt(now) * slowDownFactor);
			slowedAtMs = now;
			pausedUntilMs = now + pauseMs;
		},
	};
};
