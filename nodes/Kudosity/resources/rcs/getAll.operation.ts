import { getRcsMessages } from '../../api/endpoints/rcs';
import { filters } from '../../fields/collection';
import { limitOf, listing } from '../../fields/listing';
import { period, periodOf } from '../../fields/period';
import { allInForm, simplify } from '../../fields/simplify';
import { defineOperation } from '../../runtime/operation';

/** GET /v2/rcs/messages: one item for each message, newest first. */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many RCS messages',
	description:
		'List RCS messages with their status, newest first. FAILED may be what a webhook reports as REJECTED or UNDELIVERABLE.',
	fields: [...listing, simplify, filters(...period)],
	run: ({ list, timeZone }, { filters, simplify, ...input }) =>
		allInForm('RCS', simplify, list(getRcsMessages, periodOf(filters, timeZone), limitOf(input))),
});
