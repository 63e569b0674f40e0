import type { Clock } from '../lib/async';

type Turn = {
	clock: Clock;
	/** Whether the turn goes before all turns without priority. */
	hasPriority: boolean;
	/** Asked after each wait. A turn that may no longer start leaves the queue. */
	canStart: () => boolean;
};

type Waiter = Turn & { wake: () => void };

/**
 * Creates a FIFO queue, in which the next caller starts at `startsAtMs` or later. Each waiter brings its own clock,
 * because the queue has no timer.
 */
function createQueue(startsAtMs: () => number) {
	let waiters: Waiter[] = [];
	const next = () => waiters.find(({ hasPriority }) => hasPriority) ?? waiters[0];

	const waitFor = async (waiter: Waiter): Promise<boolean> => {
		while (waiter.canStart()) {
			const waitMs = startsAtMs() - waiter.clock.now();
			if (next() !== waiter) {
				const turn = new Promise<void>((resolve) => (waiter.wake = resolve));
				await waiter.clock.unlessCancelled(turn);
			} else if (waitMs > 0) {
				// In the meantime, a pause can begin, or a caller with priority can arrive.
				await waiter.clock.sleep(waitMs);
			} else return true;
		}
		return false;
	};

	/** Calls `start` before anyone else gets a turn. @throws CancelledError - the execution was stopped */
	return async (turn: Turn, start: () => void): Promise<void> => {
		const waiter: Waiter = { ...turn, wake: () => undefined };
		waiters.push(waiter);
		try {
			if (await waitFor(waiter)) start();
		} finally {
			waiters = waiters.filter((other) => other !== waiter);
			next()?.wake();
		}
	};
}

/** The account's limit is 15 requests a second; one is reserved for other clients of the account. */
export const defaultRequestsPerSecond = 14;

const minShare = 0.1;
const slowDownFactor = 0.7;

/**
 * The share of the rate that is regained. It grows slowly at first, to stay near the rate that the service accepts, and
 * then faster, because other clients have probably finished.
 */
function regainedShare(seconds: number): number {
	return 0.02 * seconds ** 2;
}

/**
 * Creates the slow-down of an account, because another process may use the same one. A 429 lowers the rate by 30 %, at
 * most once a second and never below 10 %. Without another 429, the full rate is back within 7 s.
 */
function createSlowDown() {
	let shareAfter429 = 1;
	let slowedAtMs = -Infinity;
	let pausedUntilMs = -Infinity;
	const shareAt = (nowMs: number): number =>
		Math.min(1, shareAfter429 + regainedShare(Math.max(0, nowMs - pausedUntilMs) / 1000));
	return {
		shareAt,
		backOff: (nowMs: number, pauseMs: number): void => {
			if (nowMs - slowedAtMs < 1000) return;
			shareAfter429 = Math.max(minShare, shareAt(nowMs) * slowDownFactor);
			slowedAtMs = nowMs;
			pausedUntilMs = nowMs + pauseMs;
		},
	};
}

function createPace() {
	let nextStartMs = 0;
	return {
		nextStartMs: () => nextStartMs,
		pauseUntil: (ms: number) => void (nextStartMs = Math.max(nextStartMs, ms)),
		/** Plans the next start. If a timer was late, half an interval at most is made up for. */
		started: (nowMs: number, requestsPerSecond: number) => {
			const intervalMs = 1000 / requestsPerSecond;
			nextStartMs = Math.max(nextStartMs + intervalMs, nowMs + intervalMs / 2);
		},
	};
}

type Wanted = { requestsPerSecond: number; canStart: () => boolean };

/** Sleeps until the run's own speed allows its next request, or until it may no longer start. */
async function untilOwnStart(clock: Clock, startsAtMs: () => number, canStart: () => boolean) {
	for (;;) {
		const waitMs = startsAtMs() - clock.now();
		if (waitMs <= 0 || !canStart()) return;
		await clock.sleep(waitMs);
	}
}

/**
 * Creates the rate limiter of an account. Each run has its own queue, at its own speed. At most one request of a run at
 * a time waits in the queue that all runs of the account share, so the runs take turns. The shared queue admits 14
 * requests a second, or as many as the fastest run asks for.
 */
export function createRateLimiter() {
	const account = createPace();
	const slowDown = createSlowDown();
	const waiting = new Set<Wanted>();
	const shared = createQueue(account.nextStartMs);
	let openedAtMs = -Infinity;

	const accountSpeed = (): number =>
		Math.max(defaultRequestsPerSecond, ...[...waiting].map((wanted) => wanted.requestsPerSecond));

	/** Opens the queue of one run. With `hasPriority`, its requests start before those of other runs. */
	const openQueue = (clock: Clock, { hasPriority = false }: { hasPriority?: boolean }) => {
		const own = createPace();
		openedAtMs = clock.now();
		let lastTurn: Promise<void> = Promise.resolve();

		const takeTurn = async ({ requestsPerSecond, canStart }: Wanted) => {
			await untilOwnStart(clock, own.nextStartMs, canStart);
			await shared({ clock, hasPriority, canStart }, () => {
				const now = clock.now();
				const share = slowDown.shareAt(now);
				own.started(now, requestsPerSecond * share);
				account.started(now, accountSpeed() * share);
			});
		};

		return {
			/**
			 * Resolves when the next request may start, or may no longer start: ask `canStart`.
			 *
			 * @throws CancelledError
			 */
			acquire: async (
				requestsPerSecond: number,
				canStart: () => boolean = () => true,
			): Promise<void> => {
				const wanted = { requestsPerSecond, canStart };
				waiting.add(wanted);
				const turn = lastTurn
					.then(async () => await takeTurn(wanted))
					.finally(() => waiting.delete(wanted));
				lastTurn = turn.catch(() => undefined);
				await clock.unlessCancelled(turn);
			},
			/** After a 429: pauses all runs, then continues more slowly. */
			backOff: (pauseMs: number): void => {
				const now = clock.now();
				own.pauseUntil(now + pauseMs);
				account.pauseUntil(now + pauseMs);
				slowDown.backOff(now, pauseMs);
			},
		};
	};
	return {
		openQueue,
		/** Whether no queue was opened and no request has started or waited since this time. */
		isIdleSince: (ms: number): boolean =>
			waiting.size === 0 && Math.max(openedAtMs, account.nextStartMs()) < ms,
	};
}

/** The limit that all queues of one account share. */
export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** The queue of one run's requests, which start one after another at the run's own speed. */
export type Queue = ReturnType<RateLimiter['openQueue']>;
