import { normalizeWords } from '../lib/text';
import { asksBack, joined, withoutCourtesy } from './replyWords';

/** Returns the number at the start of a text such as “3 pm”. */
function numberBefore(text: string): number | undefined {
	const [digits] = /^\d+/.exec(normalizeWords(text)) ?? [];
	return digits === undefined ? undefined : Number(digits);
}

/** Returns the index of the only choice that starts with the number in `plain`; -1 if there is none, or several. */
function indexByLeadingNumber(choices: readonly string[], plain: string): number {
	if (!/^\d+$/.test(plain)) return -1;
	const numbers = choices.map(numberBefore);
	const index = numbers.indexOf(Number(plain));
	return index === numbers.lastIndexOf(Number(plain)) ? index : -1;
}

/** The maximum length of a word between a number and its choice, including a space, e.g. “for” in “1 for Mon 2pm”. */
const maxWordLength = 5;

/** Normalizes a message in which signs can stand between a choice and its number: “1=yes, 2=no”. */
const wordsOf = (message: string): string => ` ${normalizeWords(message.replace(/[=<>]/g, ' '))} `;

/**
 * Whether a message numbers the choices itself, as in “1. Mon 2pm, 2. Mon 3pm” or “Reply 1 for Mon 2pm or 2 for Mon
 * 3pm”. The first two choices must be numbered, too, because a number in front of the choice at `index` can belong to
 * the choice before it: “Dec 2, Dec 3 or Dec 4”.
 */
function isNumbered(choices: readonly string[], index: number, sent: readonly string[]): boolean {
	return sent.some((text) => {
		const plain = wordsOf(text);
		return [0, 1, index].every((each) => {
			const choice = ` ${normalizeWords(choices[each] ?? '')} `;
			const numbers = [...plain.matchAll(new RegExp(` ${each + 1}(?= )`, 'g'))];
			return numbers.some((number) => {
				const start = number.index + number[0].length;
				const after = plain.slice(start, start + choice.length + maxWordLength);
				const afterWord = after.replace(/^ \p{L}+(?= )/u, '');
				return after.startsWith(choice) || afterWord.startsWith(choice);
			});
		});
	});
}

/** Returns the words of a message, with `#1` instead of the first choice, and so on. */
function wordsWithChoices(choices: readonly string[], text: string): string[] {
	const named = choices.map((choice, index) => [normalizeWords(choice), `#${index + 1}`] as const);
	// A choice can contain another one: “Not today”, “Today”.
	named.sort(([one], [other]) => other.length - one.length);
	return named
		.reduce((rest, [choice, name]) => rest.replaceAll(` ${choice} `, ` ${name} `), wordsOf(text))
		.split(' ');
}

/**
 * Whether the numbers in a message count the choices: “Yes = 1, No = 2”, or in two lists: “Mon, Tue or Wed? Reply 1, 2
 * or 3”.
 */
function countsChoices(choices: readonly string[], sent: readonly string[]): boolean {
	const numbers = choices.map((_, index) => String(index + 1));
	const orders = [
		numbers.flatMap((number) => [number, `#${number}`]),
		numbers.flatMap((number) => [`#${number}`, number]),
		[...numbers.map((number) => `#${number}`), ...numbers],
	];
	return sent.some((text) => {
		const all = wordsWithChoices(choices, text);
		// The message counts from zero.
		if (all.includes('0')) return false;
		const words = all.filter((word) => word.startsWith('#') || numbers.includes(word)).join(' ');
		return orders.some((order) => ` ${words} `.includes(` ${order.join(' ')} `));
	});
}

/**
 * Whether a number stands in a message outside the choices, where it may be the number of a choice, or mean something
 * else: “For 9am reply 1, for 1pm reply 2”, “2 tables are left. Yes or no?”
 */
const isLabel = (digits: string, choices: readonly string[], sent: readonly string[]): boolean =>
	sent.some((text) => wordsWithChoices(choices, text).includes(digits));

