import { z } from 'zod/v4';

/** Anything, or nothing at all: for zod 4, a key of type unknown must be there unless it is optional. */
export const anything = z.unknown().optional();

/** v1 sends ids and phone numbers as JSON integers, v2 as strings: users always get strings. */
export const idString = z.union([z.string(), z.number()]).transform(String);

/** v2 sends counts as strings ("1"), v1 as integers: users always get integers. */
export const count = z.coerce.number().int();

/** For what is nice to have: anything else passes as it came, so that an accepted message stays accepted. */
export const ifPossible = <Schema extends z.ZodType>(schema: Schema) =>
	z.union([schema, anything]).optional();

/** `error: {code: SUCCESS}` of a v1 success, removed: n8n repeats a node whose first item has an `error`. */
export const withoutEnvelope = <Fields extends object>(fields: Fields) =>
	Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'error')) as Omit<
		Fields,
		'error'
	>;
