import { describe, expect, it } from 'vitest';
import { bySlot, customFieldsOf, findCustomField, freeSlots } from '../../../seams.ts';

const email = { slot: 2, name: 'Email' };

describe('the custom fields of a list', () => {
	it.each([
		['no fields', []],
		['nothing at all', undefined],
		['null', null],
		['empty names', { field_1: '', field_2: null, field_3: ' ' }],
		['entries without names', [null, {}, { name: 'field_1' }, { name: 'field_2', value: ' ' }]],
	])('are none for %s', (_, fields) => {
		expect(customFieldsOf(fields)).toEqual([]);
	});

	it.each([
		['a text', 'Email'],
		['names without slots', ['Email', 'Postcode']],
		['names by something else', { 1: 'Email', 2: 'Postcode' }],
		['odd entries', [null, { value: 'Email' }, { name: 7, value: 'x' }]],
	])('are not taken for none where nobody can read them: %s', (_, fields) => {
		expect(() => customFieldsOf(fields)).toThrow('custom fields of the list without their slots');
	});

	it.each([
		['an object', { field_10: 2026, field_2: 'Email' }],
		[
			'a list',
			[
				{ name: 'field_10', value: '2026' },
				{ name: 'field_2', value: 'Email' },
			],
		],
		['the names of an answer', { custom_2: 'Email', custom_10: '2026', id: 1 }],
	])('are read from %s, with their gaps', (_, fields) => {
		expect(customFieldsOf(fields)).toEqual([email, { slot: 10, name: '2026' }]);
	});

	it('are found by name, whatever its case, and by the exact name first', () => {
		const fields = [{ slot: 1, name: 'EMAIL' }, email];
		expect(findCustomField(fields, 'Email')).toBe(email);
		expect(findCustomField([email], ' email ')).toBe(email);
		expect(findCustomField(fields, 'mail')).toBeUndefined();
	});

	it('leave the other slots free', () => {
		expect(freeSlots([email])).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10]);
	});

	it('are asked for by slot', () => {
		expect(bySlot([[4, 'Email']])).toEqual({ field_4: 'Email' });
	});
});
