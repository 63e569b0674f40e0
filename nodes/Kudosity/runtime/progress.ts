import { OutcomeUnknownError } from '../api/errors';

const isUnknown = (result: PromiseSettledResult<unknown>): boolean =>
	result.status === 'rejected' && result.reason instanceof OutcomeUnknownError;

type Progress = {
	shown: PromiseSettledResult<unknown>;
	total: number;
	/** Whether a re-run leaves alone what was accepted, as sends do. */
	remembersAnswers: boolean;
};

/** Says how far the batch got: without Continue On Fail only the first failure is shown. */
export const progressOf = (
	results: Array<PromiseSettledResult<unknown>>,
	{ shown, total, remembersAnswers }: Progress,
): string => {
	const done = results.filter(({ status }) => status === 'fulfilled').length;
	const unknown = results.filter((result) => result !== shown && isUnknown(result)).length;
	if (done + unknown === 0) return '';
	return [
		`${done} of ${total} items were done`,
		...(unknown === 0 ? [] : [`the outcome of ${unknown} more is unknown`]),
		...(remembersAnswers ? ['Retry On Fail does not repeat what was accepted'] : []),
	].join('; ');
};
