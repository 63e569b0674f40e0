import { NotStartedError, NotTriedError } from '../api/errors';
import { failureCodeOf } from '../api/failureCodeOf';
import { runCodes } from '../api/failureCodes';

/** Whether an item was never started, so it can still be. */
export function isNotStarted(result: PromiseSettledResult<unknown> | undefined): boolean {
	return (
		result === undefined ||
		(result.status === 'rejected' && result.reason instanceof NotStartedError)
	);
}

/** After this many sends in a row without an answer, the service counts as being in trouble. */
const maxUnanswered = 10;

/**
 * After this many requests in a row that fail alike because of the account, or on the way to it, every other one would
 * fail, too.
 */
const maxAccountRefusals = 2;

const concernsAll = (error: unknown): boolean => runCodes.includes(failureCodeOf(error));

/**
 * Creates the circuit breaker of a run, which is closed while another item may start. If the node stops at a failure,
 * no item starts after one. If the node continues, all items start, but none makes a request once the account is
 * refused. While the service is in trouble, no item starts in a node that stops at a failure, or that leaves the rest
 * to a later run.
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
		/** Notes why a request failed. @returns the error, or why the request was not tried */
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
