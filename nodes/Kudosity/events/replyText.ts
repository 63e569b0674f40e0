import { normalizeUnicode, normalizeWords } from '../lib/text';

/**
 * A message of one of these words alone asks for no more messages. Kudosity itself documents STOP; the others are
 * those of the CTIA's messaging principles and of the rules of the FCC (47 CFR 64.1200), which carriers go by.
 */
export const stopWords = [
	'STOP',
	'STOPALL',
	'UNSUBSCRIBE',
	'CANCEL',
	'END',
	'QUIT',
	'REVOKE',
	'OPTOUT',
] as const;

/** Letters and digits, and what stands within a word: don't, opt-out. */
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’‐-][\p{L}\p{M}\p{N}]+)*/u;
const notInWords = /[^\p{L}\p{M}\p{N}]+/gu;

/** The first word, in upper case and without punctuation; absent when there is none. */
export const keywordOf = (text: string): string | undefined =>
	word.exec(normalizeUnicode(text))?.[0].replace(notInWords, '').toUpperCase();

const maxLetters = Math.max(...stopWords.map(({ length }) => length));
const letter = /[\p{L}\p{N}]/gu;

/** Most texts are: they need not be read to their end. */
const isTooLong = (text: string): boolean => {
	letter.lastIndex = 0;
	for (let count = 0; count <= maxLetters; count++) if (!letter.test(text)) return false;
	return true;
};

/** Whether the text is a stop word and nothing else, however it is spaced and punctuated: "Opt-out!", not "the end". */
export const isStopWord = (text: string): boolean => {
	if (isTooLong(text)) return false;
	const letters = normalizeUnicode(text).replace(notInWords, '').toUpperCase();
	return stopWords.some((stopWord) => stopWord === letters);
};

/**
 * Whether the service itself takes a text as an opt-out, whatever it was meant to answer. Read as answers are, so that
 * "Stop 🛑" may be one.
 */
export const isStop = (text: string): boolean => normalizeWords(text) === 'STOP';

/** Examples in several languages. People write what they like: users see these in the panel and change them. */
export const defaultApproveWords = [
	'Yes',
	'Yes please',
	'Y',
	'Yep',
	'OK',
	'Okay',
	'Sure',
	'Approve',
	'Approved',
	'Confirm',
	'👍',
	'Ja',
	'Oui',
	'Sí',
	'Sim',
	'Да',
	'はい',
	'好',
	'हाँ',
	'نعم',
];
export const defaultDeclineWords = [
	'No',
	'No thanks',
	'No thank you',
	'N',
	'Nope',
	'Decline',
	'Declined',
	'Reject',
	'👎',
	'Nein',
	'Nee',
	'Non',
	'Não',
	'Нет',
	'いいえ',
	'不',
	'नहीं',
	'لا',
];

export const isAmong = (words: readonly string[], text: string): boolean => {
	const plain = normalizeWords(text);
	return plain !== '' && words.some((word) => normalizeWords(word) === plain);
};

/** The number that a text begins with, as “3 pm” does. */
const numberBefore = (text: string): number | undefined => {
	const [digits] = /^\d+/.exec(normalizeWords(text)) ?? [];
	return digits === undefined ? undefined : Number(digits);
};

/** The place of the only choice that begins with the number that a text is; -1 when there is none, or several. */
const placeBeginning = (choices: readonly string[], plain: string): number => {
	if (!/^\d+$/.test(plain)) return -1;
	const numbers = choices.map(numberBefore);
	const place = numbers.indexOf(Number(plain));
	return place === numbers.lastIndexOf(Number(plain)) ? place : -1;
};

/** The place of the choice that a text names by its number, "2", "(2)" or "2. Thursday"; -1 when it names none. */
const placeNamed = (choices: readonly string[], plain: string): number => {
	// Where choices begin with numbers, a place would be a second thing that a number could mean.
	if (choices.some((choice) => numberBefore(choice) !== undefined)) {
		return placeBeginning(choices, plain);
	}
	const [, digits = '', rest = ''] = /^(\d{1,2})(?: (.+))?$/.exec(plain) ?? [];
	const place = Number(digits) - 1;
	const choice = choices[place];
	return digits !== '' && choice !== undefined && (rest === '' || normalizeWords(choice) === rest)
		? place
		: -1;
};

/** The choice that a text means: by its words, or by its number, beginning with 1. */
export const choiceOf = (choices: readonly string[], text: string): string | undefined => {
	const plain = normalizeWords(text);
	if (plain === '') return undefined;
	return (
		choices.find((choice) => normalizeWords(choice) === plain) ??
		choices[placeNamed(choices, plain)]
	);
};

/** Whether a text ends all messages. STOP always does; END or CANCEL does not where it is an answer asked for. */
export const asksToStop = (text: string, answers: readonly string[]): boolean =>
	isStopWord(text) && (isStop(text) || !isAmong(answers, text));
