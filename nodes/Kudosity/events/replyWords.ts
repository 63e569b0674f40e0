import { normalizeUnicode, normalizeWords } from '../lib/text';

/** Matches a word: letters and digits, possibly with apostrophes and hyphens inside, as in don't and opt-out. */
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’‐-][\p{L}\p{M}\p{N}]+)*/u;
export const notInWords = /[^\p{L}\p{M}\p{N}]+/gu;

/** Returns the first word, in upper case and without punctuation; undefined if there is none. */
export function keywordOf(text: string): string | undefined {
	return word.exec(normalizeUnicode(text))?.[0].replace(notInWords, '').toUpperCase();
}

/**
 * Matches question marks, including those of Arabic, Armenian, Ethiopic and Greek. NFKC turns the Greek one into a
 * semicolon.
 */
const questionMark = /[?\u037e؟՞፧⸮‽¿]/u;
const greek = /(?=\p{L})\p{Script=Greek}/u;

/**
 * Whether the text asks a question. In Greek, a semicolon is a question mark. Elsewhere, it may be a smiley: “Yes ;)”.
 */
export const asksBack = (text: string): boolean =>
	questionMark.test(text) ||
	questionMark.test(normalizeUnicode(text)) ||
	(greek.test(text) && normalizeUnicode(text).includes(';'));

/** Whether the text is one of the words, ignoring case and punctuation. However, “Yes?” doesn't match “Yes”. */
export function isAmong(words: readonly string[], text: string): boolean {
	const plain = normalizeWords(text);
	return (
		plain !== '' &&
		words.some((word) => normalizeWords(word) === plain && (!asksBack(text) || asksBack(word)))
	);
}

/** Splits a text into words and symbols. Adjacent emoji become separate symbols. */
export const tokensIn = (text: string): string[] =>
	normalizeWords(text).match(/[\p{L}\p{M}\p{N}]+|\S/gu) ?? [];

const startsWith = (tokens: string[], word: string[], at: number): boolean =>
	word.length > 0 && word.every((token, index) => tokens[at + index] === token);

export const contains = (tokens: string[], words: string[][]): boolean =>
	tokens.some((_, at) => words.some((word) => startsWith(tokens, word, at)));

/** Whether the tokens consist of these words, one after another, and nothing else. */
export function consistOf(tokens: string[], words: string[][]): boolean {
	const ends = new Set([0]);
	for (const [at] of tokens.entries()) {
		const next = ends.has(at) ? words.filter((word) => startsWith(tokens, word, at)) : [];
		for (const { length } of next) ends.add(at + length);
	}
	return tokens.length > 0 && ends.has(tokens.length);
}

/** Removes spaces, so “9 am” equals “9am”. Spaces between two digits remain, because “1 2” is not “12”. */
export function joined(words: string): string {
	return words.replace(/(?<!\d) | (?!\d)/g, '');
}

export function isJoined(tokens: string[], words: readonly string[]): boolean {
	const text = joined(tokens.join(' '));
	return text !== '' && words.some((word) => joined(normalizeWords(word)) === text);
}

/** The maximum number of tokens in an answer. Longer texts aren't analyzed, because that would take too long. */
export const maxTokens = 20;

/** Words and emoji at the end of a reply that don't change its meaning. */
const courtesies = [
	...['THANKS', 'THX', 'THANK YOU', 'PLEASE', 'MATE'].map((words) => words.split(' ')),
	...[...'😊🙂😀😃😄😁☺🙏❤😍🥰🤗🎉'].map((sign) => [sign]),
];

const endsWith = (tokens: string[], word: string[]): boolean =>
	startsWith(tokens, word, tokens.length - word.length);

/** Removes thanks and similar words from the end, unless one of the answers ends with them: “Coffee please”. */
export function withoutCourtesy(tokens: string[], answers: string[][]): string[] {
	if (tokens.length > maxTokens || answers.some((answer) => endsWith(tokens, answer)))
		return tokens;
	const courtesy = courtesies.find((each) => endsWith(tokens, each));
	return courtesy ? withoutCourtesy(tokens.slice(0, -courtesy.length), answers) : tokens;
}
