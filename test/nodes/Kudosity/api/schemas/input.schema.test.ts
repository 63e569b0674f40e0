import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod/v4';
import {
	messageRef,
	optionalText,
	phoneNumber,
	phoneNumberList,
	requiredText,
	senderAddress,
} from '../../../../../nodes/Kudosity/api/schemas/input.schema.ts';

const refusal = (schema: z.ZodType, value: unknown) =>
	schema.safeParse(value).error?.issues[0]?.message;

describe('optionalText', () => {
	it.each([
		[0, '0'],
		[' a ', ' a '],
		['', undefined],
		[null, undefined],
	])('takes %j', (given, expected) => {
		expect(optionalText.parse(given)).toBe(expected);
	});

	it.each([NaN, Infinity, new Date(0), [1]])(
		'refuses %s, which all items would have in common',
		(given) => {
			expect(refusal(optionalText, given)).toBe('is not text');
		},
	);
});

describe('phoneNumber', () => {
	it.each([
		['61491570006', '61491570006'],
		['+61 491 570 006', '61491570006'],
		['(61) 491-570.006', '61491570006'],
		['61–491–570–006', '61491570006'],
		[61491570006, '61491570006'],
		['0491570006', '0491570006'],
	])('takes %s', (given, expected) => {
		expect(phoneNumber.parse(given)).toBe(expected);
	});

	it.each([
		['a name', 'Sam'],
		['a plus in the middle', '61+491570006'],
		['two plus signs', '++61491570006'],
		['letters', '61491570O06'],
		['too few digits', '12345'],
		['too many digits', '1234567890123456'],
		['a decimal point number', 6.149157e25],
		['a boolean', true],
		['two numbers', '61491570006,61491570156'],
	])('refuses %s', (_, given) => {
		expect(refusal(phoneNumber, given)).toBe('is not a phone number');
	});

	it.each([
		['an object', {}, 'is not text'],
		['a list', ['61491570006'], 'is not text'],
		['nothing', undefined, 'is empty'],
		['null', null, 'is empty'],
		['blanks', '   ', 'is empty'],
	])('refuses %s', (_, given, message) => {
		expect(refusal(phoneNumber, given)).toBe(message);
	});

	it('never lets anything but digits through', () => {
		fc.assert(
			fc.property(fc.anything(), (value) => {
				const result = phoneNumber.safeParse(value);
				return !result.success || /^\d{6,15}$/.test(result.data);
			}),
		);
	});
});

describe('phoneNumberList', () => {
	it.each([
		['one number', 61491570006, ['61491570006']],
		['a text with commas', '61491570006, 61491570156', ['61491570006', '61491570156']],
		['a trailing comma', '61491570006,', ['61491570006']],
		['lines', '61491570006\n61491570156', ['61491570006', '61491570156']],
		['a list', ['61491570006', 61491570156], ['61491570006', '61491570156']],
		['a number twice: once', '61491570006,+61491570006', ['61491570006']],
	])('takes %s', (_, given, expected) => {
		expect(phoneNumberList.parse(given)).toEqual(expected);
	});

	it.each([
		['nothing', '', 'is empty'],
		['an empty list', [], 'is empty'],
		['an object', { to: '61491570006' }, 'is not a list of phone numbers'],
		['a wrong number', ['61491570006', 'Sam'], 'is not a phone number at position 2'],
		['an object in the list', [{ phone: 1 }], 'is not a phone number at position 1'],
	])('refuses %s', (_, given, message) => {
		expect(refusal(phoneNumberList, given)).toBe(message);
	});
});

describe('senderAddress', () => {
	it.each([
		['+61 491 570 110', '61491570110'],
		['Acme', 'Acme'],
		[' Acme Shop ', 'Acme Shop'],
		['19987', '19987'],
		['Elevenchars', 'Elevenchars'],
	])('takes %s', (given, expected) => {
		expect(senderAddress.parse(given)).toBe(expected);
	});

	it('refuses a name of more than 11 characters', () => {
		expect(refusal(senderAddress, 'Twelve chars')).toContain('is longer than 11 characters');
	});
});

describe('messageRef', () => {
	it('takes 500 characters, refuses 501 and leaves out an empty one', () => {
		expect(messageRef.parse('x'.repeat(500))).toHaveLength(500);
		expect(refusal(messageRef, 'x'.repeat(501))).toBe('is longer than 500 characters');
		expect(messageRef.parse(' ')).toBeUndefined();
	});
});

describe('requiredText', () => {
	it('leaves white space around a text alone', () => {
		expect(requiredText.parse(' Hello\n')).toBe(' Hello\n');
	});
});
