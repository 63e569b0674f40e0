import { getNumbers, numberFilters } from '../../api/endpoints/number';
import { field } from '../../fields/field';
import { limitOf, listing } from '../../fields/listing';
import { oneOf } from '../../fields/readers/choice';
import { defineOperation } from '../../runtime/operation';

const filter = field(
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
	oneOf(numberFilters),
);

/** GET /get-numbers.json: one item for each number. */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many numbers',
	description: 'List the numbers that the account has leased, or that it could lease',
	fields: [filter, ...listing],
	run: ({ list }, { filter, ...input }) => list(getNumbers, { filter }, limitOf(input)),
});
