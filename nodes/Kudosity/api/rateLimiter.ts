import type { Clock } from '../lib/async';

type Turn = {
	clock: Clock;
	/** Whether this turn starts before all turns without priority. */
	hasPriority: boolean;
	/** Checked whenever the turn wakes up. If it returns false, the turn leaves the queue. */
	canStart: () => boolean;
};

type Waiter = Turn & { wake: () => void };

/**
 * Creates a queue whose next turn starts at `startsAtMs()` or later. Turns are in FIFO order, except that those with
 * priority come first. Each waiter brings its own clock, because the queue has no timer.
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
				// In the meantime, a pause may begin or a turn with priority may arrive, so the loop checks again.
				await waiter.clock.sleep(waitMs);
			} else return true;
		}
		return false;
	};

	/**
	 * Waits for the turn, then calls `start` before any other turn begins. If the turn may no longer start, `start` is
	 * not called.
	 *
	 * @throws CancelledError - the execution was stopped
	 */
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

/** Kudosity allows each account 15 requests per second. One of them is left for the account's other clients. */
export const defaultRequestsPerSecond = 14;

const minShare = 0.1;
const slowDownFactor = 0.7;

/**
 * The share of the full rate that is regained some seconds after a pause. It grows slowly at first, to stay near the
 * rate that the service accepts, and then faster, because other clients have probably finished by then.
 */
function regainedShare(seconds: number): number {
	return 0.02 * seconds ** 2;
}

/**
 * Creates the throttle for an account, which is needed because other processes may use the same account. A 429 lowers
 * the rate by 30%, at most once per second and never below 10% of the full rate. If no other 429 follows, the full rate
 * is restored within 7 s after the pause that the 429 caused.
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
		/**
		 * Schedules the next start. If the current request started late, e.g. because of a slow timer, the next one may
		 * start earlier to make up for it, but by at most half an interval.
		 */
		started: (nowMs: number, requestsPerSecond: number) => {
			const intervalMs = 1000 / requestsPerSecond;
			nextStartMs = Math.max(nextStartMs + intervalMs, nowMs + intervalMs / 2);
		},
	};
}

type Wanted = { requestsPerSecond: number; canStart: () => boolean };

/** Sleeps until the run's own rate allows its next request, or until the request may no longer start. */
async function untilOwnStart(clock: Clock, startsAtMs: () => number, canStart: () => boolean) {
	for (;;) {
		const waitMs = startsAtMs() - clock.now();
		if (waitMs <= 0 || !canStart()) return;
		await clock.sleep(waitMs);
	}
}

/**
 * Creates an account's rate limiter. Each run has its own queue with its own rate. Only one request per run at a time
 * waits in the queue that all runs of the account share, so the runs take turns. The shared queue admits 14 requests
 * per second, or as many as the fastest waiting run asks for.
 */
export function createRateLimiter() {
	const account = createPace();
	const slowDown = createSlowDown();
	const waiting = new Set<Wanted>();
	const shared = createQueue(account.nextStartMs);
	let openedAtMs = -Infinity;

	const accountSpeed = (): number =>
		Math.max(defaultRequestsPerSecond, ...[...waiting].map((wanted) => wanted.requestsPerSecond));

	/** Opens a run's queue. With `hasPriority`, its requests start before those of other runs. */
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
			 * Resolves when the next request may start, or when it may no longer start. Callers must check `canStart`
			 * to tell the two apart.
			 *
			 * @throws CancelledError - the execution was stopped
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
			/** Called after a 429: pauses all runs, then continues at a lower rate. */
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
		/**
		 * Whether the limiter has been idle since `ms`: no queue was opened, and no request has started or is waiting.
		 */
		isIdleSince: (ms: number): boolean =>
			waiting.size === 0 && Math.max(openedAtMs, account.nextStartMs()) < ms,
	};
}

/** The rate limiter that all queues of an account share. */
export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** A run's request queue. Its requests start one after another, at the run's own rate. */
export type Queue = ReturnType<RateLimiter['openQueue']>;
