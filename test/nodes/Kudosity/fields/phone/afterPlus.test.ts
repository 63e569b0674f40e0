import fc from 'fast-check';
import { parsePhoneNumberFromString as oracle, type CountryCode } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { loadPhones } from '../../../../seams.ts';
import '../../../../helpers/fastCheckSeed.ts';

const { number: read, named, recipients, sender, clean } = await loadPhones();

const numberOf = (value: unknown, defaultCountry?: string): string | undefined => {
	const result = read(value, defaultCountry);
	return 'number' in result ? result.number : undefined;
};

/** A plus before a national number: its country, the text, and the country that it was taken for. */
const stray: Array<[home: string, text: string, taken: string]> = [
	['AU', '+491 570 006', 'Germany'],
	['AU', '+491570156', 'Germany'],
	['AU', '00491570006', 'Germany'],
	['AU', '00 491 570 006', 'Germany'],
	['AU', '(+491) 570 006', 'Germany'],
	['AU', '+491-570-006', 'Germany'],
	['AU', 'tel:+491570006', 'Germany'],
	['AU', '+491570006.0', 'Germany'],
	['AU', '+481 234 567', 'Poland'],
	['AU', '+421 234 567', 'Slovakia'],
	['AU', '+431 234 567', 'Austria'],
	['AU', '00431234567', 'Austria'],
	['AU', '+433 161 234', 'Austria'],
	['AU', '+430 123 456', 'Austria'],
	['AU', '+461 234 567', 'Sweden'],
	['AU', '+466 123 456', 'Sweden'],
	['AU', '+468 123 456', 'Sweden'],
	['AU', '+447 123 456', 'United Kingdom'],
	['AU', '+493 012 345', 'Germany'],
	['AU', '+494 012 345', 'Germany'],
	['AU', '+498 912 345', 'Germany'],
	['NZ', '+27 123456', 'South Africa'],
	['NZ', '+27 123 4567', 'South Africa'],
	['NZ', '+27 512 3456', 'South Africa'],
	['NZ', '0027 123 4567', 'South Africa'],
	['NZ', '+27 1234 5678', 'South Africa'],
	['US', '+2025550143', 'Egypt'],
	['US', '+202 555 0143', 'Egypt'],
	['US', '+(312) 555-0123', 'Netherlands'],
	['US', '+3125550123', 'Netherlands'],
	['US', '+3235550123', 'Belgium'],
	['US', '+4345550123', 'Austria'],
	['US', '+5125550123', 'Peru'],
	['US', '+6025550123', 'Malaysia'],
	['US', '+6195550123', 'Australia'],
	['US', '+6465550123', 'New Zealand'],
	['US', '+8185550123', 'Japan'],
	['US', '+9195550123', 'India'],
	['FR', '+612345678', 'Australia'],
	['NL', '+61 2 345 678', 'Australia'],
	['ES', '+612345678', 'Australia'],
	['DE', '+15112345678', 'United States'],
	['PH', '+9171234567', 'India'],
	['ID', '+8123456789', 'Japan'],
	['AT', '+6641234567', 'Thailand'],
	['DK', '+40123456', 'Romania'],
];

/** What is another country's, whatever Default Country is, or the country's own. */
const meant: Array<[home: string | undefined, text: string, number: string]> = [
	// Mobiles abroad, although their digits are a mobile at home.
	['AU', '+436 641 234', '436641234'],
	['CN', '+13125550123', '13125550123'],
	['DE', '+15702345678', '15702345678'],
	['DE', '+1 602 234 5678', '16022345678'],
	['AT', '+65 9123 4567', '6591234567'],
	// Of another length than any mobile at home.
	['AU', '+49 1512 3456789', '4915123456789'],
	['AU', '+49 30 123456', '4930123456'],
	['AU', '+44 7700 900123', '447700900123'],
	['AU', '+44 20 7946 0123', '442079460123'],
	['AU', '+46 70 123 45 67', '46701234567'],
	['AU', '+48 512 345 678', '48512345678'],
	['AU', '+41 78 123 45 67', '41781234567'],
	['AU', '+43 664 1234567', '436641234567'],
	['AU', '+47 412 34 567', '4741234567'],
	['AU', '+1 202 555 0143', '12025550143'],
	['AU', '0011 44 7700 900123', '447700900123'],
	['NZ', '+27 82 123 4567', '27821234567'],
	['NZ', '+27 11 234 5678', '27112345678'],
	['NZ', '+212 612 345678', '212612345678'],
	['US', '+20 10 0123 4567', '201001234567'],
	['US', '+31 6 12345678', '31612345678'],
	['US', '+61 491 570 006', '61491570006'],
	['US', '+64 21 123 4567', '64211234567'],
	// Not a mobile at home, whatever their length.
	['AU', '+39 06 6982 000', '39066982000'],
	['US', '+3905550123', '3905550123'],
	['GB', '+491570006', ''],
	['NZ', '+431 234 567', '431234567'],
	// Its own country's.
	['AU', '+61 491 570 006', '61491570006'],
	['AU', '+61 (0)491 570 006', '61491570006'],
	['AU', '+61 2 5550 1234', '61255501234'],
	['US', '+1 202 555 0143', '12025550143'],
	['US', '+1 800 555 0123', '18005550123'],
	['NZ', '+64 27 123 4567', '64271234567'],
	['IN', '+91 98123 45678', '919812345678'],
	// The same digits, with nothing that makes them two numbers.
	[undefined, '+431 234 567', '431234567'],
	['AU', '431 234 567', '61431234567'],
	['AU', '0431 234 567', '61431234567'],
	['AT', '+431 234 567', '431234567'],
	['AT', '+43 1 234 567', '431234567'],
	['US', '202 555 0143', '12025550143'],
];

