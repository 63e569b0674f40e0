export function parseUrl(text: string | undefined): URL | undefined {
	return text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
}

export function inAnyCase<const Values extends readonly string[]>(
	values: Values,
	text: string,
): Values[number] | undefined {
	return values.find((each) => each.toUpperCase() === text.toUpperCase());
}

/** Sorts options as n8n's lint expects, ignoring case. `localeCompare` would load locale data when n8n starts. */
export function byName(a: { name: string }, b: { name: string }): number {
	return a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1;
}

/** Joins the parts that are not empty. The service ends only some of its sentences with a period. */
export function joinSentences(...parts: Array<string | null | undefined>): string {
	return parts
		.map((part) => part?.trim().replace(/(?<!\.)\.+$/, ''))
		.filter(Boolean)
		.join('. ');
}

const loneSurrogates = /\p{Cs}/gu;

/** Removes half an emoji, which remains if a text was cut in the middle of one. Kudosity would show "�" instead. */
export function withoutHalfEmoji(text: string): string {
	return text.replace(loneSurrogates, '');
}

/** Matches a text that needs no normalization. */
const ascii = /^\p{ASCII}*$/u;

/**
 * Invisible characters: zero-width characters, variation selectors, fillers, and the keycap mark. The tags that
 * distinguish the flags of Wales and England are not among them.
 */
const unseen = /[^\P{Cf}\u{e0020}-\u{e007f}]|[\u20e3\p{Variation_Selector}\u1160\u2800]/gu;

/**
 * Unifies spellings that look the same, such as full-width letters. Removes invisible characters, and spaces at the
 * ends.
 */
export function normalizeUnicode(text: string): string {
	return (ascii.test(text) ? text : text.normalize('NFKC').replace(unseen, '')).trim();
}

/** Whether a value is missing, or is a text of which nothing can be seen. */
export function isBlank(value: unknown = ''): boolean {
	return value === null || (typeof value === 'string' && normalizeUnicode(value) === '');
}

/** Accents, and skin tones of emoji. */
const ornaments = /[\u0300-\u036f\p{Emoji_Modifier}]/gu;
const foreignDigits = /[^\P{Nd}0-9]/gu;
const digit = /\p{Nd}/u;

/**
 * Returns the value of a digit in any script. In Unicode, the ten digits of a script are consecutive; those of two
 * scripts may touch but never overlap.
 */
function valueOf(char: string): string {
	const code = char.codePointAt(0) ?? 0;
	let before = 0;
	while (digit.test(String.fromCodePoint(code - before - 1))) before += 1;
	return String(before % 10);
}

const between = /[\p{P}\p{Z}\s]+/gu;

/** Prepares a text for comparison, without case, accents, repeated spaces, and punctuation. */
export function normalizeWords(text: string): string {
	return normalizeUnicode(text)
		.normalize('NFD')
		.replace(ornaments, '')
		.replace(foreignDigits, valueOf)
		.normalize('NFC')
		.toUpperCase()
		.replace(between, ' ')
		.trim();
}

/** Matches emoji with all their parts. Flags are two regional indicators, or one flag with invisible tags. */
const emoji = /[\p{Extended_Pictographic}\p{Regional_Indicator}\u{e0020}-\u{e007f}]+/gu;

/** Prepares a text for comparison, without emoji as well. Empty if nothing is left. */
export function plainTextOf(text: string): string {
	return normalizeWords(text.replace(emoji, ' '));
}
