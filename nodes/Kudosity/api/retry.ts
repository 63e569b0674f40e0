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
	/** Once this much time has passed since the first attempt, the request is not retried. */
	maxTotalMs: number;
	/** The longest `Retry-After` that is obeyed. If the service asks for a longer pause, the request fails. */
	maxRetryAfterMs: number;
};

/**
 * By default, the pauses add up to at most 32 s, unless the service asks for more. That outlasts bursts from other
 * clients.
 */
const defaultRetryPolicy: RetryPolicy = {
	maxRepeats: 6,
	firstPauseMs: 500,
	maxPauseMs: 16_000,
	maxTotalMs: Infinity,
	maxRetryAfterMs: 60_000,
};

const tooManyRequests = 429;

/**
 * Parses `Retry-After`, given in seconds or as a date, into milliseconds from `nowMs` (RFC 9110, section 10.2.3).
 * Returns undefined if it is missing or invalid.
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
	if (header === undefined || header.trim() === '') return undefined;
	const seconds = Number(header);
	const ms = Number.isNaN(seconds) ? Date.parse(header) - nowMs : seconds * 1000;
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/**
 * Whether a request may be retried. After a 429, any request may, because the service didn't process it. The exception
 * is a limit on a single record, where retrying soon is pointless. After a 5xx, a 408 or no response, only idempotent
 * requests may be retried.
 */
function mayRepeat(request: ApiRequest, result: Result): boolean {
	if (result.kind === 'noAnswer') return request.repeatable;
	if (result.status === tooManyRequests) return !request.isPerRecordLimit;
	return hasGivenUp(result.status) && request.repeatable;
}

/** Whether the service may have carried out the request without confirming it. */
function mayBeDone(result: Result): boolean {
	return result.kind === 'noAnswer' ? result.wasSent : hasGivenUp(result.status);
}

/**
 * Turns the service's 404 for a retried DELETE into a success: an earlier attempt, whose outcome was unknown, must have
 * deleted the record.
 */
function asDeleted({ method }: ApiRequest, result: Result): Result {
	if (method !== 'DELETE' || result.kind === 'noAnswer' || result.status !== 404) return result;
	const isOfService = readErrorBody(parseJson(result.text)?.value) !== undefined;
	return isOfService ? { ...result, status: 204, text: '' } : result;
}

/**
 * Computes the pause before a retry. The pause doubles with each retry, up to `maxPauseMs`, and is then reduced to a
 * random 50% to 100% of that value (jitter).
 */
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
	 * Called when the request's turn comes, which can be long after it was queued. Returns false, or throws the reason,
	 * if the request must no longer be sent.
	 */
	canStart?: () => boolean;
};

/**
 * Waits for a turn in the queue, sends the request, and retries it if that is safe.
 *
 * @throws NotStartedError - `canStart` returned false
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
			// The pause is never shorter than our own backoff, because "Retry-After: 0" would use up all retries at
			// once.
			const pauseMs = Math.max(askedMs, pauseBefore(repeat, policy, clock.random()));
			if (result.kind === 'answer' && result.status === tooManyRequests) queue.backOff(pauseMs);
			await clock.sleep(pauseMs);
		}
	};
}
