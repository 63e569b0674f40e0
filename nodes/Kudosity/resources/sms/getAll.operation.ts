import { getSmses } from '../../api/endpoints/sms';
import { filters } from '../../fields/collection';
import { limitOf, listing } from '../../fields/listing';
import { allInForm, simplify } from '../../fields/simplify';
import { smsFilters, smsQueryOf } from '../../fields/smsFilters';
import { defineOperation } from '../../runtime/operation';

/** GET /v2/sms: one item for each message. Newest first, as other lists of messages are; the service is not. */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many SMS',
	description: 'List text messages, sent and received, with their status, newest first',
	fields: [...listing, simplify, filters(...smsFilters)],
	run: ({ list }, { filters, simplify, ...input }) => {
		const query = { ...smsQueryOf(filters), order_by: 'CREATED_AT_DESC' };
		return allInForm('SMS', simplify, list(getSmses, query, limitOf(input)));
	},
});
