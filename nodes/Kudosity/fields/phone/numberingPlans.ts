import { memoizeAsync } from '../../lib/async';

/**
 * How certain it is that a number exists: it is a mobile of a numbering plan, another number of a plan (`valid`), or
 * only has a possible length. Mobiles rank highest, because text messages are meant for them.
 */
export type Certainty = 'mobile' | 'valid' | 'possible';

export type Country = {
	/** ISO code, or `+` and a calling code that belongs to no country. */
	code: string;
	callingCode: string;
	lengths: number[];
	leadingDigits?: RegExp;
	/** The prefix that is dialed before a national number, within the country. */
	trunkPrefix: string;
	/** Matches the digits that may precede a national number within the country. `trunkTransform` replaces them. */
	trunk?: RegExp;
	trunkTransform: string;
	/** The prefix that is dialed before an international number. */
	international?: RegExp;
	mobile: RegExp;
	/** Matches landlines. The same as `mobile` where the two can't be told apart. */
	fixed?: RegExp;
	other?: RegExp;
};

export type NumberingPlans = {
	country: (code: string) => Country | undefined;
	/** All countries that share the calling code, the main one first. */
	sharing: (callingCode: string) => Country[];
	isCallingCode: (digits: string) => boolean;
};

/** E.164's maximum length, including the calling code. */
const maxDigits = 15;

const regExp = (pattern: string, end = ''): RegExp | undefined =>
	pattern === '' ? undefined : new RegExp(`^(?:${pattern.replaceAll('#', '\\d')})${end}`);

/**
 * Compiles a pattern that must match an entire number. The data file has `(` for `(?:` to save space. No pattern needs
 * a capturing group.
 */
const whole = (pattern: string): RegExp | undefined => regExp(pattern.replaceAll('(', '(?:'), '$');

const never = /(?!)/;

function readLine(code: string, line: string): Country {
	const [
		callingCode = '',
		lengths = '',
		leading = '',
		trunkPrefix = '',
		trunk = '',
		trunkTransform = '',
		international = '',
		mobiles = '',
		fixed = '',
		other = '',
	] = line.split(' ').map((value) => (value === '-' ? '' : value));
	const mobile = whole(mobiles) ?? never;
	return {
		code,
		callingCode,
		lengths: lengths.split(',').map(Number),
		leadingDigits: regExp(leading),
		trunkPrefix,
		trunk: regExp(trunk),
		trunkTransform,
		international: regExp(international),
		mobile,
		fixed: fixed === '=' ? mobile : whole(fixed),
		other: whole(other),
	};
}

const callingCodeIn = (line: string): string => line.slice(0, line.indexOf(' '));

function codesByCallingCode(lines: Record<string, string>): Map<string, string[]> {
	const codes = new Map<string, string[]>();
	for (const [code, line] of Object.entries(lines)) {
		const callingCode = callingCodeIn(line);
		codes.set(callingCode, [...(codes.get(callingCode) ?? []), code]);
	}
	return codes;
}

/**
 * Completes a country's line of the data file: `&` stands for the `other` pattern of the calling code's main country.
 */
const withShared = (line: string, mainLine = ''): string =>
	line.replace('&', () => mainLine.slice(mainLine.lastIndexOf(' ') + 1));

/** Creates the plans. A country's line is only parsed when it is first needed. */
function createNumberingPlans(lines: Record<string, string>): NumberingPlans {
	const codes = codesByCallingCode(lines);
	const countries = new Map<string, Country>();
	const country = (code: string): Country | undefined => {
		const line = countries.has(code) || !Object.hasOwn(lines, code) ? undefined : lines[code];
		if (line !== undefined) {
			const [main = ''] = codes.get(callingCodeIn(line)) ?? [];
			countries.set(code, readLine(code, withShared(line, lines[main])));
		}
		return countries.get(code);
	};
	const shared = new Map<string, Country[]>();
	const sharing = (callingCode: string): Country[] => {
		const known = shared.get(callingCode);
		if (known) return known;
		const found = (codes.get(callingCode) ?? []).flatMap((code) => country(code) ?? []);
		if (found.length > 0) shared.set(callingCode, found);
		return found;
	};
	return { country, sharing, isCallingCode: (digits) => codes.has(digits) };
}

const once = memoizeAsync();

