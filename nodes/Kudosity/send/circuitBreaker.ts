import { NotStartedError, NotTriedError } from '../api/errors';
import { failureCodeOf } from '../api/failureCodeOf';
import { runCodes } from '../api/failureCodes';

/** Whether an item was never begun, so it can still be. */
export function isNotStarted(result: PromiseSettledResult<unknown> | undefined): boolean {
	return (
		result === undefined ||
		(result.status === 'rejected' && result.reason instanceof NotStartedError)
	);
}

/** Sends in a row without an answer: then the service is in trouble. */
const maxUnanswered = 10;

/** Requests in a row that fail alike because of the account, or on the way to it: then every other would. */
const maxAccountRefusals = 2;

const concernsAll = (error: unknown): boolean => runCodes.includes(failureCodeOf(error));

/**
 * Closed while another item may start. If the node stops at a failure, none starts after one. If it continues, all items
 * start, but none makes a request once the account is refused. While the service is in trouble, none starts in a node
 * that stops at a failure, nor in one that leaves the rest to a later run.
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
		/** @throws NotTriedError */
		requireAccount: (): void => {
			if (isAccountRefused()) throw new NotTriedError(accountRefusals[0]);
		},
		/** Notes how a request failed. @returns the error, or why the request was not tried */
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
