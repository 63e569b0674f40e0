import { describe, expect, it } from 'vitest';
import { customFields, readFields } from '../../../seams.ts';

const read = (value: unknown) =>
	readFields([customFields], { customFields: value }, { timeZone: 'UTC' }).customFields;

describe('rows of fields', () => {
	it.each([undefined, null, {}, { values: null }, { values: [] }])('are none for %j', (value) => {
		expect(read(value)).toEqual([]);
	});

	it('are read one by one, also a single one', () => {
		const email = { name: ' Email ', value: 'sam@example.com' };
		expect(read({ values: [email, { name: 'Age', value: 42 }] })).toEqual([
			{ name: 'Email', value: 'sam@example.com' },
			{ name: 'Age', value: '42' },
		]);
		expect(read({ values: email })).toHaveLength(1);
	});

	it('leave out a value that is empty', () => {
		expect(read({ values: [{ name: 'Email', value: '' }] })).toEqual([{ name: 'Email' }]);
	});

	it.each(['Email', [], 7, true, { values: 'Email' }, { values: [null] }, { values: [['x']] }])(
		'are refused when they are %j',
		(value) => {
			expect(() => read(value)).toThrow("'Custom Fields' is not a set of rows");
		},
	);

	it('name the row in which something is wrong', () => {
		const values = [{ name: 'Email' }, { value: 'x' }];
		expect(() => read({ values })).toThrow("'Custom Fields 2 > Name' is empty");
	});
});
