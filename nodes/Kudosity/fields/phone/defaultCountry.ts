import { field } from '../field';
import { refuse } from '../refusal';
import { optional } from '../readers/text';
import { countryCode, defaultCountryField } from './countries';

/** Goes before the one of the credential. */
export const defaultCountry = field(
	{
		...defaultCountryField,
		name: 'defaultCountry',
		description:
			'The country of phone numbers that are written without a country code, e.g. 0491 570 156. It overrides the Default Country of the credential.',
	},
	optional(
		(text) =>
			countryCode(text) ??
			refuse('is not a country', 'Choose one from the list, or use a code of two letters, e.g. AU'),
	),
);
