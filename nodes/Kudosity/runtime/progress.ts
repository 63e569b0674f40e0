import { OutcomeUnknownError } from '../api/errors';
import type { Json } from '../api/json';

const isUnknown = (result: PromiseSettledResult<unknown>): boolean =>
	result.status === 'rejected' && result.reason instanceof OutcomeUnknownError;

type Progress = {
	shown: PromiseSettledResult<unknown>;
	total: number;
	/** Whether a re-run leaves alone what was accepted, as sends do. */
	remembersAnswers: boolean;
	/** Of an operation whose items go out together. */
	isSentInPart?: (answer: Json) => boolean;
};

/** Says how far the batch got: without Continue On Fail only the first failure is shown. */
export const progressOf = (
	results: Array<PromiseSettledResult<Json[]>>,
	{ shown, total, remembersAnswers, isSentInPart = () => false }: Progress,
): string => {
	const inPart = results.filter(
		(result) => result.status === 'fulfilled' && result.value.some(isSentInPart),
	).length;
	const done = results.filter(({ status }) => status === 'fulfilled').length - inPart;
	const unknown = results.filter((result) => result !== shown && isUnknown(result)).length;
	if (done + inPart + unknown === 0) return '';
	return [
		`${done} of ${total} items were done`,
		...(inPart === 0 ? [] : [`${inPart} went to a part of its numbers only`]),
		...(unknown === 0 ? [] : [`the outcome of ${unknown} more is unknown`]),
		...(remembersAnswers ? ['Retry On Fail does not repeat what was accepted'] : []),
	].join('; ');
};
