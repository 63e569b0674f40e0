import { describe, expect, it } from 'vitest';
import {
	anyOf,
	someOf,
	commaList,
	textList,
	trueOrFalse,
	wholeNumber,
	instant,
	optionalText,
	recordId,
	requiredText,
	Refusal,
} from '../../../seams.ts';

const refusalOf = (read: () => unknown): Refusal => {
	try {
		read();
	} catch (error) {
		if (error instanceof Refusal) return error;
		throw error;
	}
	throw new Error('It was taken');
};

describe('recordId', () => {
	it.each(['', '.', '..', '../sms', 'a/b', 'a\\b', 'a?b', 'a#b', '%2e%2e', 'a b', 'x'.repeat(101)])(
		'refuses %j',
		(id) => {
			expect(refusalOf(() => recordId(id)).remedy).not.toBe('');
		},
	);

	it.each([
		['67e3e4af-62e8-4515-8b67-6f20d0c51ffb', '67e3e4af-62e8-4515-8b67-6f20d0c51ffb'],
		[' abc_1 ', 'abc_1'],
		[4100001, '4100001'],
	])('takes %j', (id, expected) => {
		expect(recordId(id)).toBe(expected);
	});
});

describe('textList', () => {
	it.each([{}, [{}], [['a', {}]], true])('refuses %j', (value) => {
		expect(refusalOf(() => textList(value)).remedy).not.toBe('');
	});

	it.each([
		[undefined, []],
		[null, []],
		['', []],
		[['', ' ', null], []],
		['order, 1', ['order, 1']],
		[61491570006, ['61491570006']],
		[
			['a', ['b', [3]]],
			['a', 'b', '3'],
		],
	])('reads %j', (value, expected) => {
		expect(textList(value)).toEqual(expected);
	});
});

describe('commaList', () => {
	it.each([
		['a, b,,c ', ['a', 'b', 'c']],
		[
			['a, b', 'c'],
			['a', 'b', 'c'],
		],
		[' , ', []],
	])('reads %j', (value, expected) => {
		expect(commaList(value)).toEqual(expected);
	});
});

describe('a choice of several', () => {
	const colours = ['RED', 'GREEN'] as const;

	it('names the position of a value that does not exist, not the value', () => {
		expect(refusalOf(() => anyOf(colours)('red, 61491570006'))).toMatchObject({
			problem: 'has a value at position 2 that does not exist',
			remedy: 'Use one or more of RED, GREEN',
		});
	});

	it.each([undefined, '', []])('may be empty when nothing has to be chosen: %j', (value) => {
		expect(anyOf(colours)(value)).toEqual([]);
		expect(refusalOf(() => someOf(colours)(value)).remedy).not.toBe('');
	});

	it('takes each value once, in any case', () => {
		expect(someOf(colours)(['red', 'RED', 'Green'])).toEqual(['RED', 'GREEN']);
	});
});

describe('wholeNumber', () => {
	const upToTen = wholeNumber({ min: 0, max: 10 });

	it.each([-1, 11, 1.5, 'many', {}, true, Infinity])('refuses %j', (value) => {
		expect(refusalOf(() => upToTen(value)).remedy).not.toBe('');
	});

	it.each([
		[0, 0],
		['10', 10],
		['', undefined],
		[' ', undefined],
		[null, undefined],
		[undefined, undefined],
	])('reads %j', (value, expected) => {
		expect(upToTen(value)).toBe(expected);
	});

	it('has no end where none is given', () => {
		const fromOne = wholeNumber({ min: 1 });

		expect(fromOne('100000')).toBe(100_000);
		expect(refusalOf(() => fromOne(0))).toMatchObject({
			problem: 'is not a whole number of at least 1',
			remedy: 'Use one, or check what the expression delivers',
		});
	});
});

describe('trueOrFalse', () => {
	it.each([[1], [0], ['yes'], ['truth'], [{}], [{ toString: 'true' }], [[true]]])(
		'refuses %j',
		(value: unknown) => {
			expect(refusalOf(() => trueOrFalse(value))).toMatchObject({
				problem: 'is neither true nor false',
				remedy: expect.stringContaining('Use true or false'),
			});
		},
	);

	it.each([
		[true, true],
		['true', true],
		[' TRUE ', true],
		[false, false],
		['False', false],
		['', undefined],
		[null, undefined],
		[undefined, undefined],
	])('reads %j', (value, expected) => {
		expect(trueOrFalse(value)).toBe(expected);
	});
});

describe('optionalText', () => {
	it.each([
		[0, '0'],
		[' a ', ' a '],
		['', undefined],
		[null, undefined],
	])('takes %j', (given, expected) => {
		expect(optionalText(given)).toBe(expected);
	});

	it.each([NaN, Infinity, new Date(0), [1]])(
		'refuses %s, which all items would have in common',
		(given) => {
			expect(refusalOf(() => optionalText(given)).problem).toBe('is not text');
		},
	);
});

describe('requiredText', () => {
	it('leaves white space around a text alone', () => {
		expect(requiredText(' Hello\n')).toBe(' Hello\n');
	});
});

describe('instant', () => {
	const sydney = { timeZone: 'Australia/Sydney' };

	it.each([
		['2026-01-31T09:00', '2026-01-30T22:00:00.000Z'],
		['2026-01-31T09:00Z', '2026-01-31T09:00:00.000Z'],
		[new Date('2026-01-31T09:00Z'), '2026-01-31T09:00:00.000Z'],
		[{ toISO: () => '2026-01-31T09:00:00.000+11:00' }, '2026-01-30T22:00:00.000Z'],
	])('reads %j in the time zone of the workflow', (given, expected) => {
		expect(new Date(instant(given, sydney) ?? NaN).toISOString()).toBe(expected);
	});

	it.each(['tomorrow', '2026-02-30', {}, 'x'.repeat(1000), { toISO: () => null }])(
		'refuses %j',
		(given) => {
			expect(refusalOf(() => instant(given, sydney)).remedy).not.toBe('');
		},
	);

	it.each([undefined, null, '', ' '])('counts %j as left out', (given) => {
		expect(instant(given, sydney)).toBeUndefined();
	});
});
