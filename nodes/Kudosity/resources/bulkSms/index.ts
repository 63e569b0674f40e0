import {
	cancelBulkSms,
	deliveryFilters,
	getBulkSms,
	getBulkSmsDelivery,
	getBulkSmsRecipients,
	getBulkSmsReplies,
	getBulkSmsStats,
} from '../../api/endpoints/bulkSms';
import { InputError } from '../../api/errors';
import { accountNumber, optionalListId, contactFilter } from '../../fields/recordFields';
import { filters, switchField } from '../../fields/collections';
import { checkDateOrder, dateRange } from '../../fields/dates';
import { field, type InputOf, shownWhen, textField } from '../../fields/field';
import { readLimit, listing } from '../../fields/listing';
import { optionalOneOf, numberId, oneOf, textOfLength, phoneNumber } from '../../fields/readers';
import { dayMs, toV1Time } from '../../lib/time';
import { defineOperation, type Resource } from '../../fields/operation';
import { send } from './send';

const idRemedy = 'Use the message_id that Bulk SMS → Send returned, a number like 339683245';

const messageId = textField(numberId('a bulk SMS', idRemedy), {
	displayName: 'Message ID',
	name: 'messageId',
	required: true,
	placeholder: 'e.g. 339683245',
	description:
		'The messageId (Raw: message_id) that Bulk SMS → Send returned. A run with more than 500 recipients has several IDs.',
});

export const cancel = defineOperation({
	value: 'cancel',
	name: 'Cancel',
	action: 'Cancel bulk SMS',
	description: 'Cancel the scheduled bulk SMS with this message ID for all its recipients',
	fields: [messageId],
	// If a cancellation wasn't confirmed, Retry On Fail may repeat it. At worst, the service rejects the second
	// request; without it, the message might still be sent.
	once: 'untilConfirmed',
	// If one message can no longer be canceled, the others are canceled anyway.
	continueAfter: ['already_sent', 'not_found'],
	run: async ({ call }, { messageId: id }) => ({
		message_id: id,
		...(await call(cancelBulkSms, { id })),
	}),
});

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get bulk SMS',
	description: 'Get a bulk SMS with its text, cost and number of recipients by status',
	fields: [messageId],
	run: async ({ call }, { messageId: id }) => await call(getBulkSms, { message_id: id }),
});

const recipient = textField(phoneNumber, {
	displayName: 'Recipient',
	name: 'recipient',
	required: true,
	placeholder: 'e.g. 61491570006',
	description: "One of the message's recipients",
});

export const getDelivery = defineOperation({
	value: 'getDelivery',
	name: 'Get Delivery',
	action: 'Get delivery status of bulk SMS',
	description: 'Get the delivery status of a bulk SMS for one recipient',
	fields: [messageId, recipient],
	run: async ({ call }, { messageId: id, recipient: msisdn }) =>
		await call(getBulkSmsDelivery, { message_id: id, msisdn }),
});

const delivery = field(optionalOneOf(deliveryFilters), {
	displayName: 'Delivery',
	name: 'delivery',
	type: 'options',
	options: [
		{ name: 'Delivered', value: 'delivered' },
		{ name: 'Not Delivered', value: 'failed', description: 'Bounced, temporarily or permanently' },
		{ name: 'Pending', value: 'pending' },
	],
	default: 'delivered',
	description: 'Only recipients with this delivery status',
});

const optouts = field(optionalOneOf(['true', 'false']), {
	displayName: 'Opt-Outs',
	name: 'optouts',
	type: 'options',
	options: [
		{ name: 'Leave Out', value: 'false' },
		{ name: 'Only', value: 'true' },
	],
	default: 'true',
	description: 'Whether to return only the recipients who opted out, or to leave them out',
});

const listId = optionalListId(
	'Contact list to take names from, if the message was not sent to a list',
);

export const getRecipients = defineOperation({
	value: 'getRecipients',
	name: 'Get Recipients',
	action: 'Get recipients of bulk SMS',
	description: 'Get the recipients of a bulk SMS with their delivery status',
	fields: [messageId, ...listing, filters(delivery, listId, optouts)],
	run: ({ list }, { messageId: id, filters: { listId: list_id, ...filters }, ...input }) =>
		list(getBulkSmsRecipients, { message_id: id, list_id, ...filters }, readLimit(input)),
});

