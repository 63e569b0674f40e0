import { plainText, plainWords } from './plainText';

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
	word.exec(plainText(text))?.[0].replace(notInWords, '').toUpperCase();

const mostLetters = Math.max(...stopWords.map(({ length }) => length));
const letter = /[\p{L}\p{N}]/gu;

/** Most texts are: they need not be read to their end. */
const isTooLong = (text: string): boolean => {
	letter.lastIndex = 0;
	for (let count = 0; count <= mostLetters; count++) if (!letter.test(text)) return false;
	return true;
};

/** Whether the text is a stop word and nothing else, however it is spaced and punctuated: "Opt-out!", not "the end". */
export const isStopWord = (text: string): boolean => {
	if (isTooLong(text)) return false;
	const letters = plainText(text).replace(notInWords, '').toUpperCase();
	return stopWords.some((stopWord) => stopWord === letters);
};

/**
 * Whether the service itself takes a text as an opt-out, whatever it was meant to answer. Read as answers are, so that
 * "Stop 🛑" may be one.
 */
export const isStop = (text: string): boolean => plainWords(text) === 'STOP';
