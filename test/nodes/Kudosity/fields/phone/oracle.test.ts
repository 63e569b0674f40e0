import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import {
	getCountries,
	getCountryCallingCode,
	Metadata,
	parsePhoneNumberFromString as oracle,
	PhoneNumber,
	type CountryCode,
	type E164Number,
	type NumberingPlan,
} from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { loadPhones } from '../../../../seams.ts';

const { number: read, clean } = await loadPhones();

const countries = getCountries();

const numberOf = (value: unknown, defaultCountry?: string): string | undefined => {
	const result = read(value, defaultCountry);
	return 'number' in result ? result.number : undefined;
};

const digitsOf = (number: PhoneNumber | undefined): string | undefined => number?.number.slice(1);

/** What plans have, but libphonenumber-js does not declare. */
type Undeclared = {
	nationalPrefix(): string | null;
	nationalPrefixForParsing(): string | null;
	nationalNumberPattern(): string;
	types(): Array<[pattern?: string] | 0 | null> | undefined;
};

const planOf = (country: CountryCode) => {
	const metadata = new Metadata();
	metadata.selectNumberingPlan(country);
	return metadata.numberingPlan as NumberingPlan & Undeclared;
};

/** Whether the digits begin with what people dial before a national number in the main country of a calling code. */
const hasTrunk = (callingCode: string, national: string): boolean =>
	new RegExp(
		`^(?:${planOf(callingCode as CountryCode).nationalPrefixForParsing() ?? '(?!)'})`,
	).test(national);

/** Numbers that the oracle does not know, since they are reserved for stories. */
const isReserved = (digits: string): boolean => /^(?:447700900|3363998|3532091)/.test(digits);

type Sample = { country: CountryCode; callingCode: string; national: string };

const digitText = (length: number) =>
	fc
		.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
		.map((digits) => digits.join(''));

/** The example number of the country with another end, or any digits of a possible length. */
const nationalOf = (country: CountryCode): fc.Arbitrary<string> => {
	const example = examples[country] ?? '';
	const likely = fc
		.integer({ min: 0, max: 7 })
		.chain((count) =>
			digitText(count).map((end) => example.slice(0, example.length - count) + end),
		);
	const possible = fc.constantFrom(...planOf(country).possibleLengths()).chain(digitText);
	return fc.oneof({ weight: 3, arbitrary: likely }, { weight: 1, arbitrary: possible });
};

const samples: fc.Arbitrary<Sample> = fc.constantFrom(...countries).chain((country) =>
	nationalOf(country).map((national) => ({
		country,
		callingCode: getCountryCallingCode(country),
		national,
	})),
);

const parameters = { numRuns: Number(process.env.KUDOSITY_PROPERTY_RUNS ?? 1000) };

const check = (property: (sample: Sample) => void) =>
	fc.assert(fc.property(samples, property), parameters);

/**
 * libphonenumber takes a trunk digit also from a number that is valid as it stands, and leaves one that is not, as long
 * as both look like its plan: of +375 8100000000, a premium-rate number of Belarus, +375 100000000. That one is kept.
 */
const asWritten = (digits: string): PhoneNumber | undefined => {
	const number = new PhoneNumber(`+${digits}` as E164Number);
	return number.isValid() ? number : undefined;
};
const withPlus = (digits: string) => planned(asWritten(digits) ?? oracle(`+${digits}`));

/** As the plans have the number of a person in Mexico, Argentina or Brazil that WhatsApp writes in another way. */
const otherSpelling = (digits: string): string =>
	digits
		.replace(/^521(\d{10})$/, '52$1')
		.replace(/^54(\d{10})$/, '549$1')
		.replace(/^(55\d\d)([6-9]\d{7})$/, (_, area: string, rest: string) => `${area}9${rest}`);
const planned = (number: PhoneNumber | undefined): PhoneNumber | undefined =>
	!number || number.isValid()
		? number
		: (asWritten(otherSpelling(number.number.slice(1))) ?? number);

/**
 * A few numbers of Austria and Germany, such as +49 493000000, are of a type of their plan, but not of the pattern that
 * all of its numbers should have. libphonenumber asks for both; the nodes know the types alone.
 */
const isOfItsTypeOnly = ({ country, national }: Sample): boolean => {
	const plan = planOf(country);
	const fits = (pattern: string) => new RegExp(`^(?:${pattern})$`).test(national);
	const types = (plan.types() ?? []).flatMap((type) => (type && type[0]) || []);
	return types.some(fits) && !fits(plan.nationalNumberPattern());
};

