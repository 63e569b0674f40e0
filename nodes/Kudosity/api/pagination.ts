import { UnexpectedResponseError } from './errors';

/** Each record of a list in another form. */
export async function* mapRecords<Item, Form>(
	records: AsyncIterable<Item>,
	toForm: (record: Item) => Form,
): AsyncGenerator<Form> {
	for await (const record of records) yield toForm(record);
}

/** One page of a list; `Cursor` is whatever names a page. */
export type Page<Item, Cursor> = {
	records: Item[];
	/** The nearest pages known to come after this one, in their order; empty at the end. */
	next: Cursor[];
	/** How many records the service counts in the whole list, where it says so. */
	total?: number;
};

/** A page, with the most records that the service had counted when it was asked for. */
type ReadPage<Item, Cursor> = Page<Item, Cursor> & { known: number };

type PagedList<Item, Cursor> = {
	first: Cursor;
	fetchPage(cursor: Cursor): Promise<Page<Item, Cursor>>;
	/** What tells a record from all others of its list; one that has none always counts. */
	identify(record: Item): string | undefined;
};

/** Enough to hide a latency of 280 ms at 14 requests a second. */
export const maxPagesInFlight = 4;

/** A million records at 100 a page. A list that claims more is broken, or nothing to read in one go. */
export const maxPages = 10_000;

const maxReadings = 3;

const unexpected = (reason: string, listMayHaveChanged = false) =>
	new UnexpectedResponseError(200, reason, listMayHaveChanged);

const pagesWorthFetching = (wanted: number, recordsPerPage: number): number =>
	Math.min(maxPagesInFlight, Math.ceil(wanted / Math.max(1, recordsPerPage)));

/** The pages in order. Those known to follow and still wanted are fetched while this one is used. */
async function* readPages<Item, Cursor>(
	{ first, fetchPage }: PagedList<Item, Cursor>,
	countWanted: () => number,
): AsyncGenerator<ReadPage<Item, Cursor>> {
	const begun = new Set<Cursor>();
	const inFlight = new Map<Cursor, Promise<ReadPage<Item, Cursor>>>();
	let mostCounted = 0;
	const read = async (cursor: Cursor) => {
		const known = mostCounted;
		const page = await fetchPage(cursor);
		mostCounted = Math.max(mostCounted, page.total ?? 0);
		return { ...page, known };
	};
	const begin = (cursor: Cursor) => {
		const page = read(cursor);
		// Awaited when its turn comes, or never when the reader stops before.
		page.catch(() => undefined);
		begun.add(cursor);
		inFlight.set(cursor, page);
	};

	begin(first);
	for (let cursor = first; ; ) {
		const page = await inFlight.get(cursor)!;
		inFlight.delete(cursor);
		yield page;

		const following = page.next[0];
		if (following === undefined) return;
		if (begun.has(following) && !inFlight.has(following)) {
			throw unexpected('a page that leads back to an earlier one');
		}
		if (begun.size >= maxPages) throw unexpected(`more than ${maxPages} pages`);
		const worthIt = page.next.slice(0, pagesWorthFetching(countWanted(), page.records.length));
		for (const next of worthIt) if (!begun.has(next)) begin(next);
		cursor = following;
	}
}

/**
 * All records of a list, or the first `limit` of them: in order, each once, as few requests as possible,
 * and never more than a few pages in memory. Whoever stops reading stops the fetching.
 *
 * Numbered pages shift when the list changes meanwhile. A record that slid onto a later page comes once, and so
 * does a whole page, if the list has grown by as many records. When the list got shorter, a record may have
 * slid onto an earlier page, so the list is read again for records not seen yet. Pages that are asked for at once
 * may be answered the other way round, so that their counts alone are no proof that it got shorter.
 *
 * @throws UnexpectedResponseError pages repeat, lead back, never end, or shrink again and again
 */
export async function* paginate<Item, Cursor>(
	list: PagedList<Item, Cursor>,
	limit = Infinity,
): AsyncGenerator<Item> {
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
			hasShrunk ||= (page.total ?? page.known) < page.known;
			total = page.total ?? total;
		}
		if (!mayHaveShrunk || (reading === maxReadings && !hasShrunk)) return;
	}
	throw unexpected('a list that got shorter each time it was read', true);
}
