import { listId } from '../../fields/account';
import { emailAddress, publicUrl, webAddress } from '../../fields/addresses';
import { options } from '../../fields/collections';
import { instant, inZone } from '../../fields/dates';
import { field, type InputOf, required, shownWhen } from '../../fields/field';
import { bulkMessage, recipients, senderField } from '../../fields/message';
import { maxSenderNameLength } from '../../fields/phone/phones';
import { oneOf, optional, wholeNumber } from '../../fields/readers';
import { skipDuplicates } from '../../fields/sendOptions';

const sendTo = field(
	{
		displayName: 'Send To',
		name: 'sendTo',
		type: 'options',
		options: [
			{
				name: 'Contact List',
				value: 'list',
				description: 'All active contacts of a list, however many there are',
			},
			{ name: 'Recipients', value: 'recipients', description: 'The phone numbers that you enter' },
		],
		default: 'recipients',
		description: 'Who gets the message',
	},
	oneOf(['list', 'recipients']),
);

/** Recipients of a bulk SMS: either phone numbers or a contact list. */
const recipientFields = [
	sendTo,
	shownWhen({ sendTo: ['recipients'] }, recipients),
	shownWhen({ sendTo: ['list'] }, listId),
] as const;

const sender = senderField({
	searchListMethod: 'searchNumbers',
	description: `A number of your account, or a sender name of at most ${maxSenderNameLength} characters. Recipients can only reply to a number. The list has the leased numbers of the account.`,
});

const sendAt = field(
	{
		displayName: 'Send At',
		name: 'sendAt',
		type: 'dateTime',
		default: '',
		description: `When to send the message. ${inZone}. Until then, Bulk SMS → Cancel can take it back.`,
	},
	instant,
);

const validity = field(
	{
		displayName: 'Validity (Minutes)',
		name: 'validity',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 1440,
		description:
			'How long to try to deliver the message. Without it, as long as the networks allow, at most 72 hours.',
	},
	wholeNumber({ min: 1 }),
);

const trackedLinkUrl = field(
	{
		displayName: 'Tracked Link URL',
		name: 'trackedLinkUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/offer',
		description:
			'The address to which [tracked-link] in the message leads, by a short link of its own for each recipient',
	},
	optional(webAddress),
);

const repliesToEmail = field(
	{
		displayName: 'Replies to Email',
		name: 'repliesToEmail',
		type: 'string',
		default: '',
		placeholder: 'e.g. sam@example.com',
		description: 'An email address to which replies are forwarded',
	},
	optional(emailAddress),
);

const callback = <const Name extends string>(name: Name, displayName: string, about: string) =>
	field(
		{
			displayName,
			name,
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/kudosity',
			description: `A public https address that Kudosity calls ${about}, by a GET request with the details in its query. The Webhook node of n8n takes it, the Kudosity Trigger does not.`,
		},
		optional(publicUrl),
	);

export const bulkOptions = [
	callback('deliveryCallback', 'Delivery Callback', 'when the delivery status changes'),
	callback('linkClickCallback', 'Link Click Callback', 'when a recipient opens the tracked link'),
	repliesToEmail,
	callback('replyCallback', 'Reply Callback', 'when a recipient replies'),
	required(sendAt),
	trackedLinkUrl,
	validity,
] as const;

export const bulkFields = [
	sender,
	...recipientFields,
	bulkMessage,
	options(...bulkOptions, shownWhen({ '/sendTo': ['recipients'] }, required(skipDuplicates))),
] as const;

export type BulkInput = InputOf<typeof bulkFields>;
