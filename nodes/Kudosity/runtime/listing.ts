import type { INodeProperties } from 'n8n-workflow';
import { booleanInput, wholeNumber } from '../api/schemas/recordInput.schema';

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

/** Spread into the `input` of a Get Many operation; `limitOf` reads them. */
export const listingInputs = { returnAll: booleanInput, limit: wholeNumber({ min: 1 }) };

/** How many records are wanted: undefined means all. */
export const limitOf = (input: { returnAll?: boolean; limit?: number }): number | undefined =>
	input.returnAll ? undefined : (input.limit ?? defaultLimit);
