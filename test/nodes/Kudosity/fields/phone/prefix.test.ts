import { describe, expect, it } from 'vitest';
import { loadPhones } from '../../../../seams.ts';

const { prefix } = await loadPhones();

describe('the beginning of numbers', () => {
	it.each([
		['+61 04', '614'],
		['+61 (0)4', '614'],
		['+61 0491', '61491'],
		['+61 0491 570 006', '61491570006'],
		['+44 (0)77', '4477'],
		['+44 077', '4477'],
		['+44 0', '44'],
		['+49 (0)15', '4915'],
		['+49 0151', '49151'],
		['+33 06', '336'],
		['+64 021', '6421'],
		['+36 06 20', '3620'],
		['+54 0 11', '5411'],
		['+55 0 11', '5511'],
		['+353 087', '35387'],
		['+886 09', '8869'],
		['0061 4', '614'],
		['0044 077', '4477'],
		['61 04', '614'],
		['+６１ ０４', '614'],
	])('leaves out a trunk zero: %s is %s', (written, digits) => {
		expect(prefix(written)).toBe(digits);
	});

	it.each([
		['+61', '61'],
		['+61 4', '614'],
		['+6149', '6149'],
		['+4', '4'],
		['+2', '2'],
		['+35', '35'],
		['+37', '37'],
		['+1', '1'],
		['+1 212', '1212'],
		['+1 268', '1268'],
		// Numbers of Italy, and of countries without a trunk prefix, begin with their zero.
		['+39 06', '3906'],
		['+39 (0)6', '3906'],
		['+225 07', '22507'],
		['+242 06', '24206'],
		['+45 20', '4520'],
		['+65 9', '659'],
		// An 8 is also how numbers of Russia begin.
		['+7 8', '78'],
		['+7 912', '7912'],
		['+521', '521'],
		['61491570006', '61491570006'],
	])('is what is written where that can be: %s', (written, digits) => {
		expect(prefix(written)).toBe(digits);
	});

	it.each([
		'',
		'+',
		'0',
		'04',
		'0491',
		'Sam',
		'+61 x',
		'+61 00',
		'+61 004',
		'+44 (0)0',
		'+36 0',
		'+1 1',
		'+1 1 212',
		'+28',
		'+83 1',
		'+89',
		'+999',
		'+21 0',
		'+000',
	])('is none where no number begins so: %j', (written) => {
		expect(prefix(written)).toBeUndefined();
	});
});
