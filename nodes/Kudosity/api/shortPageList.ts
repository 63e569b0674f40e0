import { z } from 'zod/v4';
import { isJson } from '../lib/json';
import { type ListEndpoint, read } from './endpoint';
import { UnexpectedResponseError } from './errors';
import type { Page } from './pagination';

/** A page by number; the service skips `(number - 1) * size` records. */
export type NumberedPage = { number: number; size: number };

export const firstOf = ({ number, size }: NumberedPage): number => (number - 1) * size;

/**
 * The page that holds the record at `position` (from 0) and as many after it as possible. Numbers count in
 * pages of one size, so one of an odd size is what begins shortly before a given record.
 */
export const pageCovering = (position: number, largest: number): NumberedPage => {
	let best = { number: Math.floor(position / largest) + 1, size: largest };
	for (let size = largest - 1; size * 2 > largest; size--) {
		const page = { number: Math.floor(position / size) + 1, size };
		if (firstOf(page) + size > firstOf(best) + best.size) best = page;
	}
	return best;
};

type Declared<Item> = {
	path: string;
	/** The name of the array that holds the records; it can be absent when there are none. */
	records: string;
	record: () => z.ZodType<Item>;
	identify: (item: Item) => string | undefined;
};

/** The vendor's own programs ask for so many; the service documents no most. */
const maxPageSize = 1000;

/** What the service gives when nobody says how many: it never allows less. */
const usualPage = 100;

/** One that gives the same page again and again is broken. */
const maxRepeatedPages = 3;

/** A list can grow by more than a page between two requests, but not for ever. */
const maxWithoutNew = 100;

type Place = {
	page: NumberedPage;
	/** The most that the service was seen to give. */
	largest: number;
	/** The IDs of all records read so far. */
	known: Set<string>;
	/** Where what was read so far ends, for records without an ID. */
	end: number;
	/** Pages in a row without a record that is new. */
	withoutNew: number;
	/** The record that the last page began with. */
	joint?: string;
};

const beginning = (size: number): Place => ({
	page: { number: 1, size },
	largest: size,
	known: new Set(),
	end: 0,
	withoutNew: 0,
});

const at = (position: number, place: Place): Place => ({
	...place,
	page: pageCovering(Math.max(0, position), place.largest),
});

/** A page as it came: an entry that is no record keeps its place, so that the others keep theirs. */
type Rows<Item> = Array<Item | undefined>;

/** The first page tells a short list from a service that allows less than was asked for. */
const isLast = (count: number, { page: { number, size } }: Place): boolean =>
	count < (number === 1 ? Math.min(size, usualPage) : size);

/**
 * Each page begins with a record that the one before had, so that nothing is lost while the list changes:
 * where it does not, records have slid forward, and the reader steps back until it meets one that it knows.
 */
const readShort = <Item>(
	rows: Rows<Item>,
	place: Place,
	identify: (item: Item) => string | undefined,
): Page<Item, Place> => {
	const { known } = place;
	const first = firstOf(place.page);
	const isNew = (row: Item | undefined, index: number): row is Item => {
		if (row === undefined) return false;
		const id = identify(row);
		return id === undefined ? first + index >= place.end : !known.has(id);
	};
	const [joint] = rows;
	if (first > 0 && (rows.length === 0 || isNew(joint, 0))) {
		return { records: [], next: [at(first - place.largest, place)] };
	}

	const records = rows.filter(isNew);
	for (const row of records) known.add(identify(row) ?? '');
	if (isLast(rows.length, place)) return { records, next: [] };
	const withoutNew = records.length > 0 ? 0 : place.withoutNew + 1;
	const id = joint && identify(joint);
	const isSame = id === place.joint;
	if (withoutNew > (isSame ? maxRepeatedPages : maxWithoutNew)) {
		throw new UnexpectedResponseError(200, 'the same page again', !isSame);
	}
	const end = first + rows.length;
	const largest = first === 0 ? Math.max(rows.length, usualPage) : place.largest;
	return { records, next: [at(end - 1, { ...place, end, largest, withoutNew, joint: id })] };
};

const rowsOf = (values: unknown): unknown =>
	Array.isArray(values) && values.some(isJson)
		? values.map((value) => (isJson(value) ? value : undefined))
		: values;

/**
 * A list of v2 by numbered pages, whose end is a page with fewer records than asked for. What it says of its
 * total is not looked at: from the second page on it is "0".
 */
export const shortPageList = <Item>({
	path,
	records,
	record,
	identify,
}: Declared<Item>): ListEndpoint<Item, Rows<Item>> => ({
	...read({
		connection: 'key',
		path,
		answer: () =>
			z
				.looseObject({ [records]: z.preprocess(rowsOf, z.array(record().optional()).nullish()) })
				.transform((body) => (body[records] ?? []) as Rows<Item>),
	}),
	pages: {
		largestPage: maxPageSize,
		ask: (cursor, asked) => {
			const { number, size } = (cursor as Place | undefined)?.page ?? beginning(asked).page;
			return { page: number, limit: size };
		},
		read: (rows, cursor, asked) =>
			readShort(rows, (cursor as Place | undefined) ?? beginning(asked), identify),
		identify,
	},
});
