import { z } from 'zod/v4';
import {
	count,
	idString,
	type ListEndpoint,
	type Path,
	read,
	recordList,
	textOrNone,
} from './endpoint';
import { type Page, unexpected } from './pagination';

export type ListOptions<Item> = {
	path: Path;
	/** The name of the array that holds the records. The service may omit the array if there are none. */
	records: string;
	record: () => z.ZodType<Item>;
	/** Returns a string that identifies a record within its list; by default its `id`. */
	identify?: (item: Item) => string | undefined;
};

export function identifyById(record: unknown): string | undefined {
	return textOrNone((record as { id?: unknown }).id);
}

/** The service's maximum page size, except for GET /v2/sms. */
const maxPageSize = 100;

/** Four pages in flight are enough for 14 requests per second at a latency of up to 280 ms. */
const maxPagesInFlight = 4;

function pagesAfter(number: number, last: number): number[] {
	return Array.from(
		{ length: Math.min(maxPagesInFlight, last - number) },
		(_, index) => number + 1 + index,
	);
}

type Numbered<Item> = { page: { count: number; number: number }; records: Item[]; total?: number };

/** Reads a numbered page. The list ends when `page.number` reaches `page.count`, which every page states again. */
function readNumbered<Item>(
	{ page, records, total }: Numbered<Item>,
	asked: number,
): Page<Item, number> {
	// An empty list may have no pages at all, so its page number may be 0.
	const number = Math.max(1, page.number);
	const isLast = number >= page.count;
	// If the list has shrunk in the meantime, the service may return its last page for a page number beyond the end.
	if (isLast && number < asked) return { records: [], next: [], total };
	if (number !== asked) throw unexpected(`page ${number} instead of page ${asked}`);
	if (!isLast && records.length === 0) {
		throw unexpected(`an empty page ${number} of ${page.count}`);
	}
	return { records, total, next: isLast ? [] : pagesAfter(number, page.count) };
}

/** Declares a v1 list. Its requests have the values `page`, which starts at 1, and `max`, which is at most 100. */
export function numberedList<Item>({
	records,
	record,
	identify = identifyById,
	total,
	...endpoint
}: ListOptions<Item> & { method?: 'GET' | 'POST'; total: string }): ListEndpoint<
	Item,
	Numbered<Item>
> {
	return {
		...read({
			...endpoint,
			answer: () =>
				z
					.looseObject({
						page: z.object({ count, number: count }),
						[total]: count.optional().catch(undefined),
						[records]: recordList(record()),
					})
					.transform(
						({ page, ...body }) =>
							({ page, records: body[records] ?? [], total: body[total] }) as Numbered<Item>,
					),
		}),
		pages: {
			maxPageSize,
			ask: (page = 1, max) => ({ page, max }),
			read: (answer, asked = 1) => readNumbered(answer, asked as number),
			identify,
		},
	};
}

/** The schema of a v2 page. Its records are in `data`, and its page number or cursor is in `meta.pagination`. */
function pageOfV2<Item, Pagination extends z.ZodRawShape>(
	{ records, record }: Pick<ListOptions<Item>, 'records' | 'record'>,
	pagination: Pagination,
) {
	return z
		.looseObject({
			data: z.looseObject({ [records]: recordList(record()) }),
			meta: z.looseObject({ pagination: z.looseObject(pagination).nullish() }).nullish(),
		})
		.transform(({ data, meta }) => ({
			...(meta?.pagination as Partial<z.output<z.ZodObject<Pagination>>> | undefined),
			records: (data[records] ?? []) as Item[],
		}));
}

type Cursored<Item> = { records: Item[]; next_cursor?: string | null; has_next?: boolean | null };

function readCursored<Item>(answer: Cursored<Item>): Page<Item, string> {
	const { records, next_cursor: cursor, has_next: hasNext } = answer;
	if (hasNext && !cursor) throw unexpected('a page without the cursor for the next one');
	return { records, next: cursor && hasNext !== false ? [cursor] : [] };
}

/** Declares a v2 list in which each page has the next page's cursor. Its requests have a `limit` of at most 100. */
export function cursorList<Item>({
	path,
	...page
}: ListOptions<Item>): ListEndpoint<Item, Cursored<Item>> {
	return {
		...read({
			path,
			answer: () =>
				pageOfV2(page, { next_cursor: idString.nullish(), has_next: z.boolean().nullish() }),
		}),
		pages: {
			maxPageSize,
			ask: (cursor, limit) => ({ limit, cursor }),
			read: readCursored,
			identify: identifyById,
		},
	};
}

export function wholeList<Item>({
	path,
	records,
	record,
}: ListOptions<Item>): ListEndpoint<Item, Item[]> {
	return {
		...read({
			path,
			answer: () =>
				z
					.looseObject({ [records]: recordList(record()) })
					.transform((body) => (body[records] ?? []) as Item[]),
		}),
		pages: {
			maxPageSize: Infinity,
			ask: () => ({}),
			read: (all) => ({ records: all, next: [] }),
			identify: identifyById,
		},
	};
}

type Counted<Item> = {
	records: Item[];
	page?: number | null;
	limit?: number | null;
	total_count?: number | null;
};

/**
 * Reads a page of a list that ends where its total is reached. If a full page exceeds the total, the total must be
 * wrong, so reading continues. A list without a total ends at the first page that isn't full.
 */
function readCounted<Item>(
	answer: Counted<Item>,
	{ asked, size }: { asked: number; size: number },
): Page<Item, number> {
	const { records } = answer;
	const page = answer.page ?? asked;
	const total = answer.total_count ?? undefined;
	if (page !== asked) throw unexpected(`page ${page} instead of page ${asked}`);
	const perPage = Math.min(size, Math.max(1, answer.limit ?? size));
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
}

/** Declares a v2 list with numbered pages and a total. Its requests have a `limit` of at most 100. */
export function countedList<Item>({
	path,
	identify = identifyById,
	...page
}: ListOptions<Item>): ListEndpoint<Item, Counted<Item>> {
	return {
		...read({
			path,
			answer: () => {
				const number = count.nullish().catch(undefined);
				return pageOfV2(page, { page: number, limit: number, total_count: number });
			},
		}),
		pages: {
			maxPageSize,
			ask: (page = 1, limit) => ({ page, limit }),
			read: (answer, asked = 1, size) => readCounted(answer, { asked: asked as number, size }),
			identify,
		},
	};
}
