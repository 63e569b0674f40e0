import { z } from 'zod/v4';
import { lazy } from '../lib/async';
import { isJson } from '../lib/json';
import type { Page } from './pagination';
import type { ApiRequest, Connection } from './transport';

/**
 * The values of a call. A value that the path names (`{id}`) goes into the path, the others go into the query (GET,
 * DELETE) or the body.
 */
export type Values = Record<string, unknown>;

type Method = ApiRequest['method'];

/** The effect of a call, regardless of its HTTP method, because v1 also reads with POST. */
type Verb = 'read' | 'replace' | 'remove' | 'send';

/** A path, which also identifies the API: v1 paths end in `.json`, v2 paths begin with `/v2`. */
export type Path = `/v2/${string}` | `/${string}.json`;

/** One documented operation of the service. */
export type Endpoint<Answer = unknown> = {
	connection: Connection;
	method: Method;
	/** Variable segments are in braces: `/v2/sms/{id}`. */
	path: Path;
	verb: Verb;
	/**
	 * Whether a 429 means that a limit for this record was reached, rather than the account's rate limit. Retrying soon
	 * is then pointless.
	 */
	isPerRecordLimit?: boolean;
	/**
	 * Creates the schema that checks and converts a successful response body. Called on first use, because n8n loads
	 * every node at startup.
	 */
	answer: () => z.ZodType<Answer>;
};

export type ListEndpoint<Item, Answer = unknown> = Endpoint<Answer> & {
	pages: Pages<Item, Answer>;
};

export type Pages<Item, Answer, Cursor = unknown> = {
	/** Returns the request values for the page at `cursor`, with at most `size` records. */
	ask: (cursor: Cursor | undefined, size: number) => Values;
	read: (answer: Answer, asked: Cursor | undefined, size: number) => Page<Item, Cursor>;
	maxPageSize: number;
	/** Returns a string that identifies a record within its list; undefined if nothing identifies it. */
	identify: (item: Item) => string | undefined;
};

export type AnswerOf<Each> = Each extends Endpoint<infer Answer> ? Answer : never;
export type ItemOf<Each> = Each extends { pages: { identify: (item: infer Item) => unknown } }
	? Item
	: never;

type EndpointOptions<Answer> = Pick<Endpoint<Answer>, 'path' | 'isPerRecordLimit' | 'answer'> & {
	/**
	 * Only needed if it differs from the verb's default method, as it often does in v1, which only supports GET and
	 * POST.
	 */
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
/** Declares an idempotent endpoint: repeating the request has no further effect. */
export const replace = declaring('replace', 'PUT');
/**
 * Declares a deletion that can safely be retried: if an earlier attempt got no response, a 404 means that the record
 * was deleted. Deletions of API v1 are declared with `send` instead, because v1 doesn't respond with a 404.
 */
export const remove = declaring('remove', 'DELETE');
/** Declares an endpoint that is not idempotent: each call creates another message, record or charge. */
export const send = declaring('send', 'POST');

/** The schema of a response body that isn't used. */
export function anyObject() {
	return z.looseObject({});
}

/** Matches any value, or none. It has to be optional, because in zod 4, a key of type unknown is required otherwise. */
export const anything = z.unknown().optional();

/** An ID or a phone number. v1 sends integers, v2 strings; users always get strings. */
// The cast is for speed: `transform`, which has the right types, takes three times as long as `overwrite`.
export const idString = z.union([z.string(), z.number()]).overwrite(String) as unknown as z.ZodType<
	string,
	string | number
>;

/**
 * A count. v1 sends integers, v2 strings ("1"); users always get an integer. Null and empty strings are rejected,
 * because coercion would turn them into 0.
 */
export const count = z.preprocess(
	(value) => (value === null || value === '' ? undefined : value),
	z.coerce.number().int(),
);

/**
 * Makes a detail optional. An unexpected value passes unchanged, because a malformed detail must not make an accepted
 * message look like a failure.
 */
export function ifPossible<Schema extends z.ZodType>(schema: Schema) {
	return z.union([schema, anything]).optional();
}

const text = ifPossible(idString);

/**
 * Returns the schemas of optional text: IDs, phone numbers and words. The service sends words that consist of digits as
 * numbers, which are converted to strings.
 */
export function textDetails<Name extends string>(...names: Name[]) {
	return Object.fromEntries(names.map((name) => [name, text])) as Record<Name, typeof text>;
}

export function textOrNone(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

function recordsOf(values: unknown): unknown {
	return Array.isArray(values) && values.some(isJson) ? values.filter(isJson) : values;
}

/**
 * Returns the schema of a list. Entries that aren't objects are removed, so one malformed entry doesn't fail the whole
 * list.
 */
export function recordList<Schema extends z.ZodType>(schema: Schema) {
	return z.preprocess(recordsOf, z.array(schema).nullish());
}

/** The schema of a response that is wrapped in `data`, as for RCS, WhatsApp and senders. */
export function dataOf<Schema extends z.ZodType>(schema: Schema) {
	return z.looseObject({ data: schema }).transform(({ data }) => data as z.output<Schema>);
}

/** An RCS or WhatsApp message. In the response to a send, it has no status. */
export function chatMessage() {
	return z.looseObject({ id: idString, ...textDetails('account_id', 'sender', 'recipient') });
}

/** A message in a list. Only its ID is used, to tell messages apart. */
export function listedChatMessage() {
	return chatMessage().extend({ id: ifPossible(idString), status: anything });
}
