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
	description:
		'List the messages that one person was sent, each with its date and delivery status. With Limit, the newest come first; with Return All, the oldest.',
	fields: [
		reportContact,
		...reportPeriod('Without dates, the history begins with the account.'),
		...listing,
	],
	run: ({ list, clock, timeZone }, { contact, ...input }) => {
		const limit = limitOf(input);
		// The oldest first where all are read: a new message would move the pages of the other order.
		const order = limit === undefined ? 'asc' : 'desc';
		const period = reportPeriodOf(input, { nowMs: clock.calendarNow(), timeZone });
		const sorted = { sort_field: 'datetime_send', order };
		return list(getContactSmsStats, { mobile: contact, ...period, ...sorted }, limit);
	},
});
