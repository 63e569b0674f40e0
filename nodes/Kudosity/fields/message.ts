import { field } from './field';
import { trueOrFalse } from './readers/number';
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
			'The text to send. [opt-out-link] becomes a link by which the recipient can opt out. More than 160 characters (70 with emoji or other non-GSM characters) are sent, and charged, as several parts.',
		hint: 'One SMS holds 160 characters, or 70 with emoji. [opt-out-link] becomes an opt-out link.',
	},
	requiredText,
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
