import { z } from 'zod/v4';
import { lazy } from '../lib/async';
import { isJson } from '../lib/json';
import type { Page } from './pagination';
import type { ApiRequest, Connection } from './transport';

/**
 * What a call sends. Those named in the path go there; GET and DELETE have the others as query, any other
 * method as body.
 */
export type Values = Record<string, unknown>;

type Method = ApiRequest['method'];

/** What a call does, whatever its method is: v1 also reads with POST. */
type Verb = 'read' | 'replace' | 'remove' | 'send';

/** One documented operation of the service. Paths of v1 end in `.json`, those of v2 begin with `/v2`. */
export type Endpoint<Answer = unknown> = {
	connection: Connection;
	method: Method;
	/** Variable segments in braces: `/v2/sms/{id}`. */
	path: string;
	verb: Verb;
	/** Whether a 429 speaks of the record, and not of too many requests: asking again soon is in vain. */
	hasOwnLimit?: boolean;
	/** Checks and converts the body of a success. Made at the first use, as n8n loads all nodes when it starts. */
	answer: () => z.ZodType<Answer>;
};

/** One whose answer is a page of a list. */
export type ListEndpoint<Item, Answer = unknown> = Endpoint<Answer> & {
	pages: Pages<Item, Answer>;
};

/** How a list is read: what to ask for, and what a page says. */
export type Pages<Item, Answer, Cursor = unknown> = {
	/** The values that ask for the page at `cursor`, with at most `size` records. */
	ask: (cursor: Cursor | undefined, size: number) => Values;
	read: (answer: Answer, asked: Cursor | undefined, size: number) => Page<Item, Cursor>;
	/** The service gives at most so many records on a page. */
	largestPage: number;
	/** What tells a record from all others of its list; none where nothing does. */
	identify: (item: Item) => string | undefined;
};

export type AnswerOf<Each> = Each extends Endpoint<infer Answer> ? Answer : never;
export type ItemOf<Each> = Each extends { pages: { identify: (item: infer Item) => unknown } }
	? Item
	: never;

type Declared<Answer> = {
	connection: Connection;
	/** Where it is not the verb's own: v1 knows GET and POST only. */
	method?: Method;
	path: string;
	hasOwnLimit?: boolean;
	answer: () => z.ZodType<Answer>;
};

const declaring =
	(verb: Verb, method: Method) =>
	<Answer>(declared: Declared<Answer>): Endpoint<Answer> => ({
		method,
		...declared,
		verb,
		answer: lazy(declared.answer),
	});

/** Changes nothing. */
export const read = declaring('read', 'GET');
/** Leaves the same record, however often. */
export const replace = declaring('replace', 'PUT');
export const remove = declaring('remove', 'DELETE');
/** Each time it has an effect of its own: a message, a record, a charge. */
export const send = declaring('send', 'POST');

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

/** The answer of the endpoints that wrap it in `data`: RCS, WhatsApp and senders. */
export const dataOf = <Schema extends z.ZodType>(schema: Schema) =>
	z.looseObject({ data: schema }).transform(({ data }) => data as z.output<Schema>);

/** A message of RCS or WhatsApp. The answer to a send has no status. */
export const chatMessage = () =>
	z.looseObject({
		id: idString,
		account_id: ifPossible(idString),
		sender: ifPossible(idString),
		recipient: ifPossible(idString),
	});

/** One in a list: nothing but the id is looked at, and that only to tell one message from another. */
export const listedChatMessage = () =>
	chatMessage().extend({ id: ifPossible(idString), status: anything });
