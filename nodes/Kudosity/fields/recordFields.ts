import { InputError } from '../api/errors';
import { resourceLocator } from './collections';
import { type Field, field, type Read, refuse, takingPhones, textField } from './field';
import { countryCode, defaultCountryField } from './phone/countries';
import {
	numberId,
	optional,
	requiredText,
	senderAddress,
	wholeNumber,
	phoneNumber,
} from './readers';

/** Reads one of the account's numbers: a virtual number or a short code. */
export const readAccountNumber: Read<string> = takingPhones((value, scope) => {
	const number = senderAddress(value, scope);
	if (/^\d+$/.test(number)) return number;
	return refuse(
		'is not a phone number',
		'Use one of your numbers (Virtual Number → Get Many lists them)',
	);
});

const number = { displayName: 'Number', name: 'number', placeholder: 'e.g. 61491570006' } as const;

export const accountNumber: Field<'number', string> = resourceLocator(readAccountNumber, {
	...number,
	noun: 'number',
	searchListMethod: 'searchNumbers',
	description: 'One of your numbers',
	by: 'Number',
});

export function accountNumberFilter(description: string): Field<'number', string | undefined> {
	return textField(optional(readAccountNumber), { ...number, description });
}

export const listId = resourceLocator(
	numberId('a list', 'Select a list, or enter its ID, a number like 4100001'),
	{
		displayName: 'List',
		name: 'listId',
		noun: 'list',
		searchListMethod: 'searchLists',
		placeholder: 'e.g. 4100002',
		description: 'One of your contact lists',
	},
);

/** An optional list. Its ID is typed in, because collections can't contain resource locators. */
export function optionalListId(description: string) {
	return textField(
		optional(
			numberId(
				'a list',
				'Use a list ID, which is a number like 4100001. To find it, use List → Get Many',
			),
		),
		{ displayName: 'List ID', name: 'listId', placeholder: 'e.g. 4100001', description },
	);
}

const contact = { ...number, displayName: 'Contact', name: 'contact' } as const;

export function contactField(description: string): Field<'contact', string> {
	return textField(phoneNumber, { ...contact, required: true, description });
}

export function contactFilter(description: string): Field<'contact', string | undefined> {
	return textField(optional(phoneNumber), { ...contact, description });
}

export function senderFilter(placeholder: string, description: string) {
	return textField(optional(senderAddress), {
		displayName: 'Sender',
		name: 'sender',
		placeholder,
		description,
	});
}

export function timeLimit(defaultSeconds: number, description: string) {
	return field(wholeNumber({ min: 1, max: 86_400 }), {
		displayName: 'Time Limit (Seconds)',
		name: 'timeoutSeconds',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: defaultSeconds,
		description,
	});
}

/** Refuses an update that changes nothing. @throws InputError - all values are undefined */
export function requireChange<Values extends object>(values: Values): Values {
	if (Object.values(values).some((value) => value !== undefined)) return values;
	throw new InputError('There is nothing to change', 'Add at least one option with a value');
}

const readCountry = (text: string): string =>
	countryCode(text) ??
	refuse('is not a country', 'Select one from the list, or use a two-letter code, e.g. AU');

export function country(description: string): Field<'country', string> {
	return field((value) => readCountry(requiredText(value)), {
		...defaultCountryField,
		displayName: 'Country',
		name: 'country',
		required: true,
		options: defaultCountryField.options?.slice(1),
		default: 'AU',
		description,
	});
}

export const defaultCountry = field(optional(readCountry), {
	...defaultCountryField,
	name: 'defaultCountry',
	description:
		'Country for phone numbers without a country code, e.g. 0491 570 156. Overrides Default Country in the credential.',
});
