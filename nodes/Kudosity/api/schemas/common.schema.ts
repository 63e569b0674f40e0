import { z } from 'zod/v4';
import { isJson } from '../json';

/** Anything, or nothing at all: for zod 4, a key of type unknown must be there unless it is optional. */
export const anything = z.unknown().optional();

/** v1 sends ids and phone numbers as JSON integers, v2 as strings: users always get strings. */
// Events have many: a transform, which zod has types for, takes three times as long.
export const idString = z.union([z.string(), z.number()]).overwrite(String) as unknown as z.ZodType<
	string,
	string | number
>;

/** v2 sends counts as strings ("1"), v1 as integers: users always get integers. */
export const count = z.coerce.number().int();

/** For what is nice to have: anything else passes as it came, so that an accepted message stays accepted. */
export const ifPossible = <Schema extends z.ZodType>(schema: Schema) =>
	z.union([schema, anything]).optional();

/** What tells a record from others, where it has it. */
export const textOrNone = (value: unknown): string | undefined =>
	typeof value === 'string' ? value : undefined;

const recordsOf = (values: unknown): unknown =>
	Array.isArray(values) && values.some(isJson) ? values.filter(isJson) : values;

/** A list with odd entries is no reason to fail: among records, what is none is passed over. */
export const recordList = <Schema extends z.ZodType>(schema: Schema) =>
	z.preprocess(recordsOf, z.array(schema).nullish());
