import { getCountries, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';

const internationalDigits = (text: string) => (/^[1-9]\d{7,14}$/.test(text) ? text : undefined);

/** International digits, or undefined for anything but a phone number. Local numbers are Australian by default. */
export function normalizeNumber(text: string, country?: CountryCode): string | undefined {
	const compact = text.replace(/[\s()-]/g, '');
	if (country && !compact.startsWith('+')) {
		const parsed = parsePhoneNumberFromString(compact, country);
		if (parsed?.isValid()) return parsed.number.slice(1);
	}
	const digits = /^0[2-9]\d{8}$/.test(compact) ? `61${compact.slice(1)}` : compact;
	return internationalDigits(digits.replace(/^\+/, ''));
}

/** A sender name: up to 11 letters, digits, `_`, `-` or spaces, at least one letter, no two specials in a row. */
export const isAlphanumericSender = (sender: string) =>
	/^[\w -]{1,11}$/.test(sender) && /[A-Za-z]/.test(sender) && !/[_ -]{2}/.test(sender);

const countries: Array<[prefix: string, country: string]> = [
	['61', 'AU'],
	['64', 'NZ'],
	['65', 'SG'],
	['44', 'GB'],
	['1', 'US'],
];

export const countryFromNumber = (number: string): string =>
	countries.find(([prefix]) => number.startsWith(prefix))?.[1] ?? '';

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

/** Reads a country from two letters or an English name. */
export const findCountry = (text: string): CountryCode | undefined =>
	getCountries().find(
		(code) =>
			code === text.toUpperCase() || countryNames.of(code)?.toUpperCase() === text.toUpperCase(),
	);
