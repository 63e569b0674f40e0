/**
 * Why a value isn't a phone number, and how to fix it. `reason` is the end of a sentence that begins with the field's
 * name. Neither text quotes the number.
 */
export type PhoneRefusal = {
	reason: string;
	remedy: string;
	/**
	 * The problem, in words that follow a count in a summary, as in “2 rounded by a spreadsheet”. Missing if the value
	 * is simply not a number.
	 */
	kind?: string;
	/** Whether the digits could be more than one number. */
	isAmbiguous?: boolean;
	/** The numbers that the digits could be, as far as they are known. */
	candidates?: string[];
};

const example = '+61 491 570 006';
const asText = 'Format the spreadsheet column as text, or enter the full number';
const international = `Write the number with + and the country code, e.g. ${example}`;

const refusals = {
	empty: [
		'is empty',
		'Enter a phone number, or check what the expression returns. It returns nothing if its code fails',
		'empty',
	],
	notText: [
		'is not text',
		'The expression returned a list, an object, true/false or NaN. Choose a field with a phone number, e.g. {{ $json.phone }}',
		'not text',
	],
	scientific: ['was rounded by a spreadsheet', asText, 'rounded by a spreadsheet'],
	decimals: ['has decimals', asText, 'with decimals'],
	negative: ['starts with a minus sign', 'Remove the minus sign', 'with a minus sign'],
	extension: [
		'has an extension',
		"Remove the extension: text messages can't be sent to extensions",
		'with an extension',
	],
	twoNumbers: [
		'looks like two numbers',
		'Use one number with all of its digits',
		'with two numbers',
	],
	date: [
		'looks like a date',
		'Choose the field with the phone number, or format the spreadsheet column as text',
		'with a date',
	],
	expression: [
		'contains an expression that n8n did not evaluate',
		'Switch the field from Fixed to Expression. If the value comes from your data, correct it there',
	],
	signs: [
		'is not a phone number',
		`${international}. Spaces, hyphens, dots, slashes and parentheses are fine`,
	],
	withoutCountry: [
		'is not a valid number with a country code',
		`${international}, or set 'Default Country' if it is a national number`,
		'without a country code',
	],
	unknownCountry: [
		"can't be read because 'Default Country' is not a country",
		'Select a country from the list, or use a two-letter code, e.g. AU',
	],
	impossible: [
		'is not a valid phone number in any country',
		`${international}, and check for missing or extra digits`,
	],
} as const satisfies Record<string, readonly [reason: string, remedy: string, kind?: string]>;

export function refusePhone(kind: keyof typeof refusals): PhoneRefusal {
	return {
		reason: refusals[kind][0],
		remedy: refusals[kind][1],
		kind: refusals[kind][2],
	};
}

/** @param country - the country's English name */
export function refuseNational(country: string): PhoneRefusal {
	return {
		reason: `is not a valid number in 'Default Country' (${country}) or with a country code`,
		remedy: `${international}, or check the digits if you meant a number in 'Default Country'`,
	};
}

/**
 * @param countries - English names of the countries where the digits are a possible number. In each of them, the number
 * would be a different person's
 * @param candidates - the numbers that the digits could be
 */
export function refuseAmbiguous(countries: string[], candidates: string[]): PhoneRefusal {
	return {
		reason: `could be a number in several countries (${countries.join(', ')})`,
		remedy: international,
		kind: 'that fit several countries',
		isAmbiguous: true,
		candidates: [...new Set(candidates)],
	};
}

/**
 * Refuses a number after a plus or 00 that may really be a national number, written with a plus by mistake.
 *
 * @param abroad - the English name of the foreign country to which the number belongs as written
 * @param home - the English name of Default Country, where the same digits are a mobile number. `callingCode` is its
 * calling code, and `candidates` are the numbers that the digits could be
 */
export function refuseStrayPlus(
	abroad: string,
	{ home, callingCode, candidates }: { home: string; callingCode: string; candidates: string[] },
): PhoneRefusal {
	return {
		...refuseAmbiguous([abroad, home], candidates),
		remedy: `If the number belongs to 'Default Country' (${home}), replace the + or 00 with +${callingCode}. If it doesn't, set 'Default Country' to ${abroad}`,
	};
}

/** A number's digits as written, and the meaning of its punctuation. */
export type PhoneText = {
	digits: string;
	hasPlus: boolean;
	/**
	 * The digits that may have to be dialed from another country: usually one entry with all digits. If a zero is in
	 * parentheses, as in +61 (0)491, a second entry leaves it out.
	 */
	dialed: string[];
	/**
	 * The first three digits, if they are set apart. For example, 479-234-5678 is an American number, not one with
	 * Norway's 47.
	 */
	areaCode?: string;
};

/**
 * Matches zero-width characters and text-direction marks, which often get copied along with a number. Doesn't match
 * U+202E, because it displays the digits after it in reverse order.
 */
const invisible = /[^\P{Cf}\u202e]/gu;
const otherDigits = /[\uff10-\uff19\u0660-\u0669\u06f0-\u06f9]/g;
const wideSigns = /[\uff01-\uff0f\uff1a-\uff5e]/g;
const spaces = /\p{Zs}/gu;
const dashes = /[\u2010-\u2015\u2212\ufe63\uff0d]/g;
const dots = /[\u00b7\u2024\u2219]/g;