/** Where this package is stricter than the oracle, and why. */
const refusedOnPurpose = {
	/** The service takes E.164 numbers; Germany, Indonesia and Japan have plans with more digits. */
	tooLong: (digits: string) => digits.length > 15,
	/** What is only dialled within the country was left out, and what remains is possible, but not valid. */
	trunkPrefix: ({ callingCode, national }: Sample, expected: PhoneNumber) =>
		!expected.isValid() &&
		(digitsOf(expected) !== callingCode + national || hasTrunk(callingCode, national)),
	/** No plan has it, but with more or fewer digits it is a mobile. */
	mistyped: ({ callingCode, national }: Sample, expected: PhoneNumber) => {
		const isMobile = (end: string) => {
			const number = oracle(`+${callingCode}${end}`);
			const isWhole = digitsOf(number) === callingCode + end;
			return isWhole && ['MOBILE', 'FIXED_LINE_OR_MOBILE'].includes(number?.getType() ?? '');
		};
		const cut = [...national.slice(3)].map((_, index) => national.slice(0, index + 3));
		const filled = Array.from({ length: 15 - national.length }, (_, index) =>
			[...'0123456789'].map((digit) => national.padEnd(national.length + index + 1, digit)),
		);
		return !expected.isValid() && [...cut, ...filled.flat()].some(isMobile);
	},
	/** A single dot is a decimal point. */
	oneDot: (spelling: unknown) => /^[^.]*[.][^.]*[^.0][^.]*$/.test(String(spelling)),
	/** As numbers, they look as if a spreadsheet had kept six digits of them. */
	rounded: (spelling: unknown) =>
		typeof spelling === 'number' && /^\d{6}0{6,}$/.test(String(spelling)),
	/** Tajikistan: numbers that begin with 00, which counts as a plus everywhere. */
	doubleZero: (text: string) => text.replace(/\D/g, '').startsWith('00'),
};

describe('a number with a plus', () => {
	it('is the one that libphonenumber reads, with a possible length, or none', () => {
		check(({ callingCode, national }) => {
			const digits = callingCode + national;
			const number = numberOf(`+${digits}`);
			if (number === undefined) return;
			expect(digitsOf(withPlus(digits))).toBe(number);
			expect(withPlus(digits)?.isPossible()).toBe(true);
		});
	});

	it('is read wherever its length is possible', () => {
		check((sample) => {
			const text = `+${sample.callingCode}${sample.national}`;
			const expected = planned(oracle(text));
			if (!expected?.isPossible() || refusedOnPurpose.tooLong(expected.number.slice(1))) return;
			if (refusedOnPurpose.trunkPrefix(sample, expected)) return;
			const isMistyped = refusedOnPurpose.mistyped(sample, expected);
			expect(numberOf(text)).toBe(isMistyped ? undefined : digitsOf(expected));
		});
	});
});

/** How people write an international number, whose digits without plus are given. */
const internationalSpellings: Array<[string, (number: PhoneNumber) => unknown]> = [
	['00', ({ number }) => number.replace('+', '00')],
	['00 and spaces', (number) => number.formatInternational().replace('+', '00 ')],
	['spaces', (number) => number.formatInternational()],
	['hyphens', (number) => number.formatInternational().replaceAll(' ', '-')],
	['dots', (number) => number.formatInternational().replaceAll(' ', '.')],
	['a link', (number) => number.getURI()],
	['decimals', ({ number }) => `${number}.0`],
	['digits alone', ({ number }) => number.slice(1)],
	['digits alone, with decimals', ({ number }) => `${number.slice(1)}.0`],
	['a number', ({ number }) => Number(number)],
	['bidi signs', (number) => `\u202a${number.formatInternational()}\u202c`],
];

describe.each(internationalSpellings)('a valid number written with %s', (_, spell) => {
	it('is the one that it is with a plus', () => {
		check(({ callingCode, national }) => {
			const expected = oracle(`+${callingCode}${national}`);
			if (!expected?.isValid() || refusedOnPurpose.tooLong(expected.number.slice(1))) return;
			const spelling = spell(expected);
			if (refusedOnPurpose.oneDot(spelling) || refusedOnPurpose.rounded(spelling)) return;
			expect([spelling, numberOf(spelling)]).toEqual([spelling, digitsOf(expected)]);
		});
	});
});

