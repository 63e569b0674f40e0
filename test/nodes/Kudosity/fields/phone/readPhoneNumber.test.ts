import { describe, expect, it } from 'vitest';
import { loadPhones } from '../../../../seams.ts';

const { number: readNumber } = await loadPhones();

const numberOf = (value: unknown, defaultCountry?: string): string | undefined => {
	const read = readNumber(value, defaultCountry);
	return 'number' in read ? read.number : undefined;
};

const refusalOf = (value: unknown, defaultCountry?: string) => {
	const read = readNumber(value, defaultCountry);
	return 'reason' in read ? read : undefined;
};

describe('with Default Country Australia', () => {
	it.each([
		['the trunk zero', '0491 570 156'],
		['a lost leading zero', '491570156'],
		['a lost leading zero, as a number', 491570156],
		['a zero in brackets', '+61 (0)491 570 156'],
		['a zero after the calling code', '+61 0491570156'],
		['the prefix for calls abroad', '0011 61 491 570 156'],
		['a leading 00', '0061 491 570 156'],
		['digits alone', '61491570156'],
		['digits alone and a zero in brackets', '61 (0)491 570 156'],
		['a number', 61491570156],
		['decimals of a spreadsheet', '61491570156.0'],
		['two decimals of a spreadsheet', '61491570156.00'],
		['decimals and a plus', '+61491570156.0'],
		['decimals and a lost zero', '491570156.0'],
		['a plus', '+61491570156'],
		['hyphens', '0491-570-156'],
		['dots', '0491.570.156'],
		['a slash', '0491/570156'],
		['brackets', '(04) 9157 0156'],
		['a plus in brackets', '(+61) 491 570 156'],
		['no-break spaces', '+61\u00a0491\u202f570\u2009156'],
		['unicode dashes', '0491\u2013570\u2212156'],
		['bidi signs of a copied number', '\u202a+61 491 570 156\u202c'],
		['a zero-width space and a byte order mark', '\ufeff0491\u200b570156'],
		['full-width digits', '０４９１　５７０　１５６'],
		['a full-width plus', '＋６１４９１５７０１５６'],
		['Arabic digits', '٠٤٩١٥٧٠١٥٦'],
		['Persian digits', '۰۴۹۱۵۷۰۱۵۶'],
		['an apostrophe of a spreadsheet', "'61491570156"],
		['a link', 'tel:+61-491-570-156'],
		['space around it', '  0491570156\n'],
	])('reads %s', (_, value) => {
		expect(numberOf(value, 'AU')).toBe('61491570156');
	});

	it('reads numbers of other countries', () => {
		expect(numberOf('+44 7700 900123', 'AU')).toBe('447700900123');
		expect(numberOf('0011 44 7700 900123', 'AU')).toBe('447700900123');
		expect(numberOf('447700900123', 'AU')).toBe('447700900123');
	});

	it.each(['au', ' AU '])('takes %j as Australia', (country) => {
		expect(numberOf('0491570156', country)).toBe('61491570156');
	});

	it.each([
		['a digit is missing', '0491 570 15'],
		['a digit is too many', '0491 570 1560'],
		['two numbers', '0491570156 / 0491570006'],
		['two numbers without anything between', '04915701560491570006'],
	])('refuses it when %s, and names the country', (_, value) => {
		expect(refusalOf(value, 'AU')?.reason).toContain("'Default Country' (Australia)");
	});
});

describe('without Default Country', () => {
	it.each([
		['+44 (0)7700 900123', '447700900123'],
		['0044 7700 900123', '447700900123'],
		['447700900123', '447700900123'],
		['44 (0)7700 900123', '447700900123'],
		['+61 (0)491 570 190', '61491570190'],
		['+61 0491570190', '61491570190'],
		['61491570156.0', '61491570156'],
		['61491570156', '61491570156'],
		[61491570156, '61491570156'],
		['00 61 491 570 156', '61491570156'],
		['+1 212 555 0123', '12125550123'],
		['1 (212) 555-0123', '12125550123'],
		['+39 06 6982 0000', '390669820000'],
		['+39 (0)6 6982 0000', '390669820000'],
		['+420 (0)601 123 456', '420601123456'],
		['+1 (0)212 555 0123', '12125550123'],
		['(61) 491 570 156', '61491570156'],
		['852 512 34567', '85251234567'],
		['65 9234 5678', '6592345678'],
		['+36 06 20 123 4567', '36201234567'],
		['+7 8 912 345 67 89', '79123456789'],
		['+54 11 15 2345 6789', '5491123456789'],
		['+870 773 123 456', '870773123456'],
		// A premium-rate number. Its 8 may be a trunk prefix in Belarus, but no number is left without it.
		['+375 8100000000', '3758100000000'],
		['3758100000000', '3758100000000'],
	])('reads %j', (value, number) => {
		expect(numberOf(value)).toBe(number);
	});

	it.each([
		['a national number', '0491 570 156'],
		['a national number without its zero', '491570156'],
		['a number with a digit too many', '614915701560'],
		['a trunk zero that nothing sets apart', '610491570190'],
		['a prefix of Australia', '0011 61 491 570 156'],
		['an American number that begins like one of Norway', '(479) 234-5678'],
		['one with hyphens', '479-234-5678'],
		['one with dots', '659.234.5678'],
		['one with another digit behind it, like a mobile of Romania', '407-555-1234 1'],
		['one with an extension after a hyphen, like a mobile of France', '336-555-1234-2'],
		['short digits', '12345'],
	])('refuses %s', (_, value) => {
		expect(numberOf(value)).toBeUndefined();
	});

	it.each(['0491 570 156', '491570156', '614915701560'])(
		'names Default Country as the remedy for %s',
		(value) => {
			expect(refusalOf(value)?.remedy).toContain('Default Country');
		},
	);

	it('does not read what Australians dial before Singapore as a number of America', () => {
		expect(numberOf('0011 65 8234 5678')).toBeUndefined();
		expect(numberOf('0011 65 8234 5678', 'AU')).toBe('6582345678');
	});
});

