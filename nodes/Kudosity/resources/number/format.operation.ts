import { formatNumber } from '../../api/endpoints/number';
import { country } from '../../fields/country';
import { field } from '../../fields/field';
import { atMostLong, trimmedText } from '../../fields/readers/text';
import { defineOperation } from '../../runtime/operation';

const short = atMostLong(40);

/** Not read by us: the service is asked what it makes of it. */
const phoneNumber = field(
	{
		displayName: 'Phone Number',
		name: 'phoneNumber',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 0491 570 006',
		description: 'The number as somebody wrote it, with or without a country code',
	},
	(value) => short(trimmedText(value)),
);

/** POST /format-number.json. */
export const format = defineOperation({
	value: 'format',
	name: 'Format',
	action: 'Format number',
	description:
		'Convert a phone number to international format and check it. Type is 0 for a landline, 1 for a mobile and 10 for an invalid number.',
	fields: [phoneNumber, country('The country of numbers that are written without a country code')],
	run: async ({ call }, { phoneNumber, country }) =>
		await call(formatNumber, { msisdn: phoneNumber, countrycode: country }),
});
