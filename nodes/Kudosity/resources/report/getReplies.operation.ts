import { getUserSmsResponses } from '../../api/endpoints/report';
import { limitOf, listing } from '../../fields/listing';
import { reportContact } from '../../fields/reportContact';
import { reportPeriod, reportPeriodOf } from '../../fields/reportPeriod';
import { defineOperation } from '../../runtime/operation';

/** GET /get-user-sms-responses.json: one item for each reply. */
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
			{ mobile: contact, ...reportPeriodOf(input, { nowMs: clock.calendarNow(), timeZone }) },
			limitOf(input),
		),
});
