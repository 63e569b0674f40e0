import { describe, expect, it } from 'vitest';
import {
	anyOf,
	booleanInput,
	commaList,
	recordId,
	someOf,
	textList,
	wholeNumber,
} from '../../../../../nodes/Kudosity/api/schemas/recordInput.schema.ts';

describe('recordId', () => {
	it.each(['', '.', '..', '../sms', 'a/b', 'a\\b', 'a?b', 'a#b', '%2e%2e', 'a b', 'x'.repeat(101)])(
		'refuses %j',
		(id) => {
			expect(recordId.safeParse(id).success).toBe(false);
		},
	);

	it.each([
		['67e3e4af-62e8-4515-8b67-6f20d0c51ffb', '67e3e4af-62e8-4515-8b67-6f20d0c51ffb'],
		[' abc_1 ', 'abc_1'],
		[4100001, '4100001'],
	])('takes %j', (id, expected) => {
		expect(recordId.parse(id)).toBe(expected);
	});
});

describe('textList', () => {
	it.each([{}, [{}], [['a', {}]], true])('refuses %j', (value) => {
		expect(textList.safeParse(value).success).toBe(false);
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
		expect(textList.parse(value)).toEqual(expected);
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
		expect(commaList.parse(value)).toEqual(expected);
	});
});

describe('a choice of several', () => {
	const colours = ['RED', 'GREEN'] as const;

	it('names the position of a value that does not exist, not the value', () => {
		const { error } = anyOf(colours).safeParse('red, 61491570006');

		expect(error?.issues[0]).toMatchObject({
			message: 'has a value at position 2 that does not exist',
			params: { remedy: 'Use one or more of RED, GREEN' },
		});
	});

	it.each([undefined, '', []])('may be empty when nothing has to be chosen: %j', (value) => {
		expect(anyOf(colours).parse(value)).toEqual([]);
		expect(someOf(colours).safeParse(value).success).toBe(false);
	});

	it('takes each value once, in any case', () => {
		expect(someOf(colours).parse(['red', 'RED', 'Green'])).toEqual(['RED', 'GREEN']);
	});
});

describe('wholeNumber', () => {
	const upToTen = wholeNumber({ min: 0, max: 10 });

	it.each([-1, 11, 1.5, 'many', {}, true, Infinity])('refuses %j', (value) => {
		expect(upToTen.safeParse(value).success).toBe(false);
	});

	it.each([
		[0, 0],
		['10', 10],
		['', undefined],
		[' ', undefined],
		[null, undefined],
		[undefined, undefined],
	])('reads %j', (value, expected) => {
		expect(upToTen.parse(value)).toBe(expected);
	});

	it('has no end where none is given', () => {
		const fromOne = wholeNumber({ min: 1 });

		expect(fromOne.parse('100000')).toBe(100_000);
		expect(fromOne.safeParse(0).error?.issues[0]).toMatchObject({
			message: 'is not a whole number above 0',
			params: { remedy: 'Use one, or check what the expression delivers' },
		});
	});
});

describe('booleanInput', () => {
	it.each([[1], [0], ['yes'], ['truth'], [{}], [{ toString: 'true' }], [[true]]])(
		'refuses %j',
		(value: unknown) => {
			expect(booleanInput.safeParse(value).error?.issues[0]).toMatchObject({
				message: 'is neither true nor false',
				params: { remedy: expect.stringContaining('Use true or false') },
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
		expect(booleanInput.parse(value)).toBe(expected);
	});
});