describe.each([undefined, 'AU', 'DE', 'US'])('with Default Country %s', (country) => {
	it.each([
		['a fraction', 61491570006.5, 'has decimals'],
		['a fraction as text', '61491570006.5', 'has decimals'],
		['a fraction after a plus', '+61491570006.5', 'has decimals'],
		['a fraction after spaces', '+61 491 570 006.5', 'has decimals'],
		['a fraction of two digits', '61491570006.05', 'has decimals'],
		['one dot between digits', '61491.570156', 'has decimals'],
		['a decimal comma', '61491570006,5', 'has decimals'],
		['a rounded number', '6.149E+10', 'was rounded by a spreadsheet'],
		['a rounded number in small letters', '6.149e10', 'was rounded by a spreadsheet'],
		['a number that was read from 4.47701E+11', 447_701_000_000, 'was rounded by a spreadsheet'],
		['a number that was read from 4.91571E+12', 4_915_710_000_000, 'was rounded by a spreadsheet'],
		['a number that is too large', 6.149157e25, 'was rounded by a spreadsheet'],
		['a number beyond all whole ones', 2 ** 53, 'was rounded by a spreadsheet'],
		['a negative number', -61491570006, 'starts with a minus sign'],
		['a minus', '-61491570006', 'starts with a minus sign'],
		['an extension', '+61 491 570 006 x123', 'has an extension'],
		['an extension in words', '+61 491 570 006 ext. 123', 'has an extension'],
		['an extension of a link', 'tel:+61-491-570-006;ext=123', 'has an extension'],
		['an extension with a hash', '61491570006#123', 'has an extension'],
		['letters', '61491570O06', 'is not a phone number'],
		['a word', 'Sam', 'is not a phone number'],
		['superscripts', '61491570006²', 'is not a phone number'],
		['a plus in the middle', '61+491570006', 'is not a phone number'],
		['two plus signs', '++61491570006', 'is not a phone number'],
		['two numbers', '61491570006,61491570156', 'looks like two numbers'],
		['two numbers as HubSpot joins them', '0491 570 006;0491 570 156', 'looks like two numbers'],
		['two lines', '61491570006\n61491570156', 'is not a phone number'],
		['a text of 100,000 signs', '('.repeat(100_000), 'is not a phone number'],
		['a date', '01/02/2026', 'looks like a date'],
		['a date with dots', '29.6.1968', 'looks like a date'],
		['a date with hyphens', '29-11-2025', 'looks like a date'],
		['a date that begins with its year', '2026-01-31', 'looks like a date'],
		['two numbers that differ in their end', '021 123 456/7', 'looks like two numbers'],
		['two numbers that differ in their end', '0160 1234567/ 89', 'looks like two numbers'],
		['two numbers that differ in their end', '94742399/633', 'looks like two numbers'],
		['a number in brackets behind it', '+39 312 345 678 (2)', 'looks like two numbers'],
		['a number that shows backwards', '\u202e65107519416', 'is not a phone number'],
		['a plus alone', '+', 'is not a phone number'],
		['NaN', NaN, 'is not text'],
		['a list', ['61491570006'], 'is not text'],
		['an object', {}, 'is not text'],
		['a switch', true, 'is not text'],
		['nothing', undefined, 'is empty'],
		['null', null, 'is empty'],
		['blanks', ' \u200b ', 'is empty'],
		['a plus before 00', '+0061491570006', 'is not a valid phone number in any country'],
		['an unknown calling code', '+999 491 570 006', 'is not a valid phone number in any country'],
	])('refuses %s', (_, value, reason) => {
		expect(refusalOf(value, country)).toMatchObject({
			reason,
			remedy: expect.stringMatching(/^[A-Z].{15,}[^.]$/),
		});
	});
});

describe('digits with two meanings', () => {
	it.each([
		['13125550123', 'CN', 'United States, China'],
		['15125550123', 'DE', 'United States, Germany'],
	])('are refused when both are mobiles: %s in %s', (value, country, both) => {
		expect(refusalOf(value, country)).toMatchObject({
			reason: `could be a number in several countries (${both})`,
			remedy: expect.stringContaining('with + and the country code'),
			isAmbiguous: true,
		});
	});

	it('are read with a sign of which one is meant', () => {
		expect(numberOf('+13125550123', 'CN')).toBe('13125550123');
		expect(numberOf('0013125550123', 'CN')).toBe('13125550123');
		expect(numberOf('013125550123', 'CN')).toBe('8613125550123');
	});

	it('are refused when they could be a landline at home or a mobile abroad', () => {
		expect(refusalOf('4365000000', 'DE')?.isAmbiguous).toBe(true);
	});

	it('are the mobile of the default country rather than a landline of another', () => {
		expect(numberOf('431234567', undefined)).toBe('431234567');
		expect(numberOf('431234567', 'AU')).toBe('61431234567');
	});
});

describe('Default Country', () => {
	it('is refused when it is none', () => {
		expect(refusalOf('61491570156', 'Australia')?.reason).toContain('Default Country');
		expect(refusalOf('61491570156', '__proto__')?.reason).toContain('Default Country');
	});
});