describe('a plus before a national number', () => {
	it.each(stray)('is refused in %s: %s', (home, text, taken) => {
		const result = read(text, home);
		expect(result).toMatchObject({ isAmbiguous: true });
		expect(result).toMatchObject({
			reason: expect.stringContaining(`(${taken}, `),
			remedy: expect.stringContaining("'Default Country'"),
		});
		expect('remedy' in result && result.remedy).not.toMatch(/Write the number with \+/);
	});

	it.each(stray)(
		'is refused by Clean and in a list of recipients, too: in %s, %s',
		(home, text) => {
			expect(clean(text, home).number).toBeNull();
			expect(recipients([text], home)).toMatchObject({ numbers: [], refused: [{ position: 1 }] });
		},
	);

	it.each(stray)('is taken as written where a number is only named: in %s, %s', (home, text) => {
		const written = named(text);
		expect(written).toHaveProperty('number');
		expect(named(text, home)).toEqual(written);
		expect(sender(text, home)).toEqual(sender(text));
	});
});

describe('a number with the plus that belongs to it', () => {
	it.each(meant.filter(([, , number]) => number !== ''))(
		'is read in %s: %s',
		(home, text, number) => {
			expect(numberOf(text, home)).toBe(number);
		},
	);
});

const australianMobile = fc.integer({ min: 400_000_000, max: 499_999_999 }).filter((digits) => {
	const number = oracle(`+61${digits}`);
	return number?.isValid() === true && number.getType() === 'MOBILE';
});
const mobileAbroad = (digits: string) => oracle(`+${digits}`)?.getType() === 'MOBILE';

describe('any Australian mobile', () => {
	it.each(['+', '00'])('after %s is never read as a number of another country', (plus) => {
		fc.assert(
			fc.property(australianMobile, (digits) => {
				const number = numberOf(`${plus}${digits}`, 'AU');
				expect([digits, number]).toEqual([
					digits,
					mobileAbroad(`${digits}`) ? `${digits}` : undefined,
				]);
			}),
			{ numRuns: 3_000 },
		);
	});

	it('is read with its calling code, and without', () => {
		fc.assert(
			fc.property(australianMobile, (digits) => {
				expect(numberOf(`+61${digits}`, 'AU')).toBe(`61${digits}`);
				expect(numberOf(`0${digits}`, 'AU')).toBe(`61${digits}`);
			}),
		);
	});
});

/** Mobiles with digits too few or too many. */
const mistyped = [
	'+61 491 570 0066',
	'+61 491 570',
	'+61 491 57',
	'+61 491 570 00',
	'+61 (0)491 570 00',
	'+61 0491 570 0066',
	'0061 491 570 0066',
	'0061 491 570',
	'+61 412 345 67',
	'+61 412 345 6789',
	'+44 7911 12345',
	'+44 7911 123',
	'+44 7700 90012',
	'0044 7700 90012',
	'+49 151 123 4567',
	'+49 1512 34567890',
	'+49 170 1234 56789',
	'+49 176 12345',
	'+64 21 12345',
	'+64 27 123 456',
	'+64 27 123',
	'+33 6 12 34 56 7',
	'+86 138 0013 800',
	'+86 138 0013 8000 0',
	'+81 90 1234 567',
	'+91 98765 4321',
	'+63 917 123 456',
	'+27 72 123 456',
	'+46 70 123 45 6',
	'+43 664 123',
	'+48 512 345 67',
	'+55 11 9765 432',
	'+54 9 11 2345 678',
	'+31 6 1234567',
	'+32 470 12 34 5',
	'+353 87 123 456',
	'+60 12 345 67',
	'+62 812 345',
	'+972 52 234 567',
	'+34 612 345 67',
	'+84 91 234 567',
];

