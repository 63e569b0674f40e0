import type { Clock } from '../lib/async';
import type { ApiRequest, Result, Transport } from './transport';
import { hasGivenUp, NotStartedError } from './errors';
import { parseJson } from '../lib/json';
import type { Queue } from './rateLimiter';
import { readErrorBody } from './response';

export type RetryPolicy = {
	maxRepeats: number;
	firstPauseMs: number;
	maxPauseMs: number;
	/** After this time since the first try, the request is not repeated. */
	maxTotalMs: number;
	/** The longest pause that the service may ask for. If it asks for a longer one, the request fails. */
	maxRetryAfterMs: number;
};

/** Pauses for at most 32 s in all, unless the service asks for more. That is longer than bursts of other clients. */
const defaultRetryPolicy: RetryPolicy = {
	maxRepeats: 6,
	firstPauseMs: 500,
	maxPauseMs: 16_000,
	maxTotalMs: Infinity,
	maxRetryAfterMs: 60_000,
};

const tooManyRequests = 429;

/** Reads `Retry-After`, in seconds or as a date, as milliseconds from `nowMs` (RFC 9110, section 10.2.3). */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
	if (header === undefined || header.trim() === '') return undefined;
	const seconds = Number(header);
	const ms = Number.isNaN(seconds) ? Date.parse(header) - nowMs : seconds * 1000;
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/**
 * Whether a request may be repeated. After a 429 it may, because the service has dropped it, unless the limit is that
 * of one record. After a 5xx or no answer, only repeatable requests may.
 */
function mayRepeat(request: ApiRequest, result: Result): boolean {
	if (result.kind === 'noAnswer') return request.repeatable;
	if (result.status === tooManyRequests) return !request.isPerRecordLimit;
	return hasGivenUp(result.status) && request.repeatable;
}

/** Whether the service may have carried the request out without saying so. */
function mayBeDone(result: Result): boolean {
	return result.kind === 'noAnswer' ? result.wasSent : hasGivenUp(result.status);
}

/** Turns a 404 on a repeated DELETE into a success, because it means that the first attempt succeeded. */
function asDeleted({ method }: ApiRequest, result: Result): Result {
	if (method !== 'DELETE' || result.kind === 'noAnswer' || result.status !== 404) return result;
	const isOfService = readErrorBody(parseJson(result.text)?.value) !== undefined;
	return isOfService ? { ...result, status: 204, text: '' } : result;
}

/** Computes the pause by exponential backoff with jitter: between half and all of the doubled pause. */
function pauseBefore(
	repeat: number,
	{ firstPauseMs, maxPauseMs }: RetryPolicy,
	random: number,
): number {
	return Math.min(maxPauseMs, firstPauseMs * 2 ** repeat) * (0.5 + random / 2);
}

export type Pacing = {
	clock: Clock;
	queue: Queue;
	requestsPerSecond: number;
	policy?: RetryPolicy;
	/**
	 * Asked at the request's turn, which can be long after it was made. May throw the reason why the request must not
	 * be made then.
	 */
	canStart?: () => boolean;
};

/**
 * Waits for a turn, sends, and repeats the request if that is safe.
 *
 * @throws NotStartedError - `canStart` became false
 * @throws CancelledError - the execution was stopped
 */
export function withPacing(transport: Transport, pacing: Pacing): Transport {
	return async (request) => {
		const { clock, queue, requestsPerSecond, policy = defaultRetryPolicy, canStart } = pacing;
		let begunMs: number | undefined;
		let mayHaveBeenDone = false;
		for (let repeat = 0; ; repeat++) {
			await queue.acquire(requestsPerSecond, canStart);
			if (canStart?.() === false) throw new NotStartedError();
			begunMs ??= clock.now();
			const answer = await transport(request);
			const result = mayHaveBeenDone ? asDeleted(request, answer) : answer;
			mayHaveBeenDone ||= mayBeDone(result);
			const isLate = clock.now() - begunMs > policy.maxTotalMs;
			if (repeat >= policy.maxRepeats || isLate || !mayRepeat(request, result)) return result;

			const header = result.kind === 'answer' ? result.headers['retry-after'] : undefined;
			const askedMs = readRetryAfter(header, clock.calendarNow()) ?? 0;
			if (askedMs > policy.maxRetryAfterMs) return result;
			// At least our own pause is made, because "Retry-After: 0" would use up all repeats at once.
			const pauseMs = Math.max(askedMs, pauseBefore(repeat, policy, clock.random()));
			if (result.kind === 'answer' && result.status === tooManyRequests) queue.backOff(pauseMs);
			await clock.sleep(pauseMs);
		}
	};
}