/** Loads the data file once, on first use, because n8n loads all nodes at startup. */
export async function loadNumberingPlans(): Promise<NumberingPlans> {
	return await once('plans', async () =>
		createNumberingPlans((await import('./numberingPlans.json')).default),
	);
}

export type SplitNumber = {
	/** Empty if the digits don't begin with a calling code. */
	callingCode: string;
	national: string;
};

/** Splits international digits into calling code and national number. No calling code is a prefix of another. */
export function splitNumber(plans: NumberingPlans, digits: string): SplitNumber {
	const callingCode = [1, 2, 3].map((end) => digits.slice(0, end)).find(plans.isCallingCode) ?? '';
	return { callingCode, national: digits.slice(callingCode.length) };
}

function typeIn(national: string, country: Country): Certainty | undefined {
	if (!country.lengths.includes(national.length)) return undefined;
	if (country.mobile.test(national)) return 'mobile';
	return country.fixed?.test(national) || country.other?.test(national) ? 'valid' : undefined;
}

/**
 * Returns how certain it is that a number exists, and in which country. If several countries share the calling code,
 * the first match counts. A country matches by its leading digits or, if it has none, by its patterns.
 */
export function certaintyOf(
	plans: NumberingPlans,
	{ callingCode, national }: SplitNumber,
): { certainty: Certainty; country: Country } | undefined {
	const countries = plans.sharing(callingCode);
	if (callingCode.length + national.length > maxDigits) return undefined;
	const owner = countries.find(
		(country) => country.leadingDigits?.test(national) ?? typeIn(national, country) !== undefined,
	);
	const certainty = owner && typeIn(national, owner);
	if (certainty) return { certainty, country: owner };
	const country = owner ?? countries[0];
	return country?.lengths.includes(national.length)
		? { certainty: 'possible', country }
		: undefined;
}

const anyDigit = [...'0123456789'];

/**
 * Whether national digits are the beginning of a mobile number. In all plans, any digit may follow a mobile's prefix,
 * so the number is completed by repeating one digit.
 */
export function isShortMobile(national: string, { lengths, mobile }: Country): boolean {
	return lengths.some(
		(length) =>
			length > national.length &&
			anyDigit.some((digit) => mobile.test(national.padEnd(length, digit))),
	);
}

function isLongMobile(national: string, { lengths, mobile }: Country): boolean {
	return lengths.some(
		(length) => length < national.length && mobile.test(national.slice(0, length)),
	);
}

/** Whether E.164 digits that match no plan are a mobile number with missing or extra digits. */
export function isMistypedMobile(plans: NumberingPlans, number: string): boolean {
	const { callingCode, national } = splitNumber(plans, number);
	return plans
		.sharing(callingCode)
		.some((country) => isShortMobile(national, country) || isLongMobile(national, country));
}

/**
 * Returns the ISO codes of the countries that E.164 digits can belong to: one if a plan has the number, otherwise all
 * that share the calling code.
 */
export function countriesOf(plans: NumberingPlans, number: string): string[] {
	const split = splitNumber(plans, number);
	const found = certaintyOf(plans, split);
	if (found && found.certainty !== 'possible') return [found.country.code];
	return plans.sharing(split.callingCode).map(({ code }) => code);
}

export type PhoneType = 'mobile' | 'landline' | 'other' | 'unknown';

function phoneTypeIn(national: string, { mobile, fixed }: Country): PhoneType {
	const isFixed = fixed?.test(national) ?? false;
	if (mobile.test(national)) return isFixed ? 'unknown' : 'mobile';
	return isFixed ? 'landline' : 'other';
}

/**
 * Describes E.164 digits. The country is omitted if there is none, or if several are possible. The type is unknown if
 * no plan has the digits, or if the country's numbers don't tell mobiles from landlines.
 */
export function describePhone(
	plans: NumberingPlans,
	number: string,
): { country?: string; type: PhoneType } {
	const split = splitNumber(plans, number);
	const { callingCode, national } = split;
	const found = certaintyOf(plans, split);
	if (!found) return { type: 'unknown' };
	const { certainty, country } = found;
	const isValid = certainty !== 'possible';
	const isIts =
		isValid ||
		plans.sharing(callingCode).length === 1 ||
		country.leadingDigits?.test(national) === true;
	return {
		...(isIts && !country.code.startsWith('+') && { country: country.code }),
		type: isValid ? phoneTypeIn(national, country) : 'unknown',
	};
}
