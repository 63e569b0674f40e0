import { getMessageReport, messageTypes } from '../../api/endpoints/report';
import { readAccountNumber } from '../../fields/accountNumber';
import { filters } from '../../fields/collection';
import { field, type Field } from '../../fields/field';
import { limitOf, listing } from '../../fields/listing';
import { maybeOneOf } from '../../fields/readers/choice';
import { optional } from '../../fields/readers/text';
import { reportPeriod, reportPeriodOf } from '../../fields/reportPeriod';
import { defineOperation } from '../../runtime/operation';

const number: Field<'number', string | undefined> = {
	...field(
		{
			displayName: 'Number',
			name: 'number',
			type: 'string',
			default: '',
			placeholder: 'e.g. 61491570006',
			description: 'Only messages that were sent from this number of your account',
		},
		optional(readAccountNumber),
	),
	takesPhoneNumbers: true,
};

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
	maybeOneOf(messageTypes),
);

const usualMs = 24 * 60 * 60 * 1000;

/** POST /get-message-report.json: one item for each message. */
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
		const limits = { nowMs: clock.calendarNow(), timeZone, mostDays: 30, usualMs };
		return list(getMessageReport, { ...reportPeriodOf(input, limits), ...filters }, limitOf(input));
	},
});
