import { UnexpectedResponseError } from './errors';

export async function* mapRecords<Item, Form>(
	records: AsyncIterable<Item>,
	toForm: (record: Item) => Form,
): AsyncGenerator<Form> {
	for await (const record of records) yield toForm(record);
}

/** One page of a list; `Cursor` identifies a page. */
export type Page<Item, Cursor> = {
	records: Item[];
	/** The cursors of the next pages, as far as they are known, in order. Empty at the end of the list. */
	next: Cursor[];
	total?: number;
};

type PagedList<Item> = {
	/** Fetches the page at `cursor`, or the first page if `cursor` is undefined. */
	fetchPage(cursor: unknown): Promise<Page<Item, unknown>>;
	/** Returns a string that identifies a record. If it returns undefined, the record always counts as new. */
	identify(record: Item): string | undefined;
};

/**
 * The maximum number of pages: a million records at 100 per page. A list that claims to have more is broken, or too
 * long to read at once.
 */
const maxPages = 10_000;

/** Creates the error for pages that contradict each other. */
export function unexpected(reason: string, listMayHaveChanged = false): UnexpectedResponseError {
	return new UnexpectedResponseError(200, reason, listMayHaveChanged);
}

/**
 * Yields the pages in order. While the consumer processes a page, the next pages are prefetched, as far as they are
 * known and still needed.
 *
 * @throws UnexpectedResponseError - a page leads back to an earlier one, or the list never ends
 */
async function* readPages<Item>(
	{ fetchPage }: PagedList<Item>,
	countWanted: () => number,
): AsyncGenerator<Page<Item, unknown>> {
	const begun = new Set<unknown>();
	const inFlight = new Map<unknown, Promise<Page<Item, unknown>>>();
	const begin = (cursor: unknown) => {
		const page = fetchPage(cursor);
		// This prevents an unhandled rejection: the page is awaited when its turn comes, or never if the consumer stops
		// early.
		page.catch(() => undefined);
		begun.add(cursor);
		inFlight.set(cursor, page);
	};

	let cursor: unknown;
	begin(cursor);
	for (;;) {
		const page = await inFlight.get(cursor)!;
		inFlight.delete(cursor);
		yield page;

		const [following] = page.next;
		if (following === undefined) return;
		if (begun.has(following) && !inFlight.has(following)) {
			throw unexpected('a page that leads back to an earlier one');
		}
		if (begun.size >= maxPages) throw unexpected(`more than ${maxPages} pages`);
		const wantedPages = Math.ceil(countWanted() / Math.max(1, page.records.length));
		for (const next of page.next.slice(0, wantedPages)) if (!begun.has(next)) begin(next);
		cursor = following;
	}
}

/**
 * Yields all records of a list, or the first `limit` of them: in order, without duplicates, in as few requests as
 * possible, and with only a few pages in memory.
 *
 * Numbered pages shift if the list changes while it is read. If the list grows, records move to later pages, where they
 * are recognized and skipped. If it shrinks, a record can move to a page that has already been read. That record is
 * missing until the next run.
 *
 * @throws UnexpectedResponseError - a page repeats or leads back to an earlier one, or the list never ends
 */
export async function* paginate<Item>(list: PagedList<Item>, limit: number): AsyncGenerator<Item> {
	const known = new Set<string>();
	let given = 0;
	let firstTotal: number | undefined;
	for await (const page of readPages(list, () => limit - given)) {
		const givenBefore = given;
		for (const record of page.records) {
			const identity = list.identify(record);
			if (identity !== undefined) {
				if (known.has(identity)) continue;
				known.add(identity);
			}
			given++;
			yield record;
			if (given >= limit) return;
		}
		firstTotal ??= page.total;
		const grownBy = (page.total ?? 0) - (firstTotal ?? 0);
		const isRepeated = page.records.length > 0 && given === givenBefore;
		if (isRepeated && grownBy < page.records.length) throw unexpected('the same page again', true);
	}
}
