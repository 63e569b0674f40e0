import { field } from './field';
import { trueOrFalse } from './readers/number';
import { refuse } from './refusal';
import { atMostLong, optional, requiredText } from './readers/text';

/** The older API's name of the opt-out link is taken as well. */
const withOptOutLink = (text: string): string =>
	text.replaceAll('[unsub-reply-link]', '[opt-out-link]');

/** A text as the newer API sends it: it does not fill the other placeholder of the older one. */
export const smsText = (text: string): string =>
	text.includes('[tracked-link]')
		? refuse('has [tracked-link], which only Bulk SMS replaces', 'Write the link itself')
		: withOptOutLink(text);

const messageField = (read: (text: string) => string) =>
	field(
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
		(value) => read(requiredText(value)),
	);

export const message = messageField(smsText);

/** The same, with a place for a tracked link. */
export const bulkMessage = messageField(withOptOutLink);

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
