import { defaultCountryField } from '../fields/phone/countries';
import { options } from '../fields/collections';
import { field, type Field, textField } from '../fields/field';
import { outputField } from '../fields/outputField';
import type { CleanPhone } from '../fields/phone/phones';
import { anyPhoneNumber } from '../fields/readers';
import { personOf } from '../lib/personOf';
import { defineOperation, type Resource } from '../fields/operation';

const phoneNumber: Field<'phoneNumber', CleanPhone> = {
	...textField(anyPhoneNumber, {
		displayName: 'Phone Number',
		name: 'phoneNumber',
		required: true,
		placeholder: 'e.g. 0491 570 006',
		description:
			'The phone number in any format. If it is not valid, the output says why and the node continues.',
	}),
	takesFailures: true,
};

/**
 * The field's reader accepts any value. The country is checked together with the number, so an invalid country is
 * reported as the reason why the number can't be read.
 */
const defaultCountry: Field<'defaultCountry', unknown> = {
	...field(
		(value) => value,
		defaultCountryField as typeof defaultCountryField & { name: 'defaultCountry' },
	),
	takesFailures: true,
};

/**
 * Describes phone numbers without making requests. An item is a duplicate if the same person's number occurred in an
 * earlier item of the run.
 */
export const clean = defineOperation({
	value: 'clean',
	name: 'Clean',
	action: 'Clean phone number',
	description:
		'Format and check phone numbers, tell mobiles from landlines and find duplicates, without contacting Kudosity',
	fields: [phoneNumber, defaultCountry, options(outputField('cleaned'))],
	annotator: () => {
		const seen = new Set<string>();
		return ({ phoneNumber: { number, country, type, reason }, options: { outputField: path } }) => {
			const person = number === null ? undefined : personOf(number);
			const isDuplicate = person !== undefined && seen.has(person);
			if (person !== undefined) seen.add(person);
			const value = { number, isValid: number !== null, country, type, isDuplicate, reason };
			return { path: path ?? ['cleaned'], value };
		};
	},
});

export const phoneNumbers: Resource = {
	value: 'phoneNumber',
	name: 'Phone Number',
	description: 'Check and clean phone numbers without contacting Kudosity',
	operations: [clean],
};
