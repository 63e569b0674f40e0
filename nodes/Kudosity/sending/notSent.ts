import { isJson, type Json } from '../api/json';

/** A number that an accepted request left out, and why. */
export type NotSent<Code extends string = string> = { number: string; code: Code; reason?: string };

/** What the answer of an item with several numbers says of them. */
export type NotSentAnswer<Code extends string = string> = { not_sent: Array<NotSent<Code>> };

/** Of any answer: also of one of the service, or of a skipped item, which has the fields that came in. */
const notSentIn = (answer: Json): NotSent[] =>
	Array.isArray(answer.not_sent) && answer.skipped !== true
		? (answer.not_sent as unknown[]).filter(isJson).map((each) => each as NotSent)
		: [];

/** The numbers of an item that certainly got nothing. */
export const certainlyNotSent = (answer: Json): Set<string> => {
	const left = notSentIn(answer).filter(({ code }) => code !== 'outcome_unknown');
	return new Set(left.map(({ number }) => number));
};

/** Whether a number was left out for what it is, and not because its request failed. */
export const isOfTheNumber = ({ code }: NotSent): boolean =>
	code === 'invalid_number' || code === 'opted_out';

/** Whether numbers were left out for another reason than the numbers themselves. */
export const isSentInPart = (answer: Json): boolean =>
	notSentIn(answer).some((each) => !isOfTheNumber(each));
