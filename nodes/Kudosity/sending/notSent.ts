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

const ofTheNumber = ['invalid_number', 'opted_out'];

/** Whether numbers were left out for another reason than the numbers themselves. */
export const isSentInPart = (answer: Json): boolean => {
	const { not_sent: numbers } = answer as Partial<NotSentAnswer>;
	return Array.isArray(numbers) && numbers.some(({ code }) => !ofTheNumber.includes(code));
};
