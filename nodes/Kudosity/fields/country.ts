import { field, type Field } from './field';
import { countryCode, defaultCountryField } from './phone/countries';
import { requiredText } from './readers/text';
import { refuse } from './refusal';

/** The country that a number belongs to, as its ISO code. */
export const country = (description: string): Field<'country', string> =>
	field(
		{
			...defaultCountryField,
			displayName: 'Country',
			name: 'country',
			required: true,
			options: defaultCountryField.options?.slice(1),
			default: 'AU',
			description,
		},
		(value) =>
			countryCode(requiredText(value)) ??
			refuse('is not a country', 'Choose one from the list, or use a code of two letters, e.g. AU'),
	);
