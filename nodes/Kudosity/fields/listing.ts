import { type Channel, simplifyMessage } from '../events/simplify';
import type { Json } from '../lib/json';
import { switchField } from './collections';
import { field, type InputOf } from './field';
import { wholeNumber } from './readers';

const returnAll = switchField({
	displayName: 'Return All',
	name: 'returnAll',
	description: 'Whether to return all results or only up to a given limit',
});

const limit = field(wholeNumber({ min: 1 }), {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	displayOptions: { show: { returnAll: [false] } },
	default: 50,
	description: 'Max number of results to return',
});

/** The two fields of every Get Many, in n8n's fixed wording; `readLimit` reads them. */
export const listing = [returnAll, limit] as const;

/** Returns the maximum number of records to output; undefined for all. */
export function readLimit(input: Partial<InputOf<typeof listing>>): number | undefined {
	return input.returnAll ? undefined : (input.limit ?? Number(limit.property.default));
}

/** A switch for operations that return messages, in n8n's fixed wording. */
export const simplify = switchField({
	displayName: 'Simplify',
	name: 'simplify',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

export const simplified =
	(channel: Channel, isSimple = true) =>
	(message: Json): Json =>
		isSimple ? simplifyMessage(channel, message) : message;
