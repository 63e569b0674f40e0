import { plainWords } from './plainText';
import { isStop, isStopWord } from './stopWords';

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
	const plain = plainWords(text);
	return plain !== '' && words.some((word) => plainWords(word) === plain);
};

/** The number that a text begins with, as “3 pm” does. */
const numberBefore = (text: string): number | undefined => {
	const [digits] = /^\d+/.exec(plainWords(text)) ?? [];
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
	return digits !== '' && choice !== undefined && (rest === '' || plainWords(choice) === rest)
		? place
		: -1;
};

/** The choice that a text means: by its words, or by its number, beginning with 1. */
export const choiceOf = (choices: readonly string[], text: string): string | undefined => {
	const plain = plainWords(text);
	if (plain === '') return undefined;
	return (
		choices.find((choice) => plainWords(choice) === plain) ?? choices[placeNamed(choices, plain)]
	);
};

/** Whether a text ends all messages. STOP always does; END or CANCEL does not where it is an answer asked for. */
export const asksToStop = (text: string, answers: readonly string[]): boolean =>
	isStopWord(text) && (isStop(text) || !isAmong(answers, text));
