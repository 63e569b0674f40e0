export const parseUrl = (text: string | undefined): URL | undefined =>
	text !== undefined && URL.canParse(text) ? new URL(text) : undefined;

/** The one of `values` that `text` is, whatever the case of either. */
export const inAnyCase = <const Values extends readonly string[]>(
	values: Values,
	text: string,
): Values[number] | undefined => values.find((each) => each.toUpperCase() === text.toUpperCase());

/**
 * Sorts options as n8n wants them, whatever the case of letters. `localeCompare` would make n8n load the rules
 * of a language at its start.
 */
export const byName = (a: { name: string }, b: { name: string }): number =>
	a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1;

/** Joins what there is into one text. The service ends some of its sentences with a full stop, and some not. */
export const joinSentences = (...parts: Array<string | null | undefined>): string =>
	parts
		.map((part) => part?.trim().replace(/(?<!\.)\.+$/, ''))
		.filter(Boolean)
		.join('. ');

/** Nothing in it can be written in two ways, and most texts are long and ASCII. */
const ascii = /^\p{ASCII}*$/u;

/** What has no width, says how an emoji looks, or makes a key of a digit. */
const unseen = /[\p{Cf}\p{Variation_Selector}\u20e3]/gu;

/** What two keyboards may write in two ways, such as letters of full width, is one; what nobody sees is gone. */
export const normalizeUnicode = (text: string): string =>
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
export const normalizeWords = (text: string): string =>
	normalizeUnicode(text)
		.normalize('NFD')
		.replace(ornaments, '')
		.replace(foreignDigits, valueOf)
		.normalize('NFC')
		.toUpperCase()
		.replace(between, ' ')
		.trim();