/**
 * Whether a reply with a choice's number (`index` + 1) may mean another choice whose text contains that number. For
 * example, “2” may mean the second choice, or “Mon 2pm”. Returns false if it is unknown what was sent and the choice at
 * `index` has no number in its text, such as “Neither”.
 */
function mayMeanAnother(
	choices: readonly string[],
	index: number,
	sent: readonly string[],
): boolean {
	const numbers = choices.map((choice): string[] => normalizeWords(choice).match(/\d+/g) ?? []);
	const digits = String(index + 1);
	const isElsewhere = numbers.some((all, other) => other !== index && all.includes(digits));
	return isElsewhere && (sent.length > 0 || numbers[index]?.length !== 0);
}

/**
 * Returns the index of the choice that is named by its number, as in "2", "(2)" or "2. Thursday"; -1 if there is none.
 */
function indexByNumber(choices: readonly string[], plain: string, sent: readonly string[]): number {
	const [, digits = '', rest = ''] = /^(\d{1,2})(?: (.+))?$/.exec(plain) ?? [];
	const index = Number(digits) - 1;
	const choice = choices[index];
	const isPosition = digits !== '' && choice !== undefined;
	// If the message itself numbers the choices, the recipient goes by these numbers.
	const isClear = isPosition && isNumbered(choices, index, sent);
	// Otherwise, if some choices begin with a number, a number in the reply can only mean one of these, because it is
	// unclear whether it could mean a position.
	if (!isClear && choices.some((each) => numberBefore(each) !== undefined)) {
		return isLabel(plain, choices, sent) ? -1 : indexByLeadingNumber(choices, plain);
	}
	if (!isPosition) return -1;
	const meansPosition = countsChoices(choices, sent) || !isLabel(digits, choices, sent);
	const isNamed =
		rest === ''
			? isClear || (meansPosition && !mayMeanAnother(choices, index, sent))
			: joined(normalizeWords(choice)) === joined(rest);
	return isNamed ? index : -1;
}

/** Returns the index of the only choice that equals the text, ignoring spaces; -1 if there is none, or several. */
function indexJoined(choices: readonly string[], plain: string): number {
	const all = choices.map((choice) => joined(normalizeWords(choice)));
	const index = all.indexOf(joined(plain));
	return index === all.lastIndexOf(joined(plain)) ? index : -1;
}

/**
 * Whether the message numbers the choices, and a number is that of another choice than the one that equals it: “1. 2
 * guests, 2. 4 guests”.
 */
function isNumberOfAnother(
	choices: readonly string[],
	said: string,
	sent: readonly string[],
): boolean {
	const index = /^\d{1,2}$/.test(said) ? Number(said) - 1 : -1;
	const choice = choices[index];
	return (
		choice !== undefined && normalizeWords(choice) !== said && isNumbered(choices, index, sent)
	);
}

/**
 * Returns the choice that a text names, either by its words or by its number, counted from 1. `sent` has the texts that
 * were sent to the recipient.
 */
export function choiceOf(
	choices: readonly string[],
	text: string,
	sent: readonly string[] = [],
): string | undefined {
	const choiceIn = (said: string) =>
		choices.find(
			(each) => normalizeWords(each) === said && !isNumberOfAnother(choices, said, sent),
		) ??
		choices[indexByNumber(choices, said, sent)] ??
		choices[indexJoined(choices, said)];
	const plain = normalizeWords(text);
	const words = withoutCourtesy(
		plain.split(' '),
		choices.map((each) => normalizeWords(each).split(' ')),
	);
	for (const said of [plain, words.join(' ')]) {
		const choice = said === '' ? undefined : choiceIn(said);
		if (choice === undefined) continue;
		return !asksBack(text) || (asksBack(choice) && /\D/.test(said)) ? choice : undefined;
	}
	return undefined;
}