/** New ranges, lengths that a prefix has, landlines, and people with two spellings. */
const unmistyped: Array<[text: string, number: string]> = [
	['+61 491 570 006', '61491570006'],
	// Not given out yet, with the length of their neighbors.
	['+61 483 400 000', '61483400000'],
	['+61 455 900 000', '61455900000'],
	['+44 7000 123456', '447000123456'],
	['+44 7457 612345', '447457612345'],
	['+86 120 1234 5678', '8612012345678'],
	['+81 60 1234 5678', '816012345678'],
	['+49 1534 123456', '491534123456'],
	['+33 800 123 456', '33800123456'],
	['+27 55 123 4567', '27551234567'],
	['+48 400 123 456', '48400123456'],
	// Several lengths are right.
	['+64 21 123 456', '6421123456'],
	['+64 21 1123 4567', '642111234567'],
	['+64 21 123 4567', '64211234567'],
	['+64 27 123 4567', '64271234567'],
	['+49 151 12345678', '4915112345678'],
	['+49 170 1234567', '491701234567'],
	['+49 170 12345678', '4917012345678'],
	['+43 664 1234567', '436641234567'],
	['+43 664 123456789', '43664123456789'],
	['+39 347 123 456', '39347123456'],
	['+39 347 123 4567', '393471234567'],
	['+62 812 345 678', '62812345678'],
	['+62 812 3456 7890', '6281234567890'],
	['+60 12 345 6789', '60123456789'],
	['+60 11 1234 5678', '601112345678'],
	// Landlines, also those whose length no plan has.
	['+61 2 5550 1234', '61255501234'],
	['+61 2 5550 123', '6125550123'],
	['+49 30 123456', '4930123456'],
	['+43 1 234567', '431234567'],
	['+44 20 7946 012', '44207946012'],
	['+55 11 3123 4567', '551131234567'],
	['+55 11 3123 456', '55113123456'],
	// People with two spellings.
	['+55 11 9765 4321', '5511997654321'],
	['+55 21 8765 4321', '5521987654321'],
	['+55 11 7123 4567', '551171234567'],
	['+52 1 55 1234 5678', '525512345678'],
	['+54 11 2345 6789', '541123456789'],
	['+54 9 11 2345 6789', '5491123456789'],
];

describe('a mobile with digits missing or too many', () => {
	it.each(mistyped)('is refused after a plus: %s', (text) => {
		expect(read(text)).toMatchObject({
			reason: 'is not a valid phone number in any country',
			remedy: expect.stringContaining('missing or extra digits'),
		});
		for (const home of ['AU', 'GB', 'US']) expect(numberOf(text, home)).toBeUndefined();
		expect(clean(text).number).toBeNull();
		expect(recipients([text]).numbers).toEqual([]);
	});

	it.each(['+61 491 570 0066', '+61 491 570', '+44 7911 12345', '+64 27 123 456'])(
		'is taken where a number is only named: %s',
		(text) => {
			const digits = text.replace(/\D/g, '');
			expect(named(text)).toMatchObject({ number: digits });
			expect(sender(text)).toEqual({ sender: digits, kind: 'number' });
		},
	);
});

describe('a number that no plan may know', () => {
	it.each(unmistyped)('is read after a plus: %s', (text, number) => {
		expect(numberOf(text)).toBe(number);
	});
});

const samples = fc.constantFrom<CountryCode>('AU', 'DE', 'GB', 'NZ', 'US', 'ZA', 'ID', 'AT');

describe('what libphonenumber calls no mobile abroad, but one at home', () => {
	it('is never read after a plus', () => {
		fc.assert(
			fc.property(samples, fc.integer({ min: 20_000_000, max: 99_999_999_999 }), (home, value) => {
				const isMobile = (text: string, country?: CountryCode) =>
					['MOBILE', 'FIXED_LINE_OR_MOBILE'].includes(oracle(text, country)?.getType() ?? '');
				if (!isMobile(String(value), home) || isMobile(`+${value}`)) return;
				const own = oracle(String(value), home)?.number.slice(1);
				expect([undefined, own]).toContain(numberOf(`+${value}`, home));
			}),
			{ numRuns: 20_000 },
		);
	});
});
