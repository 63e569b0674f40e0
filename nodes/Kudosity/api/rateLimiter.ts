import type { Clock } from '../lib/async';

/** Somebody who waits for a turn. */
type Turn = {
	clock: Clock;
	/** Ahead of all who do not, whoever came first. */
	goesFirst: boolean;
	/** Asked again after each wait: who may not begin any more leaves the line. */
	mayBegin: () => boolean;
};

type Place = Turn & { lookAgain: () => void };

/**
 * A line in which one at a time may start, first come first served. Who is next waits until `startsAtMs`, by
 * a clock of its own: a line has none, so it ends with those who stand in it.
 */
export const createQueue = (startsAtMs: () => number) => {
	let places: Place[] = [];
	const next = () => places.find(({ goesFirst }) => goesFirst) ?? places[0];

	const waitFor = async (place: Place): Promise<boolean> => {
		while (place.mayBegin()) {
			const waitMs = startsAtMs() - place.clock.now();
			if (next() !== place) {
				const turn = new Promise<void>((resolve) => (place.lookAgain = resolve));
				await place.clock.unlessCancelled(turn);
			} else if (waitMs > 0) {
				// Meanwhile a pause can begin, or somebody come who goes first.
				await place.clock.sleep(waitMs);
			} else return true;
		}
		return false;
	};

	/**
	 * Waits for the turn, and calls `start` at it, before anybody else can have one.
	 *
	 * @throws CancelledError when the execution was stopped
	 */
	return async (turn: Turn, start: () => void): Promise<void> => {
		const place: Place = { ...turn, lookAgain: () => undefined };
		places.push(place);
		try {
			if (await waitFor(place)) start();
		} finally {
			places = places.filter((other) => other !== place);
			next()?.lookAgain();
		}
	};
};

/** The account's limit is 15 requests a second; one is left for whatever else uses the account. */
export const defaultRequestsPerSecond = 14;

/** One run's requests, one after the other, at the speed that it chose. */
export type Queue = {
	/**
	 * Resolves when the next request may start, first come first served. One that may not begin any more by
	 * then gives up its place, so that nobody waits for it.
	 *
	 * @throws CancelledError when the execution was stopped
	 */
	acquire(requestsPerSecond: number, mayBegin?: () => boolean): Promise<void>;
	/** The service said "too many" (429): pause everybody, then go on more slowly. */
	throttled(pauseMs: number): void;
};

/** What all lines of one account share: its limit. */
export type RateLimiter = {
	/** A line for one run. With `goesFirst`, its requests start before those of all other lines. */
	openLine(clock: Clock, options?: { goesFirst?: boolean }): Queue;
	/** Whether no line was opened, and no request started or waited for, since then. */
	isIdleSince(ms: number): boolean;
};

const minShare = 0.1;
const slowDownFactor = 0.7;

/** Slowly at first, to stay near the speed that the service takes; then faster: the others have gone. */
const regainedShare = (seconds: number): number => 0.02 * seconds ** 2;

/**
 * Another process may use the same account: a 429 lowers the rate by 30 % (not below 10 % of it, at most once
 * a second). Without another 429 the full rate is back within 7 s.
 */
const createSlowDown = () => {
	let shareAfter429 = 1;
	let slowedAtMs = -Infinity;
	let pausedUntilMs = -Infinity;
	const shareAt = (nowMs: number): number =>
		Math.min(1, shareAfter429 + regainedShare(Math.max(0, nowMs - pausedUntilMs) / 1000));
	return {
		shareAt,
		throttled: (nowMs: number, pauseMs: number): void => {
			if (nowMs - slowedAtMs < 1000) return;
			shareAfter429 = Math.max(minShare, shareAt(nowMs) * slowDownFactor);
			slowedAtMs = nowMs;
			pausedUntilMs = nowMs + pauseMs;
		},
	};
};

/** When the next request may start, so that requests are evenly spaced. */
const createPace = () => {
	let nextStartMs = 0;
	return {
		nextStartMs: () => nextStartMs,
		pauseUntil: (ms: number) => void (nextStartMs = Math.max(nextStartMs, ms)),
		/** A timer that fires late is caught up with, by half an interval at most. */
		started: (nowMs: number, requestsPerSecond: number) => {
			const intervalMs = 1000 / requestsPerSecond;
			nextStartMs = Math.max(nextStartMs + intervalMs, nowMs + intervalMs / 2);
		},
	};
};

type Wanted = { requestsPerSecond: number; mayBegin: () => boolean };

/** A run's own line: sleeps until the run may start its next request, unless it may not begin any more. */
const untilOwnStart = async (clock: Clock, startsAtMs: () => number, mayBegin: () => boolean) => {
	for (;;) {
		const waitMs = startsAtMs() - clock.now();
		if (waitMs <= 0 || !mayBegin()) return;
		await clock.sleep(waitMs);
	}
};

/**
 * Each run has a line of its own, in which its requests start at its own speed, and of which one request at
 * most waits in the line that all runs of the account share: there, runs take turns. The shared line lets
 * through 14 a second, or as many as the fastest run wants that waits: its account has had its limit raised.
 */
export const createRateLimiter = (): RateLimiter => {
	const account = createPace();
	const slowDown = createSlowDown();
	const waiting = new Set<Wanted>();
	const shareLine = createQueue(account.nextStartMs);
	let openedAtMs = -Infinity;

	const accountSpeed = (): number =>
		Math.max(defaultRequestsPerSecond, ...[...waiting].map((wanted) => wanted.requestsPerSecond));

	const openLine: RateLimiter['openLine'] = (clock, { goesFirst = false } = {}) => {
		const own = createPace();
		openedAtMs = clock.now();
		let lastInLine: Promise<void> = Promise.resolve();

		const takeTurn = async ({ requestsPerSecond, mayBegin }: Wanted) => {
			await untilOwnStart(clock, own.nextStartMs, mayBegin);
			await shareLine({ clock, goesFirst, mayBegin }, () => {
				const now = clock.now();
				const share = slowDown.shareAt(now);
				own.started(now, requestsPerSecond * share);
				account.started(now, accountSpeed() * share);
			});
		};

		return {
			acquire: async (requestsPerSecond, mayBegin = () => true) => {
				const wanted = { requestsPerSecond, mayBegin };
				waiting.add(wanted);
				const turn = lastInLine
					.then(async () => await takeTurn(wanted))
					.finally(() => waiting.delete(wanted));
				lastInLine = turn.catch(() => undefined);
				await clock.unlessCancelled(turn);
			},
			throttled: (pauseMs) => {
				const now = clock.now();
				own.pauseUntil(now + pauseMs);
				account.pauseUntil(now + pauseMs);
				slowDown.throttled(now, pauseMs);
			},
		};
	};
	return {
		openLine,
		isIdleSince: (ms) => waiting.size === 0 && Math.max(openedAtMs, account.nextStartMs()) < ms,
	};
};
