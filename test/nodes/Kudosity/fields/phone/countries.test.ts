import type { INodePropertyOptions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { KudosityBasicApi, KudosityKeyApi } from '../../../../seams.ts';

describe.each([new KudosityBasicApi(), new KudosityKeyApi()])('$displayName', ({ properties }) => {
	const field = properties.find(({ name }) => name === 'defaultCountry');
	const [none, ...countries] = (field?.options ?? []) as INodePropertyOptions[];

	it('has a Default Country, none unless one is chosen', () => {
		expect(field).toMatchObject({ displayName: 'Default Country', type: 'options', default: '' });
		expect(none).toEqual({ name: 'None', value: '' });
	});

	it('offers every country once, by ISO code, sorted by name', () => {
		const names = countries.map(({ name }) => name);
		expect(countries.filter(({ value }) => !/^[A-Z]{2}$/.test(String(value)))).toEqual([]);
		expect(new Set(names).size).toBe(names.length);
		expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other, 'en')));
		expect(countries).toContainEqual({ name: 'Australia', value: 'AU' });
	});
});
