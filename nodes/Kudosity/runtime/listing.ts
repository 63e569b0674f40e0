import type { INodeProperties } from 'n8n-workflow';
import { anything } from '../api/schemas/common.schema';
import { refuse } from '../api/schemas/input.schema';

const defaultLimit = 50;

/** The two fields of every Get Many operation, in n8n's fixed wording. */
export const listingProperties: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		displayOptions: { show: { returnAll: [false] } },
		default: 50,
		description: 'Max number of results to return',
	},
];

const limit = anything.transform((value, context): number => {
	const wanted = value === undefined || value === '' ? defaultLimit : Number(value);
	return Number.isInteger(wanted) && wanted > 0
		? wanted
		: refuse(context, 'is not a whole number above 0', 'Use a number, e.g. 50');
});

/** An expression can deliver the text of a boolean. */
const returnAll = anything.transform((value) => value === true || value === 'true');

/** Spread into the `input` of a Get Many operation; `limitOf` reads them. */
export const listingInputs = { returnAll, limit };

/** How many records are wanted: undefined means all. */
export const limitOf = (input: { returnAll: boolean; limit: number }): number | undefined =>
	input.returnAll ? undefined : input.limit;
