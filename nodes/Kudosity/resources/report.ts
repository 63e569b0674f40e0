import {
	getContactSmsStats,
	getMessageReport,
	getSmsSentCount,
	getUserSmsResponses,
	getUserSmsSent,
	messageTypes,
} from '../api/endpoints/report';
import { onlyContact, accountNumberFilter, reportContact } from '../fields/account';
import { filters } from '../fields/collections';
import { reportPeriod, toReportQuery, requiredPeriod } from '../fields/dates';
import { field } from '../fields/field';
import { readLimit, listing } from '../fields/listing';
import { optionalOneOf } from '../fields/readers';
import { dayMs } from '../lib/time';
import { defineOperation, type Resource } from '../operation';

const number = accountNumberFilter('Only messages that were sent from this number of your account');

const type = field(
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: [
			{ name: 'All', value: 'all' },
			{ name: 'API', value: 'api' },
			{ name: 'Campaign', value: 'campaign' },
			{ name: 'Email to SMS', value: 'email_sms' },
			{ name: 'Keyword', value: 'keyword' },
			{ name: 'Quick SMS', value: 'quick_sms' },
			{ name: 'Test SMS', value: 'test_sms' },
		],
		default: 'all',
		description: 'Only messages that were sent in this way',
	},
	optionalOneOf(messageTypes),
);

/** POST /get-message-report.json: one item per message. */
export const getMessages = defineOperation({
	value: 'getMessages',
	name: 'Get Messages',
	action: 'Get message report',
	description:
		'List the messages of at most 30 days, each with its cost and with how many were delivered, bounced, answered and opted out',
	fields: [
		...reportPeriod(
			'Without dates, the report covers the last 24 hours; it covers 30 days at most.',
		),
		...listing,
		filters(number, type),
	],
	run: ({ list, clock, timeZone }, { filters, ...input }) => {
		const limits = { nowMs: clock.calendarNow(), timeZone, maxDays: 30, usualMs: dayMs };
		return list(
			getMessageReport,
			{ ...toReportQuery(input, limits), ...filters },
			readLimit(input),
		);
	},
});

/** POST /get-user-sms-sent.json: one item per message and recipient. */
export const getSent = defineOperation({
	value: 'getSent',
	name: 'Get Sent',
	action: 'Get sent messages',
	description: 'List what was sent in a period, one item for each recipient, with its status',
	fields: [...requiredPeriod, ...listing, filters(onlyContact)],
	run: ({ list, clock, timeZone }, { filters: { contact }, ...input }) =>
		list(
			getUserSmsSent,
			{ ...toReportQuery(input, { nowMs: clock.calendarNow(), timeZone }), msisdn: contact },
			readLimit(input),
		),
});

/** POST /get-sms-sent-count.json. */
export const getSentCount = defineOperation({
	value: 'getSentCount',
	name: 'Get Sent Count',
	action: 'Get sent count',
	description: 'Count the SMS that were sent in a period of at most 7 days',
	fields: reportPeriod(
		'Without dates, the report covers the last 24 hours; it covers 7 days at most.',
	),
	run: async ({ call, clock, timeZone }, input) =>
		await call(
			getSmsSentCount,
			toReportQuery(input, { nowMs: clock.calendarNow(), timeZone, maxDays: 7 }),
		),
});

/** GET /get-user-sms-responses.json: one item per reply. */
export const getReplies = defineOperation({
	value: 'getReplies',
	name: 'Get Replies',
	action: 'Get replies of contact',
	description: 'List what one person wrote to the account, whatever message it answers',
	fields: [
		reportContact,
		...reportPeriod('Without dates, Kudosity chooses the period.'),
		...listing,
	],
	run: ({ list, clock, timeZone }, { contact, ...input }) =>
		list(
			getUserSmsResponses,
			{ mobile: contact, ...toReportQuery(input, { nowMs: clock.calendarNow(), timeZone }) },
			readLimit(input),
		),
});

/** GET /get-contact-sms-stats.json: one item per message. */
export const getContactHistory = defineOperation({
	value: 'getContactHistory',
	name: 'Get Contact History',
	action: 'Get contact history',
	description:
		'List the messages that one person was sent, each with its date and delivery status. With Limit, the newest come first; with Return All, the oldest.',
	fields: [
		reportContact,
		...reportPeriod('Without dates, the history begins with the account.'),
		...listing,
	],
	run: ({ list, clock, timeZone }, { contact, ...input }) => {
		const limit = readLimit(input);
		// Return All reads oldest first, because newest first, a new message would shift the pages.
		const order = limit === undefined ? 'asc' : 'desc';
		const period = toReportQuery(input, { nowMs: clock.calendarNow(), timeZone });
		const sorted = { sort_field: 'datetime_send', order };
		return list(getContactSmsStats, { mobile: contact, ...period, ...sorted }, limit);
	},
});

export const report: Resource = {
	value: 'report',
	name: 'Report',
	connection: 'basic',
	operations: [getMessages, getSent, getSentCount, getReplies, getContactHistory],
};
