import { NotBegunError } from '../api/errors';

export const hasNotBegun = (result: PromiseSettledResult<unknown> | undefined): boolean =>
	result === undefined || (result.status === 'rejected' && result.reason instanceof NotBegunError);

/** So many sends in a row that nobody answered: the service is in trouble. */
const mostUnanswered = 10;

/**
 * Whether another item may begin. Where the node stops at a failure, nothing begins after one, nor while the
 * service is in trouble: a batch must not become thousands of messages of unknown outcome.
 */
export const createBrake = (stopAtFailure: boolean) => {
	let hasFailed = false;
	let unanswered = 0;
	return {
		mayBegin: (): boolean => !stopAtFailure || (!hasFailed && unanswered < mostUnanswered),
		failed: () => void (hasFailed = true),
		unanswered: () => void unanswered++,
		answered: () => void (unanswered = 0),
	};
};
