import { field, type Field, type Read } from './field';
import type { Recipients } from './phone/readRecipients';
import { phoneNumber, phoneNumbers } from './readers/phone';
import { optional } from './readers/text';

const takingPhoneNumbers = <Name extends string, Value>(
	property: Parameters<typeof field<Name, Value>>[0],
	read: Read<Value>,
): Field<Name, Value> => ({ ...field(property, read), takesPhoneNumbers: true });

/** A field whose value is one phone number. */
export const phoneField = <const Name extends string>(
	property: Parameters<typeof field<Name, string>>[0],
): Field<Name, string> => takingPhoneNumbers(property, phoneNumber);

/** The same, which can be left out. */
export const maybePhoneField = <const Name extends string>(
	property: Parameters<typeof field<Name, string>>[0],
): Field<Name, string | undefined> => takingPhoneNumbers(property, optional(phoneNumber));

export const recipient = phoneField({
	displayName: 'Recipient',
	name: 'recipient',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 61491570006',
	description:
		'The phone number to send to, with its country code, or without one where Default Country is set. Spaces, hyphens, dots, brackets and a leading + are fine.',
});

export const recipients: Field<'recipients', Recipients> = takingPhoneNumbers(
	{
		displayName: 'Recipients',
		name: 'recipients',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 61491570006, 61491570156',
		description:
			'One phone number, several separated by commas, or an expression that returns a list. Empty values are left out, and invalid numbers are listed in the output.',
	},
	phoneNumbers,
);
