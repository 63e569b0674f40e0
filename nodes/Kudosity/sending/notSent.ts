import type { Json } from '../api/json';

/** A number that an accepted request left out, and why. */
export type NotSent<Code extends string = string> = { number: string; code: Code; reason?: string };

/** What the answer of an item with several numbers says of them. */
export type NotSentAnswer<Code extends string = string> = { not_sent: Array<NotSent<Code>> };

/** The numbers of an item that certainly got nothing. */
export const certainlyNotSent = (answer: Json): Set<string> => {
	const { not_sent: numbers = [] } = answer as Partial<NotSentAnswer>;
	const left = numbers.filter(({ code }) => code !== 'outcome_unknown');
	return new Set(left.map(({ number }) => number));
};
