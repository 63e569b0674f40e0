import { z } from 'zod/v4';
import { numberFilters } from '../../api/schemas/number.schema';
import { defineOperation } from '../../runtime/operation';
import { limitOf, listingInputs, listingProperties } from '../../runtime/listing';

/** GET /get-numbers.json: one item for each number. */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many numbers',
	description: 'List the numbers that the account has leased, or that it could lease',
	properties: [
		{
			displayName: 'Filter',
			name: 'filter',
			type: 'options',
			options: [
				{
					name: 'Available',
					value: 'available',
					description: 'Numbers that the account could lease',
				},
				{ name: 'Owned', value: 'owned', description: 'Numbers that the account has leased' },
			],
			default: 'owned',
			description: 'Which numbers to list',
		},
		...listingProperties,
	],
	input: z.object({ filter: z.enum(numberFilters), ...listingInputs }),
	run: ({ client }, { filter, ...listing }) =>
		client.numbers.iterate({ filter, limit: limitOf(listing) }),
});
