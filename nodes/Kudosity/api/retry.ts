import type { Clock } from '../lib/async';
import type { HttpAnswer, ApiRequest, NoAnswer, Transport } from './transport';
import { NotStartedError } from './errors';
import { parseJson } from '../lib/json';
import type { Queue } from './rateLimiter';
import { readErrorBody } from './response';

export type RetryPolicy = {
	/** How often a request is repeated after its first try. */
	maxRepeats: number;
	firstPauseMs: number;
	longestPauseMs: number;
	/** So long after its first try, a request is not repeated any more. */
	longestMs?: number;
	/** A service that asks for a longer pause than this is not waited for. */
	longestRetryAfterMs?: number;
};

/** About 30 s in all: longer than any burst of other clients, shorter than a user's patience. */
const defaultRetryPolicy: RetryPolicy = {
	maxRepeats: 6,
	firstPauseMs: 500,
	longestPauseMs: 16_000,
};

const usualRetryAfterMs = 60_000;

const tooManyRequests = 429;

/** `Retry-After` in seconds or as a date, in milliseconds from `nowMs` (RFC 9110, section 10.2.3). */
export const readRetryAfter = (header: string | undefined, nowMs: number): number | undefined => {
	if (header === undefined || header.trim() === '') return undefined;
	const seconds = Number(header);
	const ms = Number.isNaN(seconds) ? Date.parse(header) - nowMs : seconds * 1000;
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
};

/**
 * Whether doing the request again can do no harm. A 429 was dropped by the service, so it can always be
 * repeated, but for the limit of a record; a 5xx or silence only when the request is repeatable.
 */
const mayRepeat = (request: ApiRequest, result: HttpAnswer | NoAnswer): boolean => {
	if (result.kind === 'noAnswer') return request.repeatable;
	if (result.status === tooManyRequests) return !request.hasOwnLimit;
	return result.status >= 500 && request.repeatable;
};

/** Whether the service may have done what was asked, though it did not say so. */
const mayBeDone = (result: HttpAnswer | NoAnswer): boolean =>
	result.kind === 'noAnswer' ? result.wasSent : result.status >= 500;

/** What the service says is gone when it is deleted again was deleted by the try before. */
const asDeleted = (
	{ method }: ApiRequest,
	result: HttpAnswer | NoAnswer,
): HttpAnswer | NoAnswer => {
	if (method !== 'DELETE' || result.kind === 'noAnswer' || result.status !== 404) return result;
	const isOfService = readErrorBody(parseJson(result.text)?.value) !== undefined;
	return isOfService ? { ...result, status: 204, text: '' } : result;
};

/** Exponential back-off with jitter: between half and all of the doubled pause. */
export const pauseBefore = (
	repeat: number,
	{ firstPauseMs, longestPauseMs }: RetryPolicy,
	random: number,
): number => Math.min(longestPauseMs, firstPauseMs * 2 ** repeat) * (0.5 + random / 2);

export type Pacing = {
	clock: Clock;
	/** The line of this run. */
	line: Queue;
	requestsPerSecond: number;
	policy?: RetryPolicy;
	/** Asked when it is a request's turn, which can be long after it was made. */
	mayBegin?: () => boolean;
};

/**
 * A transport that keeps to the account's limit and repeats what can be repeated without harm.
 *
 * @throws NotBegunError when a request may not begin any more, CancelledError when the execution was stopped
 */
export const withPacing =
	(transport: Transport, pacing: Pacing): Transport =>
	async (request) => {
		const { clock, line, requestsPerSecond, policy = defaultRetryPolicy, mayBegin } = pacing;
		const { longestMs = Infinity, longestRetryAfterMs = usualRetryAfterMs } = policy;
		let begunMs: number | undefined;
		let mayHaveBeenDone = false;
		for (let repeat = 0; ; repeat++) {
			await line.acquire(requestsPerSecond, mayBegin);
			if (mayBegin?.() === false) throw new NotStartedError();
			begunMs ??= clock.now();
			const answer = await transport(request);
			const result = mayHaveBeenDone ? asDeleted(request, answer) : answer;
			mayHaveBeenDone ||= mayBeDone(result);
			const isThrottled = result.kind === 'answer' && result.status === tooManyRequests;
			const isLate = clock.now() - begunMs > longestMs;
			if (repeat >= policy.maxRepeats || isLate || !mayRepeat(request, result)) return result;

			const asked =
				result.kind === 'answer'
					? readRetryAfter(result.headers['retry-after'], clock.calendarNow())
					: undefined;
			if (asked !== undefined && asked > longestRetryAfterMs) return result;
			// "0" asks for no pause at all, which would use up all repeats at once.
			const pauseMs = Math.max(asked ?? 0, pauseBefore(repeat, policy, clock.random()));
			if (isThrottled) line.throttled(pauseMs);
			await clock.sleep(pauseMs);
		}
	};
