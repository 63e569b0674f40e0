import { defaultCountryField } from '../fields/phone/countries';
import { options } from '../fields/collections';
import { field, type Field, refuse } from '../fields/field';
import type { CleanPhone } from '../fields/phone/phones';
import { anyPhoneNumber, atMostLong, optional } from '../fields/readers';
import { unsafeKeys } from '../lib/json';
import { defineOperation, type Resource } from '../operation';

const phoneNumber: Field<'phoneNumber', CleanPhone> = {
	...field(
		{
			displayName: 'Phone Number',
			name: 'phoneNumber',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 0491 570 006',
			description:
				'The number as somebody wrote it or as a spreadsheet delivers it. What is no phone number gets a reason in the output, and never stops the node.',
		},
		anyPhoneNumber,
	),
	takesFailures: true,
};

/** Read together with the number, so that an invalid country is reported as the reason why it cannot be read. */
const defaultCountry: Field<'defaultCountry', unknown> = {
	...field(
		defaultCountryField as typeof defaultCountryField & { name: 'defaultCountry' },
		(value) => value,
	),
	takesFailures: true,
};

const readPath = (text: string): string[] => {
	const path = atMostLong(100)(text)
		.split('.')
		.map((name) => name.trim());
	return path.some((name) => name === '' || unsafeKeys.includes(name))
		? refuse(
				'is not the name of a field',
				'Use a name such as cleaned, or contact.cleaned for a field inside another one',
			)
		: path;
};

const outputField = field(
	{
		displayName: 'Output Field',
		name: 'outputField',
		type: 'string',
		default: 'cleaned',
		placeholder: 'e.g. cleaned',
		description:
			'The field that gets the result. A dot leads into another field, e.g. contact.cleaned. What has this name in the input is replaced.',
	},
	optional(readPath),
);

/** Makes no request. An item is a duplicate if an earlier item of the same run has the same number. */
export const clean = defineOperation({
	value: 'clean',
	name: 'Clean',
	action: 'Clean phone number',
	description:
		'Read a phone number in any spelling, tell mobiles from landlines and find duplicates. Each item keeps its fields and gets the result, or the reason why there is none, in one more. No request is made.',
	fields: [phoneNumber, defaultCountry, options(outputField)],
	annotator: () => {
		const seen = new Set<string | null>();
		return ({ phoneNumber: { number, country, type, reason }, options: { outputField: path } }) => {
			const isDuplicate = number !== null && seen.has(number);
			seen.add(number);
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
