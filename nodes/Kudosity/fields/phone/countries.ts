import type { INodeProperties } from 'n8n-workflow';
import names from './countries.json';

const countryNames: Record<string, string> = names;

/**
 * Returns a country's English name by its ISO code. Codes that belong to no country, e.g. a satellite network's, are
 * returned unchanged.
 */
export function countryName(code: string): string {
	return countryNames[code] ?? code;
}

/** Returns an ISO code, ignoring case and surrounding spaces; undefined if there is no country with this code. */
export function countryCode(value: string): string | undefined {
	const code = value.trim().toUpperCase();
	return Object.hasOwn(countryNames, code) ? code : undefined;
}

const countryOptions = Object.entries(countryNames).map(([value, name]) => ({ name, value }));

/**
 * The field for the country of phone numbers without a country code. It is part of the credentials, because the country
 * usually depends on the account.
 */
export const defaultCountryField: INodeProperties = {
	displayName: 'Default Country',
	name: 'defaultCountry',
	type: 'options',
	default: '',
	options: [{ name: 'None', value: '' }, ...countryOptions],
	description:
		'Country for phone numbers without a country code, e.g. 0491 570 156. If None is selected, such numbers are refused.',
};
