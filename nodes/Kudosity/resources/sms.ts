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
import { senderFilter } from '../fields/recordFields';
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
import { isJson } from '../lib/json';
import { defineOperation, type LookUp, type Resource } from '../fields/operation';

const fields = [sender, recipient, message, options(messageRef, trackLinks)] as const;

const smsLookUp: LookUp<InputOf<typeof fields>> = {
	maxMissingMs,
	hasOwnReference: ({ options }) => options.messageRef !== undefined,
	find: async ({ call }, { input: { recipient }, reference }) => {
		const query = { direction: 'OUT', message_ref: reference, recipient };
		const records = await call(getSmses, { ...query, order_by: 'CREATED_AT_DESC', limit: 1 });
		return records.filter(isJson).find((record) => record.message_ref === reference);
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

/** Sends a question. n8n itself recognizes this operation by its value. */
export const sendAndWait = defineOperation({
	value: 'sendAndWait',
	name: 'Send and Wait for Response',
	action: 'Send SMS and wait for response',
	description: 'Send a text message to one recipient, wait for their reply, and continue with it',
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
	description: `Whether to keep looking for the message for up to ${maxMissingMs / 1000} seconds. A new message can take two minutes to become available.`,
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
			'Only messages to this number. For received messages, this is one of your numbers.',
	}),
	senderFilter(
		'e.g. 61491570006',
		"Only messages from this number or sender name. For received messages, this is the contact's number.",
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

/**
 * Lists the newest messages first, like our other lists of messages. By default, the service lists the oldest first.
 */
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
	description: 'Text messages to one recipient at a time, and the replies',
	connection: 'key',
	operations: [send, sendAndWait, get, getAll],
};
