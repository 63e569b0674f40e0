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

/** `maxTotal`: the largest total that the service had stated when the page was requested. */
type ReadPage<Item> = Page<Item, unknown> & { maxTotal: number };

type PagedList<Item> = {
	/** The first page, if there is no cursor. */
	fetchPage(cursor: unknown): Promise<Page<Item, unknown>>;
	/** What distinguishes a record from the others; a record without it always counts as new. */
	identify(record: Item): string | undefined;
};

/** A million records at 100 a page. A list that claims more is broken, or too long to read at once. */
const maxPages = 10_000;

const maxReadings = 3;

export const unexpected = (reason: string, listMayHaveChanged = false) =>
	new UnexpectedResponseError(200, reason, listMayHaveChanged);

/** The pages in order. Pages known to follow and still wanted are fetched while this one is in use. */
async function* readPages<Item>(
	{ fetchPage }: PagedList<Item>,
	countWanted: () => number,
): AsyncGenerator<ReadPage<Item>> {
	const begun = new Set<unknown>();
	const inFlight = new Map<unknown, Promise<ReadPage<Item>>>();
	let maxTotal = 0;
	const read = async (cursor: unknown) => {
		const before = maxTotal;
		const page = await fetchPage(cursor);
		maxTotal = Math.max(maxTotal, page.total ?? 0);
		return { ...page, maxTotal: before };
	};
	const begin = (cursor: unknown) => {
		const page = read(cursor);
		// Awaited when its turn comes, or never if the reader stops first.
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
 * All records of a list, or the first `limit` of them: in order, each once, in as few requests as possible, with only a
 * few pages in memory.
 *
 * Numbered pages shift while the list changes. If it grows, records move to later pages and are skipped there as known.
 * If it shrinks, records may move to earlier pages, so the list is read again for the ones not seen yet. Concurrent
 * requests may be answered out of order, so a falling total alone does not prove shrinking.
 *
 * @throws UnexpectedResponseError pages repeat, lead back, never end, or keep shrinking
 */
export async function* paginate<Item>(list: PagedList<Item>, limit: number): AsyncGenerator<Item> {
	const known = new Set<string>();
	let given = 0;
	for (let reading = 1; reading <= maxReadings; reading++) {
		let firstTotal: number | undefined;
		let total = 0;
		let mayHaveShrunk = false;
		let hasShrunk = false;
		for await (const page of readPages(list, () => limit - given)) {
			const givenBefore = given;
			for (const record of page.records) {
				const identity = list.identify(record);
				if (identity !== undefined) {
					if (known.has(identity)) continue;
					known.add(identity);
				} else if (reading > 1) continue;
				given++;
				yield record;
				if (given >= limit) return;
			}
			firstTotal ??= page.total;
			const grownBy = (page.total ?? 0) - (firstTotal ?? 0);
			const isRepeated = page.records.length > 0 && given === givenBefore;
			if (isRepeated && reading === 1 && grownBy < page.records.length) {
				throw unexpected('the same page again', true);
			}
			mayHaveShrunk ||= (page.total ?? total) < total;
			hasShrunk ||= (page.total ?? page.maxTotal) < page.maxTotal;
			total = page.total ?? total;
		}
		if (!mayHaveShrunk || (reading === maxReadings && !hasShrunk)) return;
	}
	throw unexpected('a list that got shorter each time it was read', true);
}
