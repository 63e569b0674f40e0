import { field, type InputOf } from './field';
import { trueOrFalse, wholeNumber } from './readers/number';

const defaultLimit = 50;

const returnAll = field(
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	trueOrFalse,
);

const limit = field(
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		displayOptions: { show: { returnAll: [false] } },
		default: 50,
		description: 'Max number of results to return',
	},
	wholeNumber({ min: 1 }),
);

/** The two fields of every operation that gets many, in n8n's fixed wording; `limitOf` reads them. */
export const listing = [returnAll, limit] as const;

/** How many records are wanted: undefined means all. */
export const limitOf = (input: Partial<InputOf<typeof listing>>): number | undefined =>
	input.returnAll ? undefined : (input.limit ?? defaultLimit);
