import type { ItemOf } from '../api/endpoint';
import {
	getSms,
	getSmses,
	maxMissingMs,
	sendNoticeBySms,
	sendSms,
	smsStatuses,
	waitForSms,
} from '../api/endpoints/sms';
import { mapRecords } from '../api/pagination';
import { senderFilter } from '../fields/account';
import { filters, options, switchField } from '../fields/collections';
import { checkDateOrder, dateRange } from '../fields/dates';
import { field, type InputOf, textField } from '../fields/field';
import { simplified, readLimit, listing, simplify } from '../fields/listing';
import {
	message,
	messageId,
	messageRef,
	recipient,
	sender,
	toRecipient,
	trackLinks,
} from '../fields/message';
import { matchBy, questionFields, questionOptions, replySender } from '../fields/question';
import { optional, optionalOneOf, optionalText, phoneNumber } from '../fields/readers';
import { statusOptionsOf } from '../fields/webhook';
import { toIsoTimestamp } from '../lib/time';
import { defineOperation, type LookUp, type Resource, type Found } from '../fields/operation';

/** More than an account can send during one request, and still a single page. */
const maxFound = 1000;

/** URLs that link tracking replaces with short links. */
const links = /(?:https?:\/\/|www\.)[^\s<>"]+/;

const textOf = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** An incomplete record matches no message. */
const readSms = (record: ItemOf<typeof getSmses>): Found | undefined => {
	const { id, direction, created_at: createdAt } = record;
	if (typeof id !== 'string' || textOf(direction).toUpperCase() === 'IN') return undefined;
	return {
		id,
		reference: textOf(record.message_ref),
		recipient: textOf(record.recipient),
		sender: textOf(record.sender),
		text: textOf(record.message),
		createdMs: Date.parse(toIsoTimestamp(textOf(createdAt))),
		answer: record,
	};
};

const fields = [sender, recipient, message, options(messageRef, trackLinks)] as const;

const smsLookUp: LookUp<InputOf<typeof fields>> = {
	maxMissingMs,
	marksOf: ({ message, sender, recipient, options }, reference) => ({
		reference: options.messageRef ?? reference,
		recipient,
		sender,
		text: message,
		...(options.trackLinks && { rewritten: links }),
	}),
	search: ({ list }, { reference, recipient }) => {
		const query = {
			direction: 'OUT',
			message_ref: reference,
			recipient,
			order_by: 'CREATED_AT_DESC',
		};
		return mapRecords(list(getSmses, query, maxFound), readSms);
	},
};

export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send SMS',
	description: 'Send a text message to one recipient',
	fields,
	sends: { to: toRecipient, text: ({ message }) => message, lookUp: smsLookUp },
	run: async ({ call, reference }, { options, ...sms }) =>
		await call(sendSms, {
			...sms,
			message_ref: options.messageRef ?? reference,
			track_links: options.trackLinks,
		}),
});

/** n8n recognizes the operation by its value. */
export const sendAndWait = defineOperation({
	value: 'sendAndWait',
	name: 'Send and Wait for Response',
	action: 'Send SMS and wait for response',
	description: 'Send a text message to one recipient and continue with their reply',
	fields: [
		replySender,
		recipient,
		message,
		...questionFields,
		options(matchBy, ...questionOptions),
	],
	sends: { to: toRecipient, text: ({ message }) => message },
	asks: {
		events: ['SMS_INBOUND', 'MMS_INBOUND', 'OPT_OUT'],
		parties: ({ sender, recipient, message }) => ({
			contact: recipient,
			senders: [sender],
			sent: [message],
		}),
		notify: sendNoticeBySms,
	},
	run: async ({ call, reference }, { message, sender, recipient }) =>
		await call(sendSms, { message, sender, recipient, message_ref: reference }),
});

const waitUntilFound = switchField({
	displayName: 'Wait Until Found',
	name: 'waitUntilFound',
	description: `Whether to keep looking for up to ${maxMissingMs / 1000} seconds. A new message can take two minutes to become available.`,
});

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get SMS',
	description:
		'Get a text message with its status. A new message can take two minutes to become available.',
	fields: [messageId, simplify, options(waitUntilFound)],
	run: async (services, { messageId: id, simplify, options }) => {
		const message = options.waitUntilFound
			? await waitForSms(services, id)
			: await services.call(getSms, { id });
		return simplified('SMS', simplify)(message);
	},
});

const [startDate, endDate] = dateRange({
	start: 'Only messages created at or after this time.',
	end: 'Only messages created at or before this time.',
});

const smsFilters = [
	field(optionalOneOf(['IN', 'OUT']), {
		displayName: 'Direction',
		name: 'direction',
		type: 'options',
		options: [
			{ name: 'Received', value: 'IN' },
			{ name: 'Sent', value: 'OUT' },
		],
		default: 'IN',
		description: 'Only received messages, or only sent ones',
	}),
	endDate,
	textField(optionalText, {
		displayName: 'Message Reference',
		name: 'messageRef',
		placeholder: 'e.g. order-1234',
		description: 'Only messages sent with this reference',
	}),
	textField(optional(phoneNumber), {
		displayName: 'Recipient',
		name: 'recipient',
		placeholder: 'e.g. 61491570006',
		description:
			'Only messages to this number. For received messages, that is one of your numbers.',
	}),
	senderFilter(
		'e.g. 61491570006',
		"Only messages from this number or sender name. For received messages, that is the contact's number.",
	),
	startDate,
	field(optionalOneOf(smsStatuses), {
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: statusOptionsOf(smsStatuses),
		default: 'DELIVERED',
		description: 'Only messages with this status',
	}),
] as const;

const asTimestamp = (time: number | undefined) =>
	time === undefined ? undefined : new Date(time).toISOString();

/** Newest first like our other message lists; the service defaults to oldest. */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many SMS',
	description: 'Get sent and received text messages with their status, newest first',
	fields: [...listing, simplify, filters(...smsFilters)],
	run: ({ list }, { filters, simplify, ...input }) => {
		const { messageRef, startDate, endDate, ...others } = filters;
		checkDateOrder(filters);
		const query = {
			...others,
			message_ref: messageRef,
			start_date: asTimestamp(startDate),
			end_date: asTimestamp(endDate),
			order_by: 'CREATED_AT_DESC',
		};
		return mapRecords(list(getSmses, query, readLimit(input)), simplified('SMS', simplify));
	},
});

export const sms: Resource = {
	value: 'sms',
	name: 'SMS',
	connection: 'key',
	operations: [send, sendAndWait, get, getAll],
};
