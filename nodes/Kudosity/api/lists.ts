import { z } from 'zod/v4';
import { count, idString, type ListEndpoint, read, recordList } from './endpoint';
import { UnexpectedResponseError } from './errors';
import { maxPagesInFlight, type Page } from './pagination';
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
		{ length: Math.min(maxPagesInFlight, last - number) },
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

type DeclaredCounted<Item> = {
	path: string;
	/** The name of the array that holds the records; it can be absent when there are none. */
	records: string;
	record: () => z.ZodType<Item>;
	identify: (item: Item) => string | undefined;
};

type Counted<Item> = {
	records: Item[];
	page?: number;
	limit?: number;
	total_count?: number;
};

/** The end is where the total is reached; a full page past it says that the total is wrong. */
const readCounted = <Item>(
	{ records, page, limit, total_count: total }: Counted<Item>,
	{ asked, size }: { asked: number; size: number },
): Page<Item, number> => {
	if (page !== undefined && page !== asked) {
		throw unexpected(`page ${page} where page ${asked} was asked for`);
	}
	const perPage = Math.min(size, Math.max(1, limit ?? size));
	const before = (asked - 1) * perPage;
	const seen = before + records.length;
	if (records.length === 0) {
		if (total !== undefined && before < total) {
			throw unexpected(`an empty page ${asked} of a list of ${total}`);
		}
		return { records, next: [], total };
	}
	const isFull = records.length >= perPage;
	const isLast = total === undefined ? !isFull : seen >= total && !(isFull && seen > total);
	return { records, next: isLast ? [] : [asked + 1], total };
};

/** A list of v2 by numbered pages that says how many records there are; `limit` is 100 at the most. */
export const countedList = <Item>({
	path,
	records,
	record,
	identify,
}: DeclaredCounted<Item>): ListEndpoint<Item, Counted<Item>> => ({
	...read({
		connection: 'key',
		path,
		answer: () => {
			const number = count.nullish().catch(undefined);
			const pagination = z.looseObject({ page: number, limit: number, total_count: number });
			return z
				.looseObject({
					data: z.looseObject({ [records]: recordList(record()) }),
					meta: z.looseObject({ pagination: pagination.nullish() }).nullish(),
				})
				.transform(({ data, meta }): Counted<Item> => {
					const { page, limit, total_count } = meta?.pagination ?? {};
					return {
						records: (data[records] ?? []) as Item[],
						page: page ?? undefined,
						limit: limit ?? undefined,
						total_count: total_count ?? undefined,
					};
				});
		},
	}),
	pages: {
		largestPage: 100,
		ask: (page = 1, limit) => ({ page, limit }),
		read: (answer, asked = 1, size) => readCounted(answer, { asked: asked as number, size }),
		identify,
	},
});
