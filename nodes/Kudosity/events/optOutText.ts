import { normalizeUnicode, normalizeWords, plainTextOf } from '../lib/text';
import { consistOf, isAmong, isJoined, notInWords, tokensIn, withoutCourtesy } from './replyWords';
import { areRequest, isStopRequest, wordsOf } from './stopRequest';

/**
 * A message that consists of one of these words is an opt-out. Kudosity documents only STOP; the others come from the
 * CTIA's messaging principles and the FCC's rules (47 CFR 64.1200), which carriers follow.
 */
export const optOutKeywords = [
	'STOP',
	'STOPALL',
	'UNSUBSCRIBE',
	'CANCEL',
	'END',
	'QUIT',
	'REVOKE',
	'OPTOUT',
] as const;

const lettersOf = (text: string): string =>
	normalizeUnicode(text).replace(notInWords, '').toUpperCase();

const letter = /[\p{L}\p{N}]/gu;

/**
 * Whether a text has more than three times as many letters and digits as the longest keyword. Stops counting at that
 * point, so a long text isn't read to the end.
 */
function isTooLong(text: string, keywords: readonly string[]): boolean {
	const maxLetters = 3 * Math.max(...keywords.map(({ length }) => length));
	letter.lastIndex = 0;
	for (let count = 0; count <= maxLetters; count++) if (!letter.test(text)) return false;
	return true;
}

function onlyKeywords(keywords: readonly string[]): RegExp {
	// A keyword without letters would match every text without letters.
	const letters = keywords.map(lettersOf).filter((each) => each !== '');
	return new RegExp(`^(?:${letters.join('|')})+$`);
}

const onlyUsualKeywords = onlyKeywords(optOutKeywords);

/**
 * Whether the text consists only of opt-out keywords, ignoring spaces and punctuation: "Stop! Stop!", but not "the
 * end".
 */
export function isOptOutKeyword(text: string): boolean {
	return !isTooLong(text, optOutKeywords) && onlyUsualKeywords.test(lettersOf(text));
}

/**
 * Whether Kudosity itself treats a text as an opt-out. This is stricter than `isOptOutKeyword`. For example, "Stop 🛑"
 * doesn't count, so it can be an answer to a question.
 */
export function isStop(text: string): boolean {
	return normalizeWords(text) === 'STOP';
}

/** Whether the text consists only of STOP and these keywords. */
function consistsOf(keywords: readonly string[], text: string): boolean {
	// Every received message is compared with the usual keywords, so their pattern is built only once.
	if (keywords === optOutKeywords) return isOptOutKeyword(text);
	const all = ['STOP', ...keywords];
	return isAmong(all, text) || (!isTooLong(text, all) && onlyKeywords(all).test(lettersOf(text)));
}

/**
 * Returns how a text opts out: with STOP, with one of the `keywords`, or in other words. Returns undefined for any
 * other text.
 */
export function optOutIn(
	text: string,
	keywords: readonly string[] = optOutKeywords,
): 'stop' | 'keyword' | 'words' | undefined {
	if (consistsOf(keywords, text)) return isStop(text) ? 'stop' : 'keyword';
	return isStopRequest(text) ? 'words' : undefined;
}

const optInKeywords = ['START', 'UNSTOP'];

/** Whether the text is START or UNSTOP and nothing else. “Start?” is a question, so it doesn't count. */
export function isOptInKeyword(text: string): boolean {
	return isAmong(optInKeywords, text);
}

/**
 * Whether a text that looks like an opt-out is one of the answers that a question expects. STOP never counts as an
 * answer.
 */
export function isExpectedAnswer(text: string, answers: readonly string[]): boolean {
	if (isStop(text)) return false;
	const words = answers.map(tokensIn);
	const tokens = tokensIn(text);
	// Without its emoji, “Cancel 😢” is an expected answer. With the emoji, the question may not understand it, but that
	// doesn't make it an opt-out.
	return [tokens, withoutCourtesy(tokens, words), tokensIn(plainTextOf(text))].some(
		(said) => consistOf(said, words) || isJoined(said, answers),
	);
}

/**
 * Whether a text is an opt-out. STOP always is, even “Stop?”, and also after an answer: “Bad, stop”. A word such as END
 * or CANCEL isn't if the question expects it as an answer.
 */
export function asksToStop(text: string, answers: readonly string[]): boolean {
	if (isExpectedAnswer(text, answers)) return false;
	return optOutIn(text) !== undefined || areRequest(afterAnswer(text, answers));
}

/** Returns the words after an answer at the beginning: STOP in “Bad stop”. */
function afterAnswer(text: string, answers: readonly string[]): string[] {
	const words = wordsOf(text);
	const answer = answers
		.map(wordsOf)
		.find((each) => each.length > 0 && each.every((word, index) => words[index] === word));
	return answer ? words.slice(answer.length) : [];
}
