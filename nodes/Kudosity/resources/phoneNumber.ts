import { defaultCountryField } from '../fields/phone/countries';
import { options } from '../fields/collections';
import { field, type Field, refuse, textField } from '../fields/field';
import type { CleanPhone } from '../fields/phone/phones';
import { anyPhoneNumber, atMostLong, optional } from '../fields/readers';
import { unsafeKeys } from '../lib/json';
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

/** Read together with the number, so that an invalid country is reported as the reason why it cannot be read. */
const defaultCountry: Field<'defaultCountry', unknown> = {
	...field(
		(value) => value,
		defaultCountryField as typeof defaultCountryField & { name: 'defaultCountry' },
	),
	takesFailures: true,
};

function readPath(text: string): string[] {
	const path = atMostLong(100)(text)
		.split('.')
		.map((name) => name.trim());
	return path.some((name) => name === '' || unsafeKeys.includes(name))
		? refuse(
				'is not a field name',
				'Use a name such as cleaned, or contact.cleaned for a nested field',
			)
		: path;
}

const outputField = textField(optional(readPath), {
	displayName: 'Output Field',
	name: 'outputField',
	default: 'cleaned',
	placeholder: 'e.g. cleaned',
	description:
		'Field for the result. Use a dot for a nested field, e.g. contact.cleaned. An input field with this name is replaced.',
});

/** Makes no request. An item is a duplicate if an earlier item of the same run has a number of the same person. */
export const clean = defineOperation({
	value: 'clean',
	name: 'Clean',
	action: 'Clean phone number',
	description:
		'Format and check phone numbers, tell mobiles from landlines and find duplicates, without contacting Kudosity',
	fields: [phoneNumber, defaultCountry, options(outputField)],
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
	operations: [clean],
};
