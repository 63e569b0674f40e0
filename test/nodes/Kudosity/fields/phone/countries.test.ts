import { describe, expect, it } from 'vitest';
import {
	KudosityBasicApi,
	KudosityKeyApi,
	countryCode,
	defaultCountryField,
} from '../../../../seams.ts';

describe.each([new KudosityBasicApi(), new KudosityKeyApi()])('$displayName', ({ properties }) => {
	const field = properties.find(({ name }) => name === 'defaultCountry');

	it('has a Default Country, none unless one is chosen', () => {
		expect(field).toMatchObject({ displayName: 'Default Country', type: 'options', default: '' });
		expect(field?.options?.[0]).toEqual({ name: 'None', value: '' });
	});
});

describe('Default Country', () => {
	const options = (defaultCountryField.options ?? []).slice(1) as Array<{
		name: string;
		value: string;
	}>;

	it('offers every country once, by ISO code, sorted by name', () => {
		const names = options.map(({ name }) => name);
		expect(options.filter(({ value }) => !/^[A-Z]{2}$/.test(value))).toEqual([]);
		expect(new Set(names).size).toBe(names.length);
		expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other, 'en')));
		expect(options).toContainEqual({ name: 'Australia', value: 'AU' });
	});

	it.each([
		['AU', 'AU'],
		[' au\n', 'AU'],
		['Australia', undefined],
		['', undefined],
		['constructor', undefined],
	])('reads %j as %s', (value, code) => {
		expect(countryCode(value)).toBe(code);
	});
});
