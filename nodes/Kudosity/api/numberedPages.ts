import { z } from 'zod/v4';
import { UnexpectedResponseError } from './errors';
import { mostPagesInFlight, type Page } from './pagination';
import { count } from './schemas/common.schema';

/** v1 gives at most this many records on a page. */
export const largestPage = 100;

/** The part that all lists of v1 share; `page.number` begins at 1. */
export const numberedPageSchema = z.looseObject({ page: z.object({ count, number: count }) });

export type NumberedPage<Item> = {
	page: { count: number; number: number };
	records: Item[];
	total?: number;
};

const pagesAfter = (number: number, last: number): number[] =>
	Array.from(
		{ length: Math.min(mostPagesInFlight, last - number) },
		(_, index) => number + 1 + index,
	);

const readPage = <Item>(
	asked: number,
	{ page, records, total }: NumberedPage<Item>,
): Page<Item, number> => {
	// An empty account may have no pages at all.
	const number = Math.max(1, page.number);
	const isLast = number >= page.count;
	// Past the end of a list that got shorter, the service may answer with its last page.
	if (isLast && number < asked) return { records: [], next: [], total };
	if (number !== asked) {
		throw new UnexpectedResponseError(200, `page ${number} where page ${asked} was asked for`);
	}
	if (!isLast && records.length === 0) {
		throw new UnexpectedResponseError(200, `an empty page ${number} of ${page.count}`);
	}
	return { records, total, next: isLast ? [] : pagesAfter(number, page.count) };
};

/** Pages by number until `page.number >= page.count`, which is read anew from each page. */
export const numberedPages = <Item>(fetchPage: (page: number) => Promise<NumberedPage<Item>>) => ({
	first: 1,
	fetchPage: async (asked: number): Promise<Page<Item, number>> =>
		readPage(asked, await fetchPage(asked)),
});
