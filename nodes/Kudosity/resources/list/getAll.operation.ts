import { z } from 'zod/v4';
import { defineOperation } from '../../runtime/operation';
import { limitOf, listingInputs, listingProperties } from '../../runtime/listing';

/** GET /get-lists.json: one item for each contact list. */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many lists',
	description: 'List the contact lists of the account, each with its number of members',
	properties: listingProperties,
	input: z.object(listingInputs),
	run: ({ client }, input) => client.lists.iterate({ limit: limitOf(input) }),
});
