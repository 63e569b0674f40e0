import { getUserSmsSent } from '../../api/endpoints/report';
import { filters } from '../../fields/collection';
import { limitOf, listing } from '../../fields/listing';
import { onlyContact } from '../../fields/reportContact';
import { reportPeriodOf, requiredPeriod } from '../../fields/reportPeriod';
import { defineOperation } from '../../runtime/operation';

/** POST /get-user-sms-sent.json: one item for each message to each recipient. */
export const getSent = defineOperation({
	value: 'getSent',
	name: 'Get Sent',
	action: 'Get sent messages',
	description: 'List what was sent in a period, one item for each recipient, with its status',
	fields: [...requiredPeriod, ...listing, filters(onlyContact)],
	run: ({ list, clock, timeZone }, { filters: { contact }, ...input }) =>
		list(
			getUserSmsSent,
			{ ...reportPeriodOf(input, { nowMs: clock.calendarNow(), timeZone }), msisdn: contact },
			limitOf(input),
		),
});
