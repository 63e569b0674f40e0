import { z } from 'zod/v4';
import { isJson } from '../lib/json';
import { type ListEndpoint, read } from './endpoint';
import { identifyById, type ListOptions } from './lists';
import { type Page, unexpected } from './pagination';

/** A page by number; the service skips `(number - 1) * size` records. */
type NumberedPage = { number: number; size: number };

const firstOf = ({ number, size }: NumberedPage): number => (number - 1) * size;

/**
 * The page that holds the record at `position` (from 0) and as many after it as possible. All pages of one numbering
 * have the same size, so an odd size is what makes a page start just before a given record.
 */
const pageCovering = (position: number, maxSize: number): NumberedPage => {
	let best = { number: Math.floor(position / maxSize) + 1, size: maxSize };
	for (let size = maxSize - 1; size * 2 > maxSize; size--) {
		const page = { number: Math.floor(position / size) + 1, size };
		if (firstOf(page) + size > firstOf(best) + best.size) best = page;
	}
	return best;
};

/** The service's default page size: it never allows less. */
const defaultPageSize = 100;

/** A service that returns the same page more often than this is broken. */
const maxRepeatedPages = 3;

/** A list can grow by more than a page between two requests, but not forever. */
const maxWithoutNew = 100;

type Cursor = {
	page: NumberedPage;
	/** The largest page that the service was seen to give. */
	maxSize: number;
	known: Set<string>;
	/** The position after the last record read, for records without an ID. */
	end: number;
	withoutNew: number;
	/** The ID of the record that the last page began with. */
	joint?: string;
};

/** Begins at the first page. */
const cursorOf = (cursor: unknown, size: number): Cursor =>
	(cursor as Cursor | undefined) ?? {
		page: { number: 1, size },
		maxSize: size,
		known: new Set(),
		end: 0,
		withoutNew: 0,
	};

const at = (position: number, cursor: Cursor): Cursor => ({
	...cursor,
	page: pageCovering(Math.max(0, position), cursor.maxSize),
});

/** A page as received: an entry that is not a record keeps its place, so that positions stay right. */
type Rows<Item> = Array<Item | undefined>;

/** On the first page, a short list must be told from a service that allows less than was asked for. */
const isLast = (count: number, { page: { number, size } }: Cursor): boolean =>
	count < (number === 1 ? Math.min(size, defaultPageSize) : size);

/**
 * Each page begins with a record of the page before, so that nothing is lost while the list changes. If it begins with
 * another one, records have moved forward, and the reader steps back until it meets a known one.
 */
const readShort = <Item>(rows: Rows<Item>, cursor: Cursor): Page<Item, Cursor> => {
	const { known } = cursor;
	const first = firstOf(cursor.page);
	const isNew = (row: Item | undefined, index: number): row is Item => {
		if (row === undefined) return false;
		const id = identifyById(row);
		return id === undefined ? first + index >= cursor.end : !known.has(id);
	};
	const [joint] = rows;
	if (first > 0 && (rows.length === 0 || isNew(joint, 0))) {
		return { records: [], next: [at(first - cursor.maxSize, cursor)] };
	}

	const records = rows.filter(isNew);
	for (const row of records) known.add(identifyById(row) ?? '');
	if (isLast(rows.length, cursor)) return { records, next: [] };
	const withoutNew = records.length > 0 ? 0 : cursor.withoutNew + 1;
	const id = joint && identifyById(joint);
	const isSame = id === cursor.joint;
	if (withoutNew > (isSame ? maxRepeatedPages : maxWithoutNew)) {
		throw unexpected('the same page again', !isSame);
	}
	const end = first + rows.length;
	const maxSize = first === 0 ? Math.max(rows.length, defaultPageSize) : cursor.maxSize;
	return { records, next: [at(end - 1, { ...cursor, end, maxSize, withoutNew, joint: id })] };
};

const rowsOf = (values: unknown): unknown =>
	Array.isArray(values) && values.some(isJson)
		? values.map((value) => (isJson(value) ? value : undefined))
		: values;

/** A list of v2 that ends with a shorter page. Its total is ignored: it is "0" from the second page on. */
export const shortPageList = <Item>({
	path,
	records,
	record,
}: ListOptions<Item>): ListEndpoint<Item, Rows<Item>> => ({
	...read({
		path,
		answer: () =>
			z
				.looseObject({ [records]: z.preprocess(rowsOf, z.array(record().optional()).nullish()) })
				.transform((body) => (body[records] ?? []) as Rows<Item>),
	}),
	pages: {
		// What the vendor's own programs ask for; the service documents no maximum.
		maxPageSize: 1000,
		ask: (cursor, asked) => {
			const { number, size } = cursorOf(cursor, asked).page;
			return { page: number, limit: size };
		},
		read: (rows, cursor, asked) => readShort(rows, cursorOf(cursor, asked)),
		identify: identifyById,
	},
});
