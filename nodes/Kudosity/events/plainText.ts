/** Nothing in it can be written in two ways, and most texts are long and ASCII. */
const ascii = /^\p{ASCII}*$/u;

/** What two keyboards may write in two ways, such as letters of full width, is one; what has no width is gone. */
export const plainText = (text: string): string =>
	ascii.test(text) ? text : text.normalize('NFKC').replace(/\p{Cf}/gu, '');

/** Accents that people leave out, and what follows an emoji to say how it looks. */
const ornaments = /[\u0300-\u036f\ufe0e\ufe0f\p{Emoji_Modifier}]/gu;
const between = /[\p{P}\p{Z}\s]+/gu;

/** What is left of a text when case, accents, spaces and punctuation do not count. */
export const plainWords = (text: string): string =>
	plainText(text)
		.normalize('NFD')
		.replace(ornaments, '')
		.normalize('NFC')
		.toUpperCase()
		.replace(between, ' ')
		.trim();
