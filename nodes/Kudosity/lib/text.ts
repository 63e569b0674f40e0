export function parseUrl(text: string | undefined): URL | undefined {
	return text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
}

export function inAnyCase<const Values extends readonly string[]>(
	values: Values,
	text: string,
): Values[number] | undefined {
	return values.find((each) => each.toUpperCase() === text.toUpperCase());
}

/**
 * Compares options by name, ignoring case, as n8n's linter expects. `localeCompare` isn't used, because it would load
 * locale data when n8n starts.
 */
export function byName(a: { name: string }, b: { name: string }): number {
	return a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1;
}

/**
 * Joins sentences, omitting empty ones. Their final periods are removed first, because only some of the service's
 * sentences have one.
 */
export function joinSentences(...parts: Array<string | null | undefined>): string {
	return parts
		.map((part) => part?.trim().replace(/(?<!\.)\.+$/, ''))
		.filter(Boolean)
		.join('. ');
}

const loneSurrogates = /\p{Cs}/gu;

/** Removes half an emoji, which remains if text was cut in the middle of an emoji. Kudosity would show "�" instead. */
export function withoutHalfEmoji(text: string): string {
	return text.replace(loneSurrogates, '');
}

/** Matches text that needs no normalization. */
const ascii = /^\p{ASCII}*$/u;

/**
 * Matches invisible characters: zero-width characters, variation selectors, fillers, and the combining keycap. Doesn't
 * match the tag characters that distinguish the flags of Wales and England.
 */
const unseen = /[^\P{Cf}\u{e0020}-\u{e007f}]|[\u20e3\p{Variation_Selector}\u1160\u2800]/gu;

/**
 * Normalizes characters that look the same, such as full-width letters. Removes invisible characters and surrounding
 * spaces.
 */
export function normalizeUnicode(text: string): string {
	return (ascii.test(text) ? text : text.normalize('NFKC').replace(unseen, '')).trim();
}

/** Whether a value is missing, or is text without any visible character. */
export function isBlank(value: unknown = ''): boolean {
	return value === null || (typeof value === 'string' && normalizeUnicode(value) === '');
}

/** Matches accents, and skin tones of emoji. */
const ornaments = /[\u0300-\u036f\p{Emoji_Modifier}]/gu;
const foreignDigits = /[^\P{Nd}0-9]/gu;
const digit = /\p{Nd}/u;

/**
 * Converts a digit of any script to ASCII. In Unicode, the ten digits of a script are consecutive, and blocks of ten
 * can be adjacent. Counting the digits before this one, modulo 10, therefore gives its value.
 */
function valueOf(char: string): string {
	const code = char.codePointAt(0) ?? 0;
	let before = 0;
	while (digit.test(String.fromCodePoint(code - before - 1))) before += 1;
	return String(before % 10);
}

const between = /[\p{P}\p{Z}\s]+/gu;

/** Normalizes text for comparison: ignores case, accents, punctuation and repeated spaces. */
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

/**
 * Matches emoji with all their parts. A flag is two regional indicators, or a single flag followed by invisible tags.
 */
const emoji = /[\p{Extended_Pictographic}\p{Regional_Indicator}\u{e0020}-\u{e007f}]+/gu;

/** Normalizes text for comparison, and also removes emoji. Returns an empty string if nothing is left. */
export function plainTextOf(text: string): string {
	return normalizeWords(text.replace(emoji, ' '));
}
