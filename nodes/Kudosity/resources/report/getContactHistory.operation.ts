import { getContactSmsStats } from '../../api/endpoints/report';
import { limitOf, listing } from '../../fields/listing';
import { reportContact } from '../../fields/reportContact';
import { reportPeriod, reportPeriodOf } from '../../fields/reportPeriod';
import { defineOperation } from '../../runtime/operation';

/** GET /get-contact-sms-stats.json: one item for each message. */
export const getContactHistory = defineOperation({
	value: 'getContactHistory',
	name: 'Get Contact History',
	action: 'Get contact history',
	description: 'List the messages that one person was sent, each with its date and delivery status',
	fields: [
		reportContact,
		...reportPeriod('Without dates, the history begins with the account.'),
		...listing,
	],
	run: ({ list, clock, timeZone }, { contact, ...input }) =>
		list(
			getContactSmsStats,
			{ mobile: contact, ...reportPeriodOf(input, { nowMs: clock.calendarNow(), timeZone }) },
			limitOf(input),
		),
});
