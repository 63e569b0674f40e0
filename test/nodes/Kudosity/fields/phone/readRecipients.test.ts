import { describe, expect, it } from 'vitest';
import { loadPhones } from '../../../../seams.ts';

const { recipients: read } = await loadPhones();

const both = ['61491570006', '61491570156'];

describe('a list of recipients', () => {
	it.each([
		['a number', 61491570006, ['61491570006']],
		['commas', '61491570006, 61491570156', both],
		['semicolons', '61491570006; 61491570156;', both],
		['lines', '61491570006\r\n61491570156\n', both],
		['tabs', '61491570006\t61491570156', both],
		['full-width commas', '61491570006，61491570156', both],
		['an array', ['61491570006', 61491570156], both],
		['nested arrays', [['61491570006'], [[61491570156]]], both],
		['texts with commas in an array', ['61491570006,61491570156'], both],
		['decimals of a spreadsheet', '61491570006.0,61491570156.0', both],
	])('is read from %s', (_, value, numbers) => {
		expect(read(value)).toEqual({ numbers, refused: [] });
	});

	it('leaves out what is empty or missing', () => {
		expect(read(['', ' ', null, undefined, '61491570006', []])).toEqual({
			numbers: ['61491570006'],
			refused: [],
		});
		expect(read(undefined)).toEqual({ numbers: [], refused: [] });
	});

	it('has each number once, in whatever spelling it comes', () => {
		const spellings = [
			'0491 570 156',
			'491570156',
			'+61 (0)491570156',
			61491570156,
			'61491570156.0',
		];
		expect(read(spellings, 'AU').numbers).toEqual(['61491570156']);
	});

	it('reports what is no number by its place, without the whole number, and keeps the others', () => {
		const { numbers, refused } = read(['61491570006', '', '0491 570 156', {}, '61491570156']);

		expect(numbers).toEqual(both);
		expect(refused).toEqual([
			{
				position: 3,
				number: '…0156',
				reason: 'is not a valid number with a country code',
				remedy: expect.stringContaining('Default Country'),
			},
			{ position: 4, number: '', reason: 'is not text', remedy: expect.any(String) },
		]);
	});

	it('takes digits that somebody grouped with commas for no number at all', () => {
		expect(read('61,491,570,156').numbers).toEqual([]);
		expect(read('61,491,570,156', 'AU').numbers).toEqual([]);
	});
});
