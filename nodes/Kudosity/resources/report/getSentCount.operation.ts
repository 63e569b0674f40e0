import { getSmsSentCount } from '../../api/endpoints/report';
import { reportPeriod, reportPeriodOf } from '../../fields/reportPeriod';
import { defineOperation } from '../../runtime/operation';

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
			reportPeriodOf(input, { nowMs: clock.calendarNow(), timeZone, mostDays: 7 }),
		),
});
