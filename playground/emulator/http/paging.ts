import type { FaultKind } from './faults.ts';

/** Reads rows one by one, so that a list can have any length. */
export interface Rows<Row> {
	length: number;
	at(index: number): Row | undefined;
}

interface PageSize {
	/** As sent by the caller. */
	requested: string | undefined;
	default: number;
	max: number;
}

function positiveInteger(text: string | undefined, fallback: number): number {
	const value = Number(text);
	return Number.isInteger(value) && value > 0 ? value : fallback;
}

interface Slice<Row> {
	number: number;
	count: number;
	total: number;
	rows: Row[];
}

interface NumberedPage<Row> {
	rows: Rows<Row>;
	page: string | undefined;
	size: PageSize;
	fault: FaultKind | undefined;
	/** Creates the rows that growingCount adds. */
	newRow?: (index: number) => Row;
}

/** Page 1, 2, … of a list, empty past the end. Applies paging faults. */
export function numberedPage<Row>(wanted: NumberedPage<Row>): Slice<Row> {
	const { rows, page, size, fault, newRow = () => undefined } = wanted;
	const asked = positiveInteger(page, 1);
	const number = fault === 'repeatPage' ? 1 : asked;
	const perPage =
		fault === 'ignoreMax'
			? size.default
			: Math.min(positiveInteger(size.requested, size.default), size.max);
	// A record appears during paging: later pages see one more than the first page.
	const total = rows.length + (fault === 'growingCount' ? asked - 1 : 0);
	const start = (number - 1) * perPage;
	const length = Math.max(0, Math.min(perPage, total - start));
	const onPage = Array.from({ length }, (_, offset) => start + offset)
		.map((index) => (index < rows.length ? rows.at(index) : newRow(index)))
		.filter((row) => row !== undefined);
	return { number, count: Math.ceil(total / perPage), total, rows: onPage };
}

interface CursorPage<Row extends { id: string }> {
	rows: readonly Row[];
	limit: number;
	cursor: string | undefined;
	direction: string | undefined;
	fault: FaultKind | undefined;
	refuseCursor(): never;
}

/** A cursor identifies a record, so that new records do not shift the pages. */
const toCursor = ({ id }: { id: string }) => Buffer.from(id).toString('base64url');

function bounds<Row extends { id: string }>(wanted: CursorPage<Row>): [number, number] {
	const { rows, limit, cursor, direction, refuseCursor } = wanted;
	if (!cursor) return [0, limit];
	const id = Buffer.from(cursor, 'base64url').toString();
	const index = rows.findIndex((row) => row.id === id);
	if (index < 0) refuseCursor();
	if (direction === 'prev') return [Math.max(0, index - limit), index];
	return [index + 1, index + 1 + limit];
}

/** With the repeatCursor fault, every page is the first one with the same next cursor. */
export function cursorPage<Row extends { id: string }>(wanted: CursorPage<Row>) {
	const { rows, fault } = wanted;
	const repeats = fault === 'repeatCursor' || fault === 'repeatPage';
	const [start, end] = bounds(repeats ? { ...wanted, cursor: undefined } : wanted);
	const page = rows.slice(start, end);
	const hasNext = end < rows.length || (repeats && page.length > 0);
	const hasPrevious = start > 0 && page.length > 0;
	const pagination = {
		type: 'cursor',
		next_cursor: hasNext ? toCursor(page.at(-1)!) : null,
		prev_cursor: hasPrevious ? toCursor(page[0]!) : null,
		has_next: hasNext,
		has_prev: hasPrevious,
	};
	return { page, pagination };
}
