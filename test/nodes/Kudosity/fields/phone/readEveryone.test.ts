import { describe, expect, it } from 'vitest';
import { loadPhones } from '../../../../seams.ts';

const { everyone, isLandline } = await loadPhones();

/** Sorted, each once; or why the entry is refused. */
const meantBy = (entry: unknown, country?: string): string | string[] => {
	const read = everyone(entry, country);
	return 'numbers' in read ? [...new Set(read.numbers)].sort() : read.reason;
};

describe('an entry of a list', () => {
	it.each<[entry: unknown, country: string | undefined, numbers: string[]]>([
		['+61 491 570 006', undefined, ['61491570006']],
		['61491570006', undefined, ['61491570006']],
		['+61 (0)491 570 006', 'US', ['61491570006']],
		['tel:+61491570006', undefined, ['61491570006']],
		[61_491_570_006, undefined, ['61491570006']],
	])('is read as a recipient is, if it has a calling code: %s in %s', (entry, country, numbers) => {
		expect(meantBy(entry, country)).toEqual(numbers);
	});

	it.each([
		['+491570006', 'AU', ['491570006', '61491570006']],
		['00491570006', 'AU', ['00491570006', '491570006', '61491570006']],
		['4365000000', 'DE', ['4365000000', '494365000000']],
	])('means both numbers if it can be read two ways: %s in %s', (entry, country, numbers) => {
		expect(meantBy(entry, country)).toEqual(numbers);
	});

	it.each([
		['491570006', 'AU', ['491570006', '61491570006']],
		[491_570_006, 'AU', ['491570006', '61491570006']],
		['0491570006', 'AU', ['0491570006', '491570006', '61491570006']],
		['0491 570 006', 'AU', ['491570006', '61491570006']],
		['312 555 0123', 'US', ['13125550123', '3125550123']],
		['2025550143', 'US', ['12025550143', '2025550143']],
		['333', undefined, ['333']],
		['12345', undefined, ['12345']],
		['123456', 'AU', ['123456']],
		['1234567', 'AU', ['1234567']],
		['61999999999999', undefined, ['61999999999999']],
		['614915700061', 'AU', ['614915700061']],
	])('also means its digits, if it has no plus: %s in %s', (entry, country, numbers) => {
		expect(meantBy(entry, country)).toEqual(numbers);
	});

	it.each<[entry: unknown, country?: string]>([
		['0491570006'],
		['0123', 'AU'],
		['491570006'],
		['4915700'],
		['4915700061'],
		['12', 'AU'],
		['1234567890123456', 'AU'],
		['+61 491 570', 'AU'],
		['+61 491 570 0066', 'AU'],
		['6.149E+10', 'AU'],
		['Sam', 'AU'],
		['12345, 333', 'AU'],
		['', 'AU'],
		[true, 'AU'],
		[null, 'AU'],
		[{ phone: '61491570006' }, 'AU'],
	])('is refused if it may be a national number, or cannot be read: %j in %s', (entry, country) => {
		expect(meantBy(entry, country)).toEqual(expect.any(String));
	});
});

describe('a landline', () => {
	it.each([
		['61255501234', true],
		['442079460123', true],
		['551123456789', true],
		['61491570006', false],
		['12025550143', false],
		['5491123456789', false],
		['541123456789', false],
		['551187654321', false],
		['61999999999', false],
		['611300000000', false],
	])('is what the plan of its country knows as one: %s', (number, expected) => {
		expect(isLandline(number)).toBe(expected);
	});
});
