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
	/** The nearest pages known to follow, in order; empty at the end. */
	next: Cursor[];
	total?: number;
};

type PagedList<Item> = {
	/** Fetches the page at the cursor, or the first page if there is none. */
	fetchPage(cursor: unknown): Promise<Page<Item, unknown>>;
	/** Returns a text that distinguishes a record from the others. A record without one always counts as new. */
	identify(record: Item): string | undefined;
};

/**
 * The limit of a list: a million records at 100 a page. A list that claims more is broken, or too long to read at once.
 */
const maxPages = 10_000;

/** Creates the error for pages that contradict each other. */
export function unexpected(reason: string, listMayHaveChanged = false): UnexpectedResponseError {
	return new UnexpectedResponseError(200, reason, listMayHaveChanged);
}

/**
 * Yields the pages in order. While the reader uses a page, the pages that are known to follow and are still wanted are
 * fetched.
 *
 * @throws UnexpectedResponseError - pages lead back or never end
 */
async function* readPages<Item>(
	{ fetchPage }: PagedList<Item>,
	countWanted: () => number,
): AsyncGenerator<Page<Item, unknown>> {
	const begun = new Set<unknown>();
	const inFlight = new Map<unknown, Promise<Page<Item, unknown>>>();
	const begin = (cursor: unknown) => {
		const page = fetchPage(cursor);
		// The page is awaited when its turn comes, or never if the reader stops first.
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
 * Yields all records of a list, or the first `limit` of them: in order, each once, in as few requests as possible, with
 * only a few pages in memory.
 *
 * Numbered pages shift while the list changes. If the list grows, records move to later pages and are skipped there,
 * because they are known. If it shrinks, a record can move to a page that was read before, and is missing until the
 * next run.
 *
 * @throws UnexpectedResponseError - pages repeat, lead back, or never end
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
