import { mapRecords } from '../api/pagination';
import { type Channel, simplifyMessage } from '../events/simplify';
import type { Json } from '../lib/json';
import { field, type InputOf } from './field';
import { trueOrFalse, wholeNumber } from './readers';

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
export const readLimit = (input: Partial<InputOf<typeof listing>>): number | undefined =>
	input.returnAll ? undefined : (input.limit ?? defaultLimit);

/** Of every operation that gets messages, in n8n's fixed wording. */
export const simplify = field(
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	trueOrFalse,
);

/** A message as the field wants it. */
export const simplified =
	(channel: Channel, isSimple = true) =>
	(message: Json): Json =>
		isSimple ? simplifyMessage(channel, message) : message;

/** Each message of a list as the field wants it. */
export const simplifiedList = (
	channel: Channel,
	isSimple: boolean | undefined,
	messages: AsyncIterable<Json>,
): AsyncGenerator<Json> => mapRecords(messages, simplified(channel, isSimple));
