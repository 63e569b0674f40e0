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

/** Nothing in it can be written in two ways, and most texts are long and ASCII. */
const ascii = /^\p{ASCII}*$/u;

/** What two keyboards may write in two ways, such as letters of full width, is one; what has no width is gone. */
const plain = (text: string): string => {
	const letters = ascii.test(text) ? text : text.normalize('NFKC').replace(/\p{Cf}/gu, '');
	return letters.toUpperCase();
};

/** Letters and digits, and what stands within a word: don't, opt-out. */
const word = /[\p{L}\p{M}\p{N}]+(?:['’‐-][\p{L}\p{M}\p{N}]+)*/u;
const notInWords = /[^\p{L}\p{M}\p{N}]+/gu;

/** The first word, in upper case and without punctuation; absent when there is none. */
export const keywordOf = (text: string): string | undefined =>
	word.exec(plain(text))?.[0].replace(notInWords, '');

/** Whether the text is a stop word and nothing else, however it is spaced and punctuated: "Opt-out!", not "the end". */
export const isStopWord = (text: string): boolean => {
	const letters = plain(text).replace(notInWords, '');
	return stopWords.some((stopWord) => stopWord === letters);
};
