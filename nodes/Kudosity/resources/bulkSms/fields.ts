import { listId } from '../../fields/recordFields';
import { emailAddress, publicUrl, webAddress } from '../../fields/addresses';
import { options } from '../../fields/collections';
import { timeToSend, inZone } from '../../fields/dates';
import { field, type InputOf, required, shownWhen, textField } from '../../fields/field';
import { bulkMessage, recipients, senderField } from '../../fields/message';
import { oneOf, optional, wholeNumber } from '../../fields/readers';

const sendTo = field(oneOf(['list', 'recipients']), {
	displayName: 'Send To',
	name: 'sendTo',
	type: 'options',
	options: [
		{ name: 'Contact List', value: 'list', description: 'All active contacts in a list' },
		{ name: 'Recipients', value: 'recipients', description: 'Phone numbers you enter' },
	],
	default: 'recipients',
	description: 'Who to send the message to',
});

const sender = senderField({ searchListMethod: 'searchNumbers' });

const sendAt = field(timeToSend, {
	displayName: 'Send At',
	name: 'sendAt',
	type: 'dateTime',
	default: '',
	description: `When to send the message. You can cancel it until then (Bulk SMS → Cancel). ${inZone}.`,
});

const validity = field(wholeNumber({ min: 1 }), {
	displayName: 'Validity (Minutes)',
	name: 'validity',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 1440,
	description:
		"Stop trying to deliver the message after this many minutes. Defaults to the network's limit, up to 72 hours.",
});

const trackedLinkUrl = textField(optional(webAddress), {
	displayName: 'Tracked Link URL',
	name: 'trackedLinkUrl',
	placeholder: 'e.g. https://example.com/offer',
	description:
		'The URL that [tracked-link] in the message leads to. Each recipient gets a unique short link.',
});

const repliesToEmail = textField(optional(emailAddress), {
	displayName: 'Forward Replies to Email',
	name: 'repliesToEmail',
	placeholder: 'e.g. sam@example.com',
	description: 'Email address to forward replies to',
});

const callback = <const Name extends string>(name: Name, displayName: string, about: string) =>
	textField(optional(publicUrl), {
		displayName,
		name,
		placeholder: 'e.g. https://example.com/kudosity',
		description: `Public HTTPS URL that Kudosity calls (GET) ${about}. Use n8n's Webhook node for this, not the Kudosity Trigger.`,
	});

const bulkOptions = [
	callback('deliveryCallback', 'Delivery Callback', 'when the delivery status changes'),
	callback('linkClickCallback', 'Link Click Callback', 'when the tracked link is opened'),
	repliesToEmail,
	callback('replyCallback', 'Reply Callback', 'when a recipient replies'),
	required(sendAt),
	trackedLinkUrl,
	validity,
] as const;

export const bulkFields = [
	sender,
	sendTo,
	shownWhen({ sendTo: ['recipients'] }, recipients),
	shownWhen({ sendTo: ['list'] }, listId),
	bulkMessage,
	options(...bulkOptions),
] as const;

export type BulkInput = InputOf<typeof bulkFields>;