describe('digits alone', () => {
	it('are read where they are valid, and nowhere else', () => {
		check((sample) => {
			const digits = sample.callingCode + sample.national;
			const expected = withPlus(digits);
			const own = [digits, otherSpelling(digits)];
			const isValid = expected?.isValid() && own.includes(digitsOf(expected) ?? '');
			if (isReserved(digits) || refusedOnPurpose.tooLong(digits)) return;
			if (!isValid && isOfItsTypeOnly(sample)) return;
			expect(numberOf(digits)).toBe(isValid ? digitsOf(expected) : undefined);
		});
	});

	it('are the number of the default country or of another one, or none', () => {
		check(({ country, callingCode, national }) => {
			const number = numberOf(national, country);
			if (number === undefined || isReserved(number)) return;
			const after = (prefix: string) =>
				national.startsWith(prefix)
					? digitsOf(planned(oracle(`+${national.slice(prefix.length)}`)))
					: undefined;
			const own = asWritten(callingCode + national) ?? oracle(national, country);
			expect([digitsOf(own), after(''), after('00')]).toContain(number);
		});
	});
});

describe('a valid number written as in its own country', () => {
	const own = (sample: Sample): PhoneNumber | undefined => {
		const expected = oracle(`+${sample.callingCode}${sample.national}`);
		if (expected?.country !== sample.country || !expected.isValid()) return undefined;
		return refusedOnPurpose.tooLong(expected.number.slice(1)) ? undefined : expected;
	};

	it('is the same, or refused for its two meanings', () => {
		check((sample) => {
			const text = own(sample)?.formatNational() ?? '';
			const expected = oracle(text, sample.country);
			if (!expected?.isValid() || refusedOnPurpose.doubleZero(text)) return;
			const result = read(text, sample.country);
			if ('isAmbiguous' in result) expect(text).not.toMatch(/^[(]?0/);
			else expect([text, result]).toMatchObject([text, { number: digitsOf(expected) }]);
		});
	});

	it('is the same without its trunk prefix, or refused for its two meanings', () => {
		check((sample) => {
			const expected = own(sample);
			if (!expected || refusedOnPurpose.doubleZero(sample.national)) return;
			const result = read(expected.nationalNumber, sample.country);
			if (!('isAmbiguous' in result)) {
				expect([sample, result]).toMatchObject([sample, { number: digitsOf(expected) }]);
			}
		});
	});

	it('is the same after its own prefix for calls abroad', () => {
		check((sample) => {
			const expected = own(sample);
			const plan = planOf(sample.country);
			const prefix = plan.defaultIDDPrefix() || plan.IDDPrefix();
			if (!expected || !/^\d+$/.test(prefix ?? '')) return;
			const result = read(`${prefix} ${expected.number.slice(1)}`, sample.country);
			if (!('isAmbiguous' in result)) {
				expect([sample, prefix, result]).toMatchObject([
					sample,
					prefix,
					{ number: digitsOf(expected) },
				]);
			}
		});
	});

	it('is the same with its trunk zero in brackets after the calling code', () => {
		check((sample) => {
			const expected = own(sample);
			if (!expected || planOf(sample.country).nationalPrefix() !== '0') return;
			const text = `+${sample.callingCode} (0)${expected.nationalNumber}`;
			if (digitsOf(oracle(text)) !== digitsOf(expected)) return;
			expect([text, numberOf(text)]).toEqual([text, digitsOf(expected)]);
		});
	});
});

/** Whom a message reaches, by what libphonenumber calls a number. */
const kindOf = (number: PhoneNumber): string => {
	const kinds: Record<string, string> = {
		MOBILE: 'mobile',
		FIXED_LINE: 'landline',
		FIXED_LINE_OR_MOBILE: 'unknown',
	};
	const type = number.getType();
	return type === undefined ? 'unknown' : (kinds[type] ?? 'other');
};

describe('what is known of a number', () => {
	it('is what libphonenumber knows: its country, and whether it is a mobile or a landline', () => {
		check((sample) => {
			const digits = sample.callingCode + sample.national;
			const { number, country, type } = clean(`+${digits}`);
			const expected = oracle(`+${digits}`);
			if (digitsOf(expected) !== number || !expected) return;
			if (isReserved(digits) || isOfItsTypeOnly(sample)) return;
			expect([digits, country, type]).toEqual([digits, expected.country ?? null, kindOf(expected)]);
		});
	});

	it.each([
		['61255501234', 'AU', 'landline'],
		['61491570006', 'AU', 'mobile'],
		['611300975707', 'AU', 'other'],
		['447700900123', 'GB', 'mobile'],
		['442079460123', 'GB', 'landline'],
		['12025550143', 'US', 'unknown'],
		['80012345678', null, 'other'],
	])('of %s is %s and %s', (digits, country, type) => {
		expect(clean(`+${digits}`)).toMatchObject({ number: digits, country, type });
	});
});

it('reads the example of each country', () => {
	const misread = countries.filter((country) => {
		const example = oracle(examples[country] ?? '', country);
		const readings = [numberOf(example?.number), numberOf(digitsOf(example), country)];
		return readings.some((reading) => reading !== digitsOf(example));
	});
	expect(misread).toEqual([]);
});
