import { type EventType, eventTypes } from '../api/endpoints/webhook';
import { filterStatuses } from '../events/statuses';
import { byName } from '../lib/text';
import { collection, type Shown } from './collections';
import { field, type Read, refuse, type ReadContext, takingPhones } from './field';
import { isScientific, toAsciiPhone } from './phone/phoneText';
import { anyOf, commaList, ifAdded, textList, wholeNumber } from './readers';

const labels: Record<EventType, { name: string; description: string }> = {
	LINK_HIT: {
		name: 'Link Clicked',
		description:
			'Someone opened a tracked link. Every visit counts, including visits by link scanners.',
	},
	MMS_INBOUND: {
		name: 'MMS Received',
		description: 'An MMS arrived, with pictures, audio or video',
	},
	MMS_STATUS: {
		name: 'MMS Status Changed',
		description: 'An MMS was sent or delivered, or it failed',
	},
	OPT_OUT: {
		name: 'Recipient Opted Out',
		description:
			'Someone opted out by link or by replying STOP. A STOP sent by SMS also triggers SMS Received.',
	},
	RCS_INBOUND: {
		name: 'RCS Message Received',
		description: 'Someone sent a message, file, location or contact to one of your RCS agents',
	},
	RCS_STATUS: {
		name: 'RCS Status Changed',
		description: 'An RCS message was sent, delivered or read, or it failed',
	},
	SMS_INBOUND: {
		name: 'SMS Received',
		description: 'An SMS arrived at one of your numbers, as a reply or a new message',
	},
	SMS_STATUS: {
		name: 'SMS Status Changed',
		description: 'An SMS was sent or delivered, or it failed',
	},
	WHATSAPP_INBOUND: {
		name: 'WhatsApp Message Received',
		description: 'Someone sent you a WhatsApp message, reacted to a message or tapped a button',
	},
	WHATSAPP_STATUS: {
		name: 'WhatsApp Status Changed',
		description: 'A WhatsApp message was submitted, delivered or read, or it failed',
	},
};

/**
 * Formats an entry of the editor's list of triggers, e.g. "On SMS received". By default, n8n would show "On sms
 * received".
 */
const triggerEntry = (name: string): string =>
	`On ${name.replace(/\b[A-Z][a-z]+\b/g, (word) => word.toLowerCase())}`;

/** The event types as options of the panel, sorted by name. */
export const eventOptions = eventTypes
	.map((value) => ({ value, ...labels[value], action: triggerEntry(labels[value].name) }))
	.sort(byName);

/** Formats `HARD_BOUNCE` as Hard Bounce. */
const titleCase = (status: string): string =>
	status.replaceAll('_', ' ').replace(/\B\w+/g, (rest) => rest.toLowerCase());

/** Returns statuses as options of the panel, sorted by name. */
export function statusOptionsOf(statuses: readonly string[]) {
	return statuses.map((value) => ({ name: titleCase(value), value })).sort(byName);
}

export const rateLimit = field(wholeNumber({ min: 0, max: 10_000 }), {
	displayName: 'Rate Limit',
	name: 'rateLimit',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 10_000 },
	default: 0,
	description: 'Max number of events that Kudosity sends per second. 0 means no limit.',
});

const textListField = <const Name extends string>(read: Read<string[]>, shown: Shown<Name>) =>
	// In an update, a filter that was added without values is removed.
	field(ifAdded(read), {
		...shown,
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: `Add ${shown.displayName}` },
		default: [],
	});

const separators = /[\s().\-\u2010-\u2015\u00a0]/g;

/** Returns a sender's digits even if no numbering plan has the number, because the account may still have it. */
function plainDigits(sender: string): string {
	const digits = sender.replace(separators, '').replace(/^\+/, '');
	return /^\d{3,15}$/.test(digits) ? digits : sender;
}

const isRounded = (sender: string): boolean => isScientific(toAsciiPhone(sender));

/**
 * Whether no event can have this sender, because it is a number without a country code, or one that a spreadsheet
 * rounded.
 */
const isInNoEvent = (sender: string): boolean => /^0\d+$/.test(sender) || isRounded(sender);

/**
 * Splits senders at commas, but not at the decimal comma of a number that a spreadsheet has rounded (`6,14E+10`), so
 * the whole number is recognized as rounded and refused.
 */
const splitSenders = (value: unknown): string[] =>
	textList(value).flatMap((entry) => (isRounded(entry) ? [entry] : commaList(entry)));

/** Reads the senders of a filter. Events have phone numbers as digits, no matter how they are entered here. */
const senderList = takingPhones(
	(value: unknown, { phones, defaultCountry }: ReadContext): string[] => {
		const senders = splitSenders(value).map((sender) => {
			const read = phones?.sender(sender, defaultCountry);
			if (read && 'sender' in read) return { sender: read.sender };
			const digits = plainDigits(sender);
			return { sender: digits, refusal: isInNoEvent(digits) ? read : undefined };
		});
		const [first] = senders;
		return first?.refusal && senders.every(({ refusal }) => refusal)
			? refuse(first.refusal.reason, first.refusal.remedy, 'invalid_sender')
			: senders.map(({ sender }) => sender);
	},
);

const campaignId = textListField(commaList, {
	displayName: 'Campaign ID',
	name: 'campaignId',
	placeholder: 'e.g. 5a6b7c8d-1234-4000-8000-000000000001',
	description:
		'Only events for Kudosity campaigns with these IDs (not Campaign Names). Separate multiple IDs with commas.',
});

const messageRef = textListField(textList, {
	displayName: 'Message Reference',
	name: 'messageRef',
	placeholder: 'e.g. order-1234',
	description:
		'Only events for messages with these references. A received message has the reference of your latest message to that contact.',
});

export const sender = textListField(senderList, {
	displayName: 'Sender',
	name: 'sender',
	placeholder: 'e.g. 61491570006',
	description:
		'Only events for messages to or from these numbers, sender names or agents of yours. Separate multiple values with commas.',
});

export const status = field(ifAdded(anyOf(filterStatuses)), {
	displayName: 'Status',
	name: 'status',
	type: 'multiOptions',
	options: statusOptionsOf(filterStatuses),
	default: [],
	description: 'Only events with these statuses. Events without a status are not affected.',
});

const filters = [campaignId, messageRef, sender, status] as const;

const shown = { displayName: 'Filters', name: 'filters', placeholder: 'Add filter' } as const;

/** The filters for a new webhook, whether the trigger or an operation creates it. */
export const webhookFilters = collection(filters, {
	...shown,
	description:
		'Only events that match all filters are sent. Within one filter, one matching value is enough.',
});

/** The filters for an update of a webhook. */
export const changedFilters = collection(filters, {
	...shown,
	description:
		"Each filter you add replaces the webhook's current filter of that kind. A filter without values is removed. Other filters stay unchanged.",
});
