import { availableNumber, contactList, ownedNumber } from './catalogue.ts';
import type { FaultKind } from './faults.ts';
import type { State } from './state.ts';

export type V1Parameters = Record<string, string>;

export interface V1Page<Row> {
	page: { count: number; number: number };
	total: number;
	rows: Row[];
}

const DEFAULT_MAX = 10;
const LARGEST_MAX = 100;

function positiveInteger(text: string | undefined, fallback: number): number {
	const value = Number(text);
	return Number.isInteger(value) && value > 0 ? value : fallback;
}

export interface PageRequest<Row> {
	parameters: V1Parameters;
	total: number;
	rowAt: (index: number) => Row;
	fault?: FaultKind;
}

/** One page of `total` rows: 10 unless told, 100 at most; past the end it is empty. */
export function pageOf<Row>({ parameters, total, rowAt, fault }: PageRequest<Row>): V1Page<Row> {
	const asked = positiveInteger(parameters.page, 1);
	const number = fault === 'repeatPage' ? 1 : asked;
	const wantedMax =
		fault === 'ignoreMax' ? DEFAULT_MAX : positiveInteger(parameters.max, DEFAULT_MAX);
	const max = Math.min(wantedMax, LARGEST_MAX);
	// A record that appears while somebody pages: later pages see one more than the first did.
	const grown = fault === 'growingCount' ? total + (asked - 1) : total;
	const start = (number - 1) * max;
	const length = Math.max(0, Math.min(max, grown - start));
	const rows = Array.from({ length }, (_, offset) => rowAt(start + offset));
	return { page: { count: Math.ceil(grown / max), number }, total: grown, rows };
}

const rowsField = <Row>(state: State, name: string, rows: Row[]) =>
	rows.length === 0 && state.settings.omitEmptyArrays ? {} : { [name]: rows };

export interface ListingRequest {
	parameters: V1Parameters;
	fault?: FaultKind;
}

/** Any filter other than `owned` lists the available numbers and is echoed, as v1 was seen to do. */
export function getNumbers(state: State, { parameters, fault }: ListingRequest) {
	const filter = parameters.filter || 'owned';
	const [total, rowAt] =
		filter === 'owned'
			? [state.settings.numbersOwned, ownedNumber]
			: [state.settings.numbersAvailable, availableNumber];
	const { page, rows, total: numbersTotal } = pageOf<object>({ parameters, total, rowAt, fault });
	return { page, numbers_total: numbersTotal, filter, ...rowsField(state, 'numbers', rows) };
}

export function getLists(state: State, { parameters, fault }: ListingRequest) {
	const total = state.settings.lists;
	const {
		page,
		rows,
		total: listsTotal,
	} = pageOf({ parameters, total, rowAt: contactList, fault });
	return { page, lists_total: listsTotal, ...rowsField(state, 'lists', rows) };
}
