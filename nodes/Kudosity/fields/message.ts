import { field, type Field, type Read } from './field';
import { trueOrFalse } from './readers/number';
import type { Recipients } from './phone/readRecipients';
import { phoneNumber, phoneNumbers } from './readers/phone';
import { atMostLong, optional, requiredText } from './readers/text';

export const message = field(
	{
		displayName: 'Message',
		name: 'message',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. Hi Sam, your order is ready. Opt out: [opt-out-link]',
		description:
			'The text to send. [opt-out-link] becomes a link by which the recipient can opt out. More than 160 characters (70 with emoji or other non-GSM characters) are sent, and paid, as several parts.',
		hint: 'One SMS holds 160 characters, or 70 with emoji. [opt-out-link] becomes an opt-out link.',
	},
	requiredText,
);

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

export const messageRef = field(
	{
		displayName: 'Message Reference',
		name: 'messageRef',
		type: 'string',
		default: '',
		placeholder: 'e.g. order-1234',
		description:
			'Your own reference of at most 500 characters. It comes back in every event about this message.',
	},
	optional(atMostLong(500)),
);

export const trackLinks = field(
	{
		displayName: 'Track Links',
		name: 'trackLinks',
		type: 'boolean',
		default: false,
		description:
			'Whether to replace links in the message by short ones and to raise an event when the recipient opens one',
	},
	trueOrFalse,
);
