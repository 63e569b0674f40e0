import { z } from 'zod/v4';
import { isJson } from '../lib/json';
import { type ListEndpoint, read } from './endpoint';
import { identifyById, type ListOptions } from './lists';
import { type Page, unexpected } from './pagination';

/** The service's default page size. The service may cap larger pages, but never below this size. */
const defaultPageSize = 100;

/**
 * How many pages in a row may contain only records that were already on earlier pages. This happens while the list
 * grows.
 */
const maxKnownPages = 20;

type Cursor = {
	/** The page number, from 1. The service skips `(number - 1) * size` records. */
	number: number;
	size: number;
	knownIds: Set<string>;
	/** How many pages in a row contained only known records. */
	knownPages: number;
};

function cursorOf(cursor: unknown, size: number): Cursor {
	const first = { number: 1, size, knownIds: new Set<string>(), knownPages: 0 };
	return (cursor as Cursor | undefined) ?? first;
}

/**
 * A page as received. An entry that isn't a record becomes undefined instead of being removed, because a shorter page
 * would end the list.
 */
type Rows<Item> = Array<Item | undefined>;

/**
 * Reads a page. The list ends at the first page that isn't full. The service may cap the first page below the requested
 * size. In that case, the first page's length becomes the size of all later pages.
 */
function readShort<Item>(rows: Rows<Item>, cursor: Cursor): Page<Item, Cursor> {
	const { number, size, knownIds } = cursor;
	const records = rows
		.filter((row) => row !== undefined)
		.filter((row) => {
			const id = identifyById(row);
			if (id === undefined) return true;
			const isNew = !knownIds.has(id);
			knownIds.add(id);
			return isNew;
		});
	const fullLength = number === 1 ? Math.min(size, defaultPageSize) : size;
	if (rows.length < fullLength) return { records, next: [] };
	const knownPages = records.length > 0 ? 0 : cursor.knownPages + 1;
	if (knownPages > maxKnownPages) throw unexpected('the same page again', true);
	const next = { number: number + 1, size: number === 1 ? rows.length : size };
	return { records, next: [{ ...next, knownIds, knownPages }] };
}

function rowsOf(values: unknown): unknown {
	return Array.isArray(values) && values.some(isJson)
		? values.map((value) => (isJson(value) ? value : undefined))
		: values;
}

/**
 * Declares a v2 list that ends at the first page that isn't full. Its total is ignored, because it is "0" from the
 * second page on.
 */
export function shortPageList<Item>({
	path,
	records,
	record,
}: ListOptions<Item>): ListEndpoint<Item, Rows<Item>> {
	return {
		...read({
			path,
			answer: () =>
				z
					.looseObject({ [records]: z.preprocess(rowsOf, z.array(record().optional()).nullish()) })
					.transform((body) => (body[records] ?? []) as Rows<Item>),
		}),
		pages: {
			// Kudosity's own programs request pages of this size. The service documents no maximum.
			maxPageSize: 1000,
			ask: (cursor, asked) => {
				const { number, size } = cursorOf(cursor, asked);
				return { page: number, limit: size };
			},
			read: (rows, cursor, asked) => readShort(rows, cursorOf(cursor, asked)),
			identify: identifyById,
		},
	};
}
