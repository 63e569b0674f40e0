import { getLists } from '../../api/endpoints/list';
import { limitOf, listing } from '../../fields/listing';
import { defineOperation } from '../../runtime/operation';

/** GET /get-lists.json: one item for each contact list. */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many lists',
	description: 'List the contact lists of the account, each with its number of members',
	fields: listing,
	run: ({ list }, input) => list(getLists, {}, limitOf(input)),
});