export const getStats = defineOperation({
	value: 'getStats',
	name: 'Get Stats',
	action: 'Get stats for bulk SMS',
	description: 'Get stats for a bulk SMS: delivered, not delivered, replies, opt-outs and clicks',
	fields: [messageId],
	run: async ({ call }, { messageId: id }) => await call(getBulkSmsStats, { message_id: id }),
});

const contact = contactFilter('Only replies from this phone number');

const includeOriginal = switchField({
	displayName: 'Include Original Message',
	name: 'includeOriginal',
	default: true,
	description: 'Whether to include the message that was replied to, as original_message',
});

const [startDate, endDate] = dateRange({
	start: 'Only replies from this time on, at most 12 months ago. Defaults to the last 30 days.',
	end: 'Only replies up to this time.',
});

const replyFilters = [contact, endDate, includeOriginal, startDate] as const;

/**
 * Maximum age of the start date. Twelve months can include a leap day, and the extra minute covers the time since n8n
 * evaluated the expression.
 */
const maxRangeMs = 366 * dayMs + 60_000;

const asTime = (at: number | undefined) => (at === undefined ? undefined : toV1Time(at));

/**
 * Builds the query for replies. `now` is in epoch milliseconds.
 *
 * @throws InputError - there is an end but no start, or the start is after the end or over 12 months ago
 */
function replyQueryOf(
	{ contact, startDate, endDate, includeOriginal }: InputOf<typeof replyFilters>,
	now: number,
) {
	// With only an end date, the service would pick its own start date.
	if (startDate === undefined && endDate !== undefined) {
		throw new InputError(
			"'Filters > Start Date' is empty",
			"To use 'End Date', set 'Start Date' as well",
		);
	}
	checkDateOrder({ startDate, endDate });
	if (startDate !== undefined && now - startDate > maxRangeMs) {
		throw new InputError(
			"'Filters > Start Date' is more than 12 months ago",
			'Choose a later date: Kudosity keeps replies for 12 months',
		);
	}
	return {
		msisdn: contact,
		start: asTime(startDate),
		end: asTime(endDate),
		include_original: includeOriginal,
	};
}

const by = field(oneOf(['keyword', 'message']), {
	displayName: 'Get Replies To',
	name: 'by',
	type: 'options',
	options: [
		{
			name: 'Keyword',
			value: 'keyword',
			description: 'Replies that start with one of your keywords',
		},
		{ name: 'Message', value: 'message', description: 'Replies to a message' },
	],
	default: 'message',
	description: 'Which replies to get',
});

const keyword = textField(textOfLength({ min: 1, max: 100 }), {
	displayName: 'Keyword',
	name: 'keyword',
	required: true,
	placeholder: 'e.g. GYM',
	description: 'One of your keywords. Only replies that start with it are returned.',
});

export const getReplies = defineOperation({
	value: 'getReplies',
	name: 'Get Replies',
	action: 'Get replies to bulk SMS',
	description:
		'Get the replies to a bulk SMS, or those that start with a keyword. Defaults to the last 30 days.',
	fields: [
		by,
		shownWhen({ by: ['message'] }, messageId),
		shownWhen({ by: ['keyword'] }, keyword),
		shownWhen({ by: ['keyword'] }, accountNumber),
		...listing,
		filters(...replyFilters),
	],
	run: ({ list, clock }, { messageId, keyword, number, filters, ...input }) => {
		const query = {
			message_id: messageId,
			keyword,
			number,
			...replyQueryOf(filters, clock.calendarNow()),
		};
		return list(getBulkSmsReplies, query, readLimit(input));
	},
});

export const bulkSms: Resource = {
	value: 'bulkSms',
	name: 'Bulk SMS',
	description: 'One text message to many recipients or a contact list',
	connection: 'basic',
	operations: [send, cancel, get, getDelivery, getRecipients, getReplies, getStats],
};
