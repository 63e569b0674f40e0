import { NotStartedError, NotTriedError, OutcomeUnknownError } from '../api/errors';
import { failureCodeOf } from '../api/failureCodeOf';
import { runCodes } from '../api/failureCodes';
import type { Prepared, Results } from './attempt';

/** Whether an item was never started, so it can still be started later. */
export function isNotStarted(result: PromiseSettledResult<unknown> | undefined): boolean {
	return (
		result === undefined ||
		(result.status === 'rejected' && result.reason instanceof NotStartedError)
	);
}

/**
 * Returns the results of all items, in their order. For items that were never started, the reason is a message that
 * wasn't confirmed, if there is one and no other reason is known.
 */
export function completeResults(results: Results, items: Prepared[]): Results {
	const reasonOf = (result: Results[number] | undefined): unknown =>
		result?.status === 'rejected' ? result.reason : undefined;
	const reason = results.map(reasonOf).find((each) => each instanceof OutcomeUnknownError);
	const rest = { status: 'rejected', reason: new NotStartedError(reason) } as const;
	return items.map(({ item }) => {
		const result = results[item];
		if (result === undefined) return rest;
		const own = reasonOf(result);
		return own instanceof NotStartedError && own.reason === undefined ? rest : result;
	});
}

/** After this many consecutive sends with an unknown outcome, the service is considered to be in trouble. */
const maxUnanswered = 10;

/**
 * After this many consecutive requests that fail with the same code from `runCodes` (a problem with the account or the
 * connection to Kudosity), the run is stopped, because all other requests would fail, too.
 */
const maxAccountRefusals = 2;

const concernsAll = (error: unknown): boolean => runCodes.includes(failureCodeOf(error));

/**
 * Creates the circuit breaker of a run. While it is closed, more items may start.
 *
 * - With `stopAtFailure`, the first failure opens it.
 * - Without `stopAtFailure`, all items start, but once the account is rejected (see `maxAccountRefusals`), they make no
 *   more requests.
 * - If the service is in trouble (see `maxUnanswered`), it opens, too, so that the remaining items can be sent later.
 */
export function createCircuitBreaker({ stopAtFailure }: { stopAtFailure: boolean }) {
	let hasFailed = false;
	let unanswered = 0;
	let accountRefusals: unknown[] = [];
	const isClosed = (): boolean => !(stopAtFailure && hasFailed) && unanswered < maxUnanswered;
	const isAccountRefused = (): boolean =>
		!stopAtFailure && accountRefusals.length >= maxAccountRefusals;
	return {
		isClosed,
		mayRequest: (): boolean => isClosed() && !isAccountRefused(),
		/** @throws NotTriedError - the account is rejected */
		requireAccount: (): void => {
			if (isAccountRefused()) throw new NotTriedError(accountRefusals[0]);
		},
		/**
		 * Records a failed request.
		 *
		 * @returns the error, or a NotTriedError if Kudosity had already rejected the account and the request was not
		 * made
		 */
		refused: (error: unknown): unknown => {
			if (isAccountRefused()) {
				return error instanceof NotStartedError ? new NotTriedError(accountRefusals[0]) : error;
			}
			const isAlike = failureCodeOf(error) === failureCodeOf(accountRefusals[0]);
			const before = isAlike ? accountRefusals : [];
			accountRefusals = concernsAll(error) ? [...before, error] : [];
			return error;
		},
		failed: () => void (hasFailed = true),
		unanswered: () => void unanswered++,
		answered: () => {
			unanswered = 0;
			if (!isAccountRefused()) accountRefusals = [];
		},
	};
}

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;
