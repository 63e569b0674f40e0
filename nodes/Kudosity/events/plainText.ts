/** Nothing in it can be written in two ways, and most texts are long and ASCII. */
const ascii = /^\p{ASCII}*$/u;

/** What has no width, says how an emoji looks, or makes a key of a digit. */
const unseen = /[\p{Cf}\p{Variation_Selector}\u20e3]/gu;

/** What two keyboards may write in two ways, such as letters of full width, is one; what nobody sees is gone. */
export const plainText = (text: string): string =>
	ascii.test(text) ? text : text.normalize('NFKC').replace(unseen, '');

/** Accents that people leave out, and the colour of an emoji. */
const ornaments = /[\u0300-\u036f\p{Emoji_Modifier}]/gu;
const foreignDigits = /[^\P{Nd}0-9]/gu;
const digit = /\p{Nd}/u;

/** Unicode has the digits of each script in a row, from zero to nine, so that rows may touch, but never overlap. */
const valueOf = (char: string): string => {
	const code = char.codePointAt(0) ?? 0;
	let before = 0;
	while (digit.test(String.fromCodePoint(code - before - 1))) before += 1;
	return String(before % 10);
};

const between = /[\p{P}\p{Z}\s]+/gu;

/** What is left of a text when case, accents, spaces and punctuation do not count. */
export const plainWords = (text: string): string =>
	plainText(text)
		.normalize('NFD')
		.replace(ornaments, '')
		.replace(foreignDigits, valueOf)
		.normalize('NFC')
		.toUpperCase()
		.replace(between, ' ')
		.trim();
