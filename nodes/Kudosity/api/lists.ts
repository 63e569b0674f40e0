import { z } from 'zod/v4';
import { read, type ListEndpoint } from './endpoint';
import { UnexpectedResponseError } from './errors';
import { mostPagesInFlight, type Page } from './pagination';
import { count, idString, recordList } from './schemas/common.schema';
import type { Connection } from './transport';

type Declared<Item> = {
	path: string;
	method?: 'GET' | 'POST';
	/** The name of the array that holds the records; it can be absent when there are none. */
	records: string;
	record: () => z.ZodType<Item>;
	/** What tells a record from all others of its list. */
	identify: (item: Item) => string | undefined;
};

const unexpected = (reason: string) => new UnexpectedResponseError(200, reason);

const pagesAfter = (number: number, last: number): number[] =>
	Array.from(
		{ length: Math.min(mostPagesInFlight, last - number) },
		(_, index) => number + 1 + index,
	);

type Numbered<Item> = {
	page: { count: number; number: number };
	records: Item[];
	total?: number;
};

/** Pages by number until `page.number >= page.count`, which is read anew from each page. */
const readNumbered = <Item>(
	{ page, records, total }: Numbered<Item>,
	asked: number,
): Page<Item, number> => {
	// An empty account may have no pages at all.
	const number = Math.max(1, page.number);
	const isLast = number >= page.count;
	// Past the end of a list that got shorter, the service may answer with its last page.
	if (isLast && number < asked) return { records: [], next: [], total };
	if (number !== asked) throw unexpected(`page ${number} where page ${asked} was asked for`);
	if (!isLast && records.length === 0) {
		throw unexpected(`an empty page ${number} of ${page.count}`);
	}
	return { records, total, next: isLast ? [] : pagesAfter(number, page.count) };
};

/** A list of v1: `page` begins at 1, `max` is 100 at the most. */
export const numberedList = <Item>({
	records,
	record,
	identify,
	total,
	...declared
}: Declared<Item> & { total: string }): ListEndpoint<Item, Numbered<Item>> => ({
	...read({
		connection: 'basic',
		...declared,
		answer: () =>
			z
				.looseObject({
					page: z.object({ count, number: count }),
					[total]: count.optional().catch(undefined),
					[records]: recordList(record()),
				})
				.transform(
					(body) =>
						({
							page: body.page,
							records: body[records] ?? [],
							total: body[total],
						}) as Numbered<Item>,
				),
	}),
	pages: {
		largestPage: 100,
		ask: (page = 1, max) => ({ page, max }),
		read: (answer, asked = 1) => readNumbered(answer, asked as number),
		identify,
	},
});

type Cursored<Item> = {
	records: Item[];
	next_cursor?: string | null;
	has_next?: boolean | null;
};

const readCursored = <Item>(answer: Cursored<Item>): Page<Item, string> => {
	const { records, next_cursor: cursor, has_next: hasNext } = answer;
	if (hasNext && !cursor) throw unexpected('a page that says more follow, without a cursor');
	return { records, next: cursor && hasNext !== false ? [cursor] : [] };
};

/** A list of v2 whose pages lead from one to the next; `limit` is 100 at the most. */
export const cursorList = <Item>({
	records,
	record,
	identify,
	...declared
}: Declared<Item>): ListEndpoint<Item, Cursored<Item>> => ({
	...read({
		connection: 'key',
		...declared,
		answer: () => {
			const pagination = z.looseObject({
				next_cursor: idString.nullish(),
				has_next: z.boolean().nullish(),
			});
			return z
				.looseObject({
					data: z.looseObject({ [records]: recordList(record()) }),
					meta: z.looseObject({ pagination: pagination.nullish() }).nullish(),
				})
				.transform(
					({ data, meta }) =>
						({ ...meta?.pagination, records: data[records] ?? [] }) as Cursored<Item>,
				);
		},
	}),
	pages: {
		largestPage: 100,
		ask: (cursor, limit) => ({ limit, cursor }),
		read: readCursored,
		identify,
	},
});

/** A list that comes in one piece. */
export const wholeList = <Item>({
	records,
	record,
	identify,
	...declared
}: Declared<Item> & { connection: Connection }): ListEndpoint<Item, Item[]> => ({
	...read({
		...declared,
		answer: () =>
			z
				.looseObject({ [records]: recordList(record()) })
				.transform((body) => (body[records] ?? []) as Item[]),
	}),
	pages: {
		largestPage: Infinity,
		ask: () => ({}),
		read: (all) => ({ records: all, next: [] }),
		identify,
	},
});