/** Converts a digit of another script to ASCII, by its distance from that script's zero. */
function asciiDigit(digit: string): string {
	const code = digit.charCodeAt(0);
	return String(code - ([0xff10, 0x06f0, 0x0660].find((start) => code >= start) ?? code));
}

const withPlainSigns = (text: string): string =>
	text
		.replace(invisible, '')
		.replace(otherDigits, asciiDigit)
		.replace(dashes, '-')
		.replace(wideSigns, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
		.replace(dots, '.')
		.replace(spaces, ' ')
		.trim()
		.replace(/^['\u2019]/, '')
		.replace(/^tel:/i, '')
		.trim();

/**
 * Converts the text to ASCII, so the digits that people see are the ones that are read. Most numbers need no
 * conversion.
 */
export function toAsciiPhone(text: string): string {
	return /^[\d +().-]*$/.test(text) ? text.trim() : withPlainSigns(text);
}

const scientific = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;
const extension = /\d[\s.,;)]*(?:x|ext\w*|#|;)[\s.:=]*\d{1,6}$/i;

export function isScientific(text: string): boolean {
	return scientific.test(text);
}

/**
 * Matches a decimal point: the only dot or comma, followed by one or two final digits; or a dot in a text that
 * otherwise has only digits.
 */
const decimal = /^([^.,]*\d)[.,](\d{1,2})$|^\+?\d+\.\d+$/;

/** Removes decimals that are zeros. @returns undefined for other decimals, which no phone number has */
function withoutDecimals(text: string): string | undefined {
	const match = decimal.exec(text);
	if (!match) return text;
	return /\.0+$/.test(text) ? match[1] : undefined;
}

/** Matches a number as people write it. It has at most one slash, because two mean a date, or several numbers. */
const written = /^[([ ]*(\+?)([\d ()[\].-]*(?:\/[\d ()[\].-]*)?)$/;

/**
 * Matches two numbers in one text. For example, 021 123 456/7 stands for two numbers, which end in 6 and in 7, and so
 * does 021 123 456 (7). Read as one number, it would be somebody else's.
 */
const twoNumbers = /[/([]\D*(?:\d\D*){1,3}$|(?:\d\D*){7}[,;](?:\D*\d){7}/;

/**
 * Matches a date. Dates are refused, because some could be read as a phone number: if Default Country is Denmark,
 * 29-11-2025 would be somebody's number.
 */
const date = /^(?:[0-3]?\d([./-])[0-3]?\d\1(?:19|20)\d\d|(?:19|20)\d\d([./-])[01]?\d\2[0-3]?\d)$/;

/**
 * The maximum length of a phone number's text. No number needs more characters, and searching long texts takes time.
 */
const maxTextLength = 100;

/** Reads the characters of a phone number, but doesn't interpret them yet. */
function readPhoneText(text: string): PhoneText | PhoneRefusal {
	const plain = toAsciiPhone(text);
	if (plain === '') return refusePhone('empty');
	if (plain.includes('{{')) return refusePhone('expression');
	if (plain.length > maxTextLength) return refusePhone('signs');
	if (isScientific(plain)) return refusePhone('scientific');
	if (extension.test(plain)) return refusePhone('extension');
	if (date.test(plain)) return refusePhone('date');
	if (twoNumbers.test(plain)) return refusePhone('twoNumbers');
	const whole = withoutDecimals(plain);
	if (whole === undefined) return refusePhone('decimals');
	if (whole.startsWith('-')) return refusePhone('negative');
	const [, plus, rest = ''] = written.exec(whole) ?? [];
	const digits = rest.replace(/\D/g, '');
	if (plus === undefined || digits === '') return refusePhone('signs');
	const withoutZero = rest.replace(/(\d\D*)[([] *0 *[)\]]/, '$1').replace(/\D/g, '');
	const areaCode = /^(\d{3})(?: *[)\]]|([ .-])\d{3}\2\d{4}\b)/.exec(rest)?.[1];
	return { digits, hasPlus: plus !== '', dialed: [...new Set([digits, withoutZero])], areaCode };
}

/**
 * Matches a number that was read from a spreadsheet's 4.47701E+11: Excel shortens numbers of twelve or more digits to
 * six significant ones. A number whose sixth digit is 0 isn't matched, because round numbers such as 82 10 2000 0000
 * exist.
 */
const rounded = /^\d{5}[1-9]0{6,}$/;

/**
 * Writes a whole number as text. If a spreadsheet seems to have rounded the number, it is written with an exponent,
 * because text in that form is refused (see `isScientific`).
 */
export function textOfNumber(value: number): string {
	const isRounded = !Number.isSafeInteger(value) || rounded.test(String(value));
	return isRounded ? value.toExponential() : String(value);
}

/** Reads any value that an expression can return for a phone number. */
export function readPhoneValue(value: unknown): PhoneText | PhoneRefusal {
	if (value === undefined || value === null) return refusePhone('empty');
	if (typeof value === 'string') return readPhoneText(value);
	if (typeof value !== 'number' || !Number.isFinite(value)) return refusePhone('notText');
	if (value < 0) return refusePhone('negative');
	if (!Number.isInteger(value)) return refusePhone('decimals');
	return readPhoneText(textOfNumber(value));
}
