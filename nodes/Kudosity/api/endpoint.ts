import { z } from 'zod/v4';
import { lazy } from '../lib/async';
import { isJson } from '../lib/json';
import type { Page } from './pagination';
import type { ApiRequest, Connection } from './transport';

/** What a call sends: values named in the path go there, the others into the query (GET, DELETE) or the body. */
export type Values = Record<string, unknown>;

type Method = ApiRequest['method'];

/** What a call does, whatever its HTTP method: v1 also reads with POST. */
type Verb = 'read' | 'replace' | 'remove' | 'send';

/** Tells the API: paths of v1 end in `.json`, those of v2 begin with `/v2`. */
export type Path = `/v2/${string}` | `/${string}.json`;

/** One documented operation of the service. */
export type Endpoint<Answer = unknown> = {
	connection: Connection;
	method: Method;
	/** Variable segments in braces: `/v2/sms/{id}`. */
	path: Path;
	verb: Verb;
	/** Whether a 429 concerns this record rather than the request rate: retrying soon is pointless. */
	hasOwnLimit?: boolean;
	/** Checks and converts a success body. Built on first use, because n8n loads every node at startup. */
	answer: () => z.ZodType<Answer>;
};

export type ListEndpoint<Item, Answer = unknown> = Endpoint<Answer> & {
	pages: Pages<Item, Answer>;
};

export type Pages<Item, Answer, Cursor = unknown> = {
	/** The values that request the page at `cursor`, with at most `size` records. */
	ask: (cursor: Cursor | undefined, size: number) => Values;
	read: (answer: Answer, asked: Cursor | undefined, size: number) => Page<Item, Cursor>;
	/** The most records that the service puts on a page. */
	maxPageSize: number;
	/** What distinguishes a record from the others in its list; undefined if nothing does. */
	identify: (item: Item) => string | undefined;
};

export type AnswerOf<Each> = Each extends Endpoint<infer Answer> ? Answer : never;
export type ItemOf<Each> = Each extends { pages: { identify: (item: infer Item) => unknown } }
	? Item
	: never;

type EndpointOptions<Answer> = Pick<Endpoint<Answer>, 'path' | 'hasOwnLimit' | 'answer'> & {
	/** If it is not the verb's own: v1 only has GET and POST. */
	method?: Method;
};

const declaring =
	(verb: Verb, method: Method) =>
	<Answer>(options: EndpointOptions<Answer>): Endpoint<Answer> => ({
		method,
		...options,
		connection: options.path.startsWith('/v2/') ? 'key' : 'basic',
		verb,
		answer: lazy(options.answer),
	});

/** Changes nothing. */
export const read = declaring('read', 'GET');
/** Idempotent: repeating it leaves the same record. */
export const replace = declaring('replace', 'PUT');
/** Like `replace`: after a try without an answer, a 404 means that it is deleted. In v1, a deletion is a `send`. */
export const remove = declaring('remove', 'DELETE');
/** Not idempotent: each call creates another message, record or charge. */
export const send = declaring('send', 'POST');

/** Where nothing of the answer is used. */
export const anyObject = () => z.looseObject({});

/** Any value or none: zod 4 requires a key of type unknown unless it is optional. */
export const anything = z.unknown().optional();

/** v1 sends IDs and phone numbers as JSON integers, v2 as strings; users always get strings. */
// The cast is for speed: `transform`, which has the types, takes three times as long as `overwrite`.
export const idString = z.union([z.string(), z.number()]).overwrite(String) as unknown as z.ZodType<
	string,
	string | number
>;

/** v2 sends counts as strings ("1"), v1 as integers; users always get integers. Null and empty text are no 0. */
export const count = z.preprocess(
	(value) => (value === null || value === '' ? undefined : value),
	z.coerce.number().int(),
);

/** For optional details: an unexpected value passes unchanged, so an accepted message stays accepted. */
export const ifPossible = <Schema extends z.ZodType>(schema: Schema) =>
	z.union([schema, anything]).optional();

const text = ifPossible(idString);

/** Details that are text: IDs, phone numbers, and words, which arrive as numbers where they are digits. */
export const textDetails = <Name extends string>(...names: Name[]) =>
	Object.fromEntries(names.map((name) => [name, text])) as Record<Name, typeof text>;

export const textOrNone = (value: unknown): string | undefined =>
	typeof value === 'string' ? value : undefined;

const recordsOf = (values: unknown): unknown =>
	Array.isArray(values) && values.some(isJson) ? values.filter(isJson) : values;

/** Drops entries that are not records, so that one odd entry does not fail the list. */
export const recordList = <Schema extends z.ZodType>(schema: Schema) =>
	z.preprocess(recordsOf, z.array(schema).nullish());

/** For endpoints that wrap their answer in `data`: RCS, WhatsApp and senders. */
export const dataOf = <Schema extends z.ZodType>(schema: Schema) =>
	z.looseObject({ data: schema }).transform(({ data }) => data as z.output<Schema>);

/** An RCS or WhatsApp message. The answer to a send has no status. */
export const chatMessage = () =>
	z.looseObject({ id: idString, ...textDetails('account_id', 'sender', 'recipient') });

/** A message in a list: only its ID is used, to tell messages apart. */
export const listedChatMessage = () =>
	chatMessage().extend({ id: ifPossible(idString), status: anything });
