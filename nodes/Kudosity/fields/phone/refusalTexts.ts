/** Why a value is no phone number, and what to do about it. Follows the name of a field; quotes no number. */
export type PhoneRefusal = {
	reason: string;
	remedy: string;
	/** The digits are valid in more than one way. */
	isAmbiguous?: boolean;
};

const example = '+61 491 570 006';
const asText =
	'Format the column as text in the spreadsheet, or enter the number with all its digits';
const international = `Write it with + and its country code, e.g. ${example}`;

const refusals = {
	empty: ['is empty', 'Enter a phone number, or check that the expression delivers one'],
	notText: [
		'is not text',
		'An expression delivered a list, an object, a switch or NaN: choose a field that has a phone number, e.g. {{ $json.phone }}',
	],
	scientific: ['is rounded, as spreadsheets do with long numbers', asText],
	decimals: ['has decimals', asText],
	negative: ['begins with a minus', 'Remove the minus: no phone number has one'],
	extension: ['has an extension', 'Remove the extension: text messages reach whole numbers only'],
	twoNumbers: ['looks like two numbers', 'Use one number, with all of its digits'],
	signs: [
		'is not a phone number',
		`${international}. Spaces, hyphens, dots, slashes and brackets are fine`,
	],
	withoutCountry: [
		'is no valid number with a country code',
		`${international}, or set Default Country, in the credential or in the options, when it is a national number`,
	],
	unknownCountry: [
		'cannot be read, since Default Country is not a country',
		'Choose a Default Country from its list, or use a code of two letters, e.g. AU',
	],
	impossible: [
		'is not a phone number of any country',
		`${international}, and check that no digit is missing or too many`,
	],
} as const satisfies Record<string, readonly [string, string]>;

export const refusePhone = (kind: keyof typeof refusals): PhoneRefusal => ({
	reason: refusals[kind][0],
	remedy: refusals[kind][1],
});

/** @param country its English name */
export const refuseNational = (country: string): PhoneRefusal => ({
	reason: `is neither a valid number in Default Country (${country}) nor one with a country code`,
	remedy: `Check its digits. ${international}, when it is right`,
});

/** @param countries English names: with each, the digits are another person's number */
export const refuseAmbiguous = (countries: string[]): PhoneRefusal => ({
	reason: `can be more than one number (${countries.join(', ')})`,
	remedy: `${international}, so that only one can be meant`,
	isAmbiguous: true,
});
