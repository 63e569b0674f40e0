import type { INodeProperties } from 'n8n-workflow';
import { filterStatuses } from '../events/statuses';
import { collection } from './collection';
import { field, type Read, type Scope } from './field';
import { isScientific, plainText } from './phone/phoneText';
import { anyOf } from './readers/choice';
import { commaList, ifAdded, textList } from './readers/list';
import { refuse } from './refusal';
import { statusOptions } from './statusOptions';

type Shown = Required<
	Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>
>;

const textListField = <const Name extends string>(
	shown: Shown & { name: Name },
	read: Read<string[]>,
) =>
	field(
		{
			...shown,
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: `Add ${shown.displayName}` },
			default: [],
		},
		// One that is added but empty is removed by an update.
		ifAdded(read),
	);

const separators = /[\s().\-\u2010-\u2015\u00a0]/g;

/** What no numbering plan knows can still be a number of the account. */
const plainDigits = (sender: string): string => {
	const digits = sender.replace(separators, '').replace(/^\+/, '');
	return /^\d{3,15}$/.test(digits) ? digits : sender;
};

const isRounded = (sender: string): boolean => isScientific(plainText(sender));

/** No event carries a number without its country, or one that a spreadsheet rounded. */
const isInNoEvent = (sender: string): boolean => /^0\d+$/.test(sender) || isRounded(sender);

/** Commas separate senders, but for the decimal comma of a rounded number. */
const entriesOf = (value: unknown): string[] =>
	textList(value).flatMap((entry) => (isRounded(entry) ? [entry] : commaList(entry)));

/** Senders to match. Events carry phone numbers as digits, whatever way they are written here. */
const senderList = (value: unknown, { phones, defaultCountry }: Scope): string[] => {
	const senders = entriesOf(value).map((sender) => {
		const read = phones?.sender(sender, defaultCountry);
		if (read && 'sender' in read) return { sender: read.sender };
		const digits = plainDigits(sender);
		return { sender: digits, refusal: isInNoEvent(digits) ? read : undefined };
	});
	const [first] = senders;
	return first?.refusal && senders.every(({ refusal }) => refusal)
		? refuse(first.refusal.reason, first.refusal.remedy, 'invalid_sender')
		: senders.map(({ sender }) => sender);
};

const campaignId = textListField(
	{
		displayName: 'Campaign ID',
		name: 'campaignId',
		placeholder: 'e.g. summer-sale',
		description:
			'Only events about messages of these campaigns. Several IDs can also be separated by commas.',
	},
	commaList,
);

const messageRef = textListField(
	{
		displayName: 'Message Reference',
		name: 'messageRef',
		placeholder: 'e.g. order-1234',
		description:
			'Only events about messages that were sent with one of these references. Received messages match by the latest message that was sent to the same number.',
	},
	textList,
);

const sender = {
	...textListField(
		{
			displayName: 'Sender',
			name: 'sender',
			placeholder: 'e.g. 61491570006',
			description:
				'Only events about messages from these numbers, names or agents of your account, and messages received there. Several can also be separated by commas. Spaces, hyphens, dots, brackets and a leading + in numbers are fine.',
		},
		senderList,
	),
	takesPhoneNumbers: true,
};

const status = field(
	{
		displayName: 'Status',
		name: 'status',
		type: 'multiOptions',
		options: statusOptions,
		default: [],
		description: 'Only these statuses. It does not apply to events that are no status change.',
	},
	ifAdded(anyOf(filterStatuses)),
);

const filters = [campaignId, messageRef, sender, status] as const;

const shown = { displayName: 'Filters', name: 'filters', placeholder: 'Add filter' } as const;

/** What a webhook delivers beside its event types, for webhooks of the trigger and for those made by hand. */
export const webhookFilters = collection(
	{
		...shown,
		description:
			'Kudosity only delivers events that match all of these. Of several values of one filter, any may match.',
	},
	filters,
);

/** The same for an update. */
export const changedFilters = collection(
	{
		...shown,
		description:
			'Each filter that you add replaces the one of the webhook; without values it is removed. Others stay.',
	},
	filters,
);
