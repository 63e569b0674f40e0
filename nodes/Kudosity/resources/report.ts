import {
	getContactSmsStats,
	getMessageReport,
	getSmsSentCount,
	getUserSmsResponses,
	getUserSmsSent,
	messageTypes,
} from '../api/endpoints/report';
import { accountNumberFilter, contactField, contactFilter } from '../fields/recordFields';
import { filters } from '../fields/collections';
import { reportPeriod, toReportQuery, requiredPeriod } from '../fields/dates';
import { field } from '../fields/field';
import { readLimit, listing } from '../fields/listing';
import { optionalOneOf } from '../fields/readers';
import { dayMs } from '../lib/time';
import { defineOperation, type Resource } from '../fields/operation';

const number = accountNumberFilter('Only messages sent from this number');

const contact = contactField("The contact's phone number");

const type = field(optionalOneOf(messageTypes), {
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
	description: 'Only messages sent this way',
});

export const getMessages = defineOperation({
	value: 'getMessages',
	name: 'Get Messages',
	action: 'Get message report',
	description:
		'Get the messages sent in a period of up to 30 days, with their cost and the number of deliveries, bounces, replies and opt-outs',
	fields: [
		...reportPeriod('A report covers up to 30 days. Defaults to the last 24 hours.'),
		...listing,
		filters(number, type),
	],
	run: (services, { filters, ...input }) => {
		const period = toReportQuery(services, input, { maxDays: 30, usualMs: dayMs });
		return services.list(getMessageReport, { ...period, ...filters }, readLimit(input));
	},
});

export const getSent = defineOperation({
	value: 'getSent',
	name: 'Get Sent',
	action: 'Get sent messages',
	description: 'Get the messages sent in a period, one item per recipient, with their status',
	fields: [
		...requiredPeriod,
		...listing,
		filters(contactFilter('Only messages to this phone number')),
	],
	run: (services, { filters: { contact: msisdn }, ...input }) => {
		const period = toReportQuery(services, input);
		return services.list(getUserSmsSent, { ...period, msisdn }, readLimit(input));
	},
});

export const getSentCount = defineOperation({
	value: 'getSentCount',
	name: 'Get Sent Count',
	action: 'Get sent count',
	description: 'Count the SMS sent in a period of up to 7 days',
	fields: reportPeriod('A report covers up to 7 days. Defaults to the last 24 hours.'),
	run: async (services, input) =>
		await services.call(getSmsSentCount, toReportQuery(services, input, { maxDays: 7 })),
});

export const getReplies = defineOperation({
	value: 'getReplies',
	name: 'Get Replies',
	action: 'Get replies from contact',
	description: 'Get all messages that one contact sent to you',
	fields: [contact, ...reportPeriod('Without dates, Kudosity chooses the period.'), ...listing],
	run: (services, { contact: mobile, ...input }) => {
		const period = toReportQuery(services, input);
		return services.list(getUserSmsResponses, { mobile, ...period }, readLimit(input));
	},
});

export const getContactHistory = defineOperation({
	value: 'getContactHistory',
	name: 'Get Contact History',
	action: 'Get contact history',
	description:
		'Get the messages sent to one contact, with their date and delivery status. Newest first, or oldest first with Return All.',
	fields: [contact, ...reportPeriod('Without dates, you get the whole history.'), ...listing],
	run: (services, { contact: mobile, ...input }) => {
		const limit = readLimit(input);
		// Return All reads the oldest messages first. With the newest first, a new message would shift the pages.
		const order = { sort_field: 'datetime_send', order: limit === undefined ? 'asc' : 'desc' };
		const period = toReportQuery(services, input);
		return services.list(getContactSmsStats, { mobile, ...period, ...order }, limit);
	},
});

export const report: Resource = {
	value: 'report',
	name: 'Report',
	description: 'Messages sent and received in a period',
	connection: 'basic',
	operations: [getMessages, getSent, getSentCount, getReplies, getContactHistory],
};
