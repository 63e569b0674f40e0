import { z } from 'zod/v4';
import { lazy } from '../lib/async';
import { isJson } from '../lib/json';
import type { Page } from './pagination';
import type { ApiRequest, Connection } from './transport';

/**
 * The values of a call. Those that are named in the path go there, the others into the query (GET, DELETE) or the body.
 */
export type Values = Record<string, unknown>;

type Method = ApiRequest['method'];

/** The effect of a call, whatever its HTTP method: v1 also reads with POST. */
type Verb = 'read' | 'replace' | 'remove' | 'send';

/** Identifies the API: paths of v1 end in `.json`, those of v2 begin with `/v2`. */
export type Path = `/v2/${string}` | `/${string}.json`;

/** One documented operation of the service. */
export type Endpoint<Answer = unknown> = {
	connection: Connection;
	method: Method;
	/** Variable segments in braces: `/v2/sms/{id}`. */
	path: Path;
	verb: Verb;
	/** Whether a 429 concerns this record and not the request rate, so retrying soon is pointless. */
	isPerRecordLimit?: boolean;
	/** Checks and converts a success body. Built on first use, because n8n loads every node at startup. */
	answer: () => z.ZodType<Answer>;
};

export type ListEndpoint<Item, Answer = unknown> = Endpoint<Answer> & {
	pages: Pages<Item, Answer>;
};

export type Pages<Item, Answer, Cursor = unknown> = {
	/** Returns the values that request the page at `cursor`, with at most `size` records. */
	ask: (cursor: Cursor | undefined, size: number) => Values;
	read: (answer: Answer, asked: Cursor | undefined, size: number) => Page<Item, Cursor>;
	/** The most records that the service puts on a page. */
	maxPageSize: number;
	/** Returns a text that distinguishes a record from the others in its list; undefined if nothing does. */
	identify: (item: Item) => string | undefined;
};

export type AnswerOf<Each> = Each extends Endpoint<infer Answer> ? Answer : never;
export type ItemOf<Each> = Each extends { pages: { identify: (item: infer Item) => unknown } }
	? Item
	: never;

type EndpointOptions<Answer> = Pick<Endpoint<Answer>, 'path' | 'isPerRecordLimit' | 'answer'> & {
	/** Only needed if it differs from the verb's own method, because v1 only has GET and POST. */
	method?: Method;
};

function declaring(verb: Verb, method: Method) {
	return <Answer>(options: EndpointOptions<Answer>): Endpoint<Answer> => ({
		method,
		...options,
		connection: options.path.startsWith('/v2/') ? 'key' : 'basic',
		verb,
		answer: lazy(options.answer),
	});
}

/** Declares an endpoint that changes nothing. */
export const read = declaring('read', 'GET');
/** Declares an idempotent endpoint: repeating the request leaves the same record. */
export const replace = declaring('replace', 'PUT');
/**
 * Declares a deletion that can be repeated: after a try without an answer, a 404 means that the record is deleted. In
 * v1, a deletion is a `send`, because it fails for a missing record.
 */
export const remove = declaring('remove', 'DELETE');
/** Declares an endpoint that is not idempotent: each call creates another message, record or charge. */
export const send = declaring('send', 'POST');

/** The schema of an answer of which nothing is used. */
export function anyObject() {
	return z.looseObject({});
}

/** Any value, or none. zod 4 requires a key of type unknown unless it is optional. */
export const anything = z.unknown().optional();

/** An ID or a phone number. v1 sends them as JSON integers, v2 as strings; users always get strings. */
// The cast is for speed: `transform`, which has the right types, takes three times as long as `overwrite`.
export const idString = z.union([z.string(), z.number()]).overwrite(String) as unknown as z.ZodType<
	string,
	string | number
>;

/**
 * A count. v2 sends it as a string ("1"), v1 as an integer; users always get an integer. Null and empty text do not
 * count as 0.
 */
export const count = z.preprocess(
	(value) => (value === null || value === '' ? undefined : value),
	z.coerce.number().int(),
);

/** A detail that is optional: an unexpected value passes unchanged, so an accepted message stays accepted. */
export function ifPossible<Schema extends z.ZodType>(schema: Schema) {
	return z.union([schema, anything]).optional();
}

const text = ifPossible(idString);

/** Details that are text: IDs, phone numbers, and words. Words of digits arrive as numbers. */
export function textDetails<Name extends string>(...names: Name[]) {
	return Object.fromEntries(names.map((name) => [name, text])) as Record<Name, typeof text>;
}

export function textOrNone(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

function recordsOf(values: unknown): unknown {
	return Array.isArray(values) && values.some(isJson) ? values.filter(isJson) : values;
}

/** A list without the entries that are not records, so one odd entry does not fail the list. */
export function recordList<Schema extends z.ZodType>(schema: Schema) {
	return z.preprocess(recordsOf, z.array(schema).nullish());
}

/** The answer of endpoints that wrap it in `data`: RCS, WhatsApp and senders. */
export function dataOf<Schema extends z.ZodType>(schema: Schema) {
	return z.looseObject({ data: schema }).transform(({ data }) => data as z.output<Schema>);
}

/** An RCS or WhatsApp message. In the answer to a send, it has no status. */
export function chatMessage() {
	return z.looseObject({ id: idString, ...textDetails('account_id', 'sender', 'recipient') });
}

/** A message in a list. Only its ID is used, to tell messages apart. */
export function listedChatMessage() {
	return chatMessage().extend({ id: ifPossible(idString), status: anything });
}
