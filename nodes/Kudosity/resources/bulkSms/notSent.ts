import { isJson, type Json } from '../../api/json';
import type { FailureCode } from '../../runtime/failureCodes';

/** A number that an accepted request left out, and why. */
export type NotSent = { number: string; code: FailureCode; reason?: string };

/** Whether a number was left out for what it is, and not because its request failed. */
export const isOfTheNumber = ({ code }: NotSent): boolean =>
	code === 'invalid_number' || code === 'opted_out';

/** Of the answer of an item; a skipped one has the fields that came in. */
const notSentIn = (answer: Json): NotSent[] =>
	Array.isArray(answer.not_sent) && answer.skipped !== true
		? (answer.not_sent as unknown[]).filter(isJson).map((each) => each as NotSent)
		: [];

/** The numbers of an item that certainly got nothing. */
export const notSentOf = (answer: Json): Set<string> => {
	const left = notSentIn(answer).filter(({ code }) => code !== 'outcome_unknown');
	return new Set(left.map(({ number }) => number));
};

/** Whether numbers were left out for another reason than the numbers themselves. */
export const isSentInPart = (answer: Json): boolean =>
	notSentIn(answer).some((each) => !isOfTheNumber(each));
