import { memoizeAsync } from '../../lib/async';

/** How sure it is that a number exists. Text messages are meant for mobiles, where a country tells them apart. */
export type Certainty = 'mobile' | 'valid' | 'possible';

export type Country = {
	/** ISO code, or `+` and the calling code of what belongs to no country. */
	code: string;
	callingCode: string;
	lengths: number[];
	leadingDigits?: RegExp;
	/** What people of the country dial before a national number. */
	trunkPrefix: string;
	/** What may stand before a national number there, and what to put in its place. */
	trunk?: RegExp;
	trunkTransform: string;
	/** What they dial before an international number. */
	international?: RegExp;
	mobile: RegExp;
	/** The very one of mobiles where nobody can tell them apart. */
	fixed?: RegExp;
	other?: RegExp;
};

export type NumberingPlans = {
	country: (code: string) => Country | undefined;
	/** All countries that share the calling code, the main one first. */
	sharing: (callingCode: string) => Country[];
	isCallingCode: (digits: string) => boolean;
};

/** E.164 allows 15 digits, with the calling code. */
const maxDigits = 15;

const regExp = (pattern: string, end = ''): RegExp | undefined =>
	pattern === '-' ? undefined : new RegExp(`^(?:${pattern.replaceAll('#', '\\d')})${end}`);

/** Of patterns that are only tested, the file has no signs that keep a group from capturing. */
const whole = (pattern: string): RegExp | undefined =>
	regExp(pattern === '-' ? pattern : pattern.replaceAll('(', '(?:'), '$');

const orEmpty = (field: string): string => (field === '-' ? '' : field);

const never = /(?!)/;

const readLine = (code: string, line: string): Country => {
	const [
		callingCode = '',
		lengths = '',
		leading = '-',
		prefix = '-',
		trunk = '-',
		transform = '-',
		international = '-',
		mobiles = '-',
		fixed = '-',
		other = '-',
	] = line.split(' ');
	const mobile = whole(mobiles) ?? never;
	return {
		code,
		callingCode,
		lengths: lengths.split(',').map(Number),
		leadingDigits: regExp(leading),
		trunkPrefix: orEmpty(prefix),
		trunk: regExp(trunk),
		trunkTransform: orEmpty(transform),
		international: regExp(international),
		mobile,
		fixed: fixed === '=' ? mobile : whole(fixed),
		other: whole(other),
	};
};

const callingCodeIn = (line: string): string => line.slice(0, line.indexOf(' '));

const codesByCallingCode = (lines: Record<string, string>): Map<string, string[]> => {
	const codes = new Map<string, string[]>();
	for (const [code, line] of Object.entries(lines)) {
		const callingCode = callingCodeIn(line);
		codes.set(callingCode, [...(codes.get(callingCode) ?? []), code]);
	}
	return codes;
};

/** Other numbers that a country has as the main one of its calling code has them stand there only. */
const withShared = (line: string, mainLine = ''): string =>
	line.replace('&', () => mainLine.slice(mainLine.lastIndexOf(' ') + 1));

/** The plans of the data file; each country is read when a number of it comes for the first time. */
const createNumberingPlans = (lines: Record<string, string>): NumberingPlans => {
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
};

const once = memoizeAsync();

/** Reads the data file once, when it is first needed: n8n loads all nodes at its start. */
export const loadNumberingPlans = async (): Promise<NumberingPlans> =>
	await once('plans', async () =>
		createNumberingPlans((await import('./numberingPlans.json')).default),
	);

/** The calling code that international digits begin with: none is the beginning of another. */
export const callingCodeOf = (plans: NumberingPlans, digits: string): string | undefined =>
	[1, 2, 3].map((length) => digits.slice(0, length)).find(plans.isCallingCode);

const typeIn = (national: string, country: Country): Certainty | undefined => {
	if (!country.lengths.includes(national.length)) return undefined;
	if (country.mobile.test(national)) return 'mobile';
	return country.fixed?.test(national) || country.other?.test(national) ? 'valid' : undefined;
};

/**
 * How sure it is that this number exists, and in which country. Digits that a country has for itself decide
 * about it, as do its patterns where several share a calling code.
 */
export const certaintyOf = (
	plans: NumberingPlans,
	{ callingCode, national }: { callingCode: string; national: string },
): { certainty: Certainty; country: Country } | undefined => {
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
};

/**
 * The ISO codes of the countries that E.164 digits can belong to: one, or all that share the calling code where
 * no plan knows the number.
 */
export const countriesOf = (plans: NumberingPlans, number: string): string[] => {
	const callingCode = callingCodeOf(plans, number);
	if (callingCode === undefined) return [];
	const found = certaintyOf(plans, { callingCode, national: number.slice(callingCode.length) });
	if (found && found.certainty !== 'possible') return [found.country.code];
	return plans.sharing(callingCode).map(({ code }) => code);
};

export type PhoneType = 'mobile' | 'landline' | 'other' | 'unknown';

const phoneTypeIn = (national: string, { mobile, fixed }: Country): PhoneType => {
	const isFixed = fixed?.test(national) ?? false;
	if (mobile.test(national)) return isFixed ? 'unknown' : 'mobile';
	return isFixed ? 'landline' : 'other';
};

/**
 * The country of E.164 digits, and what they are. Without one where they belong to no country, or to any of several;
 * unknown where their country does not tell mobiles from landlines, or no plan has them.
 */
export const describePhone = (
	plans: NumberingPlans,
	number: string,
): { country?: string; type: PhoneType } => {
	const callingCode = callingCodeOf(plans, number) ?? '';
	const national = number.slice(callingCode.length);
	const found = certaintyOf(plans, { callingCode, national });
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
};
