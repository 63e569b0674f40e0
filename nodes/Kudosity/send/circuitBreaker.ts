import { NotStartedError, NotTriedError } from '../api/errors';
import { failureCodeOf } from '../api/failureCodeOf';
import { runCodes } from '../api/failureCodes';

/** Whether an item was never started, so it can still be started later. */
export function isNotStarted(result: PromiseSettledResult<unknown> | undefined): boolean {
	return (
		result === undefined ||
		(result.status === 'rejected' && result.reason instanceof NotStartedError)
	);
}

/** After this many consecutive sends with an unknown outcome, the service is considered to be in trouble. */
const maxUnanswered = 10;

/**
 * After this many consecutive requests that fail with the same code, because of the account or the connection to the
 * service, the account counts as refused: all other requests would fail, too.
 */
const maxAccountRefusals = 2;

const concernsAll = (error: unknown): boolean => runCodes.includes(failureCodeOf(error));

/**
 * Creates the circuit breaker of a run. As long as it is closed, more items may start. If the node stops at a failure,
 * no item starts after one. If the node continues, all items start, but none of them makes a request once the account
 * is refused. If the service is in trouble, no more items start in a node that stops at a failure or leaves the
 * remaining items to a later run.
 */
export function createCircuitBreaker({
	stopAtFailure,
	leavesRest,
}: {
	stopAtFailure: boolean;
	leavesRest: boolean;
}) {
	const stopInTrouble = stopAtFailure || leavesRest;
	let hasFailed = false;
	let unanswered = 0;
	let accountRefusals: unknown[] = [];
	const isClosed = (): boolean =>
		!(stopAtFailure && hasFailed) && !(stopInTrouble && unanswered >= maxUnanswered);
	const isAccountRefused = (): boolean =>
		!stopAtFailure && accountRefusals.length >= maxAccountRefusals;
	return {
		isClosed,
		mayRequest: (): boolean => isClosed() && !isAccountRefused(),
		/** @throws NotTriedError - the account is refused */
		requireAccount: (): void => {
			if (isAccountRefused()) throw new NotTriedError(accountRefusals[0]);
		},
		/**
		 * Records a failed request.
		 *
		 * @returns the error, or a NotTriedError if Kudosity had already refused the account, so the request was never made
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
