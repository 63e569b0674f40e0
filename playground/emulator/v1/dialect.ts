import type { FastifyRequest } from 'fastify';
import { numberedPage, type Rows } from '../http/paging.ts';
import { v1Body, v1FieldRefusal, v1Refusal } from '../http/refusal.ts';
import { type Call, type Dialect, type Route, toTexts } from '../http/routes.ts';
import { findCountry, normalizeNumber } from '../messages/phoneNumber.ts';

export type V1Call = Call<V1Fields>;
export type V1Route = Route<V1Fields>;

/** Form and query parameters are equivalent. */
const fields = ({ query, body }: FastifyRequest) => ({
	...toTexts(query),
	...(typeof body === 'object' && toTexts(body)),
});

/** Every operation accepts GET and POST and answers with `error.code` SUCCESS on success. */
export const v1Dialect: Dialect<V1Fields> = {
	methods: () => ['GET', 'POST'],
	fields,
	answer: (result) => ({ ...(numericCheck(result) as object), ...v1Body('SUCCESS', 'OK') }),
};

export type V1Fields = Record<string, string>;

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

const numeric = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Like the service's PHP JSON: text that looks like a number becomes one, anywhere. */
export function numericCheck(value: unknown): unknown {
	if (typeof value === 'string') return numeric.test(value) ? Number(value) : value;
	if (Array.isArray(value)) return value.map(numericCheck);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, numericCheck(one)]));
}

export function required(fields: V1Fields, name: string): string {
	const value = fields[name];
	if (value) return value;
	throw v1FieldRefusal('FIELD_EMPTY', `Required field '${name}' is empty`);
}

export function requiredInteger(fields: V1Fields, name: string): number {
	const value = required(fields, name);
	if (/^\d+$/.test(value)) return Number(value);
	const description = `Field "${name}" has wrong type, expected type - numeric`;
	throw v1FieldRefusal('FIELD_INVALID', description);
}

/** The country in `countrycode`: two letters or a name. */
export function readCountry({ countrycode }: V1Fields) {
	if (!countrycode) return undefined;
	const country = findCountry(countrycode);
	if (!country) throw v1Refusal(400, 'BAD_MOBILE_COUNTRY');
	return country;
}

/** A required mobile number as international digits. */
export function requiredMobile(fields: V1Fields, name = 'msisdn'): string {
	const digits = normalizeNumber(required(fields, name), readCountry(fields));
	if (!digits) throw v1Refusal(400, 'BAD_MOBILE');
	return digits;
}

export function readTime(fields: V1Fields, name: string): Date | undefined {
	const text = fields[name];
	if (!text) return undefined;
	const at = new Date(`${text.replace(' ', 'T')}Z`);
	const isWellFormed = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text);
	if (isWellFormed && !Number.isNaN(at.getTime())) return at;
	throw v1FieldRefusal('FIELD_INVALID', `Field '${name}' must be YYYY-MM-DD HH:MM:SS`);
}

/** Whether an ISO time lies between `start` and `end`; defaults: `defaultDays` ago, and now. */
export function readRange(
	fields: V1Fields,
	{ defaultDays, maxDays = Infinity }: { defaultDays: number; maxDays?: number },
): (iso: string) => boolean {
	const endMs = readTime(fields, 'end')?.getTime() ?? Date.now();
	const startMs = readTime(fields, 'start')?.getTime() ?? endMs - defaultDays * DAY_MS;
	if (endMs - startMs > maxDays * DAY_MS) {
		const description = `Start and end date must be within ${maxDays} days`;
		throw v1FieldRefusal('FIELD_INVALID', description);
	}
	// Dates in requests have whole seconds, messages have milliseconds.
	const [start, end] = [startMs, endMs + 1000].map((atMs) => new Date(atMs).toISOString());
	return (iso) => iso >= start! && iso < end!;
}

interface V1List<Row> {
	/** Field names of the array and its total in the answer. */
	key: string;
	total: string;
	rows: Rows<Row>;
	newRow?: (index: number) => Row;
}

/** One page of a list. Default: 10 rows; maximum: 100. */
export function v1Page<Row>(
	{ state, fields, fault }: V1Call,
	list: V1List<Row>,
	record: (row: Row) => unknown = (row) => row,
) {
	const size = { requested: fields.max, default: 10, max: 100 };
	const page = numberedPage({ ...list, page: fields.page, size, fault });
	const isLeftOut = page.rows.length === 0 && state.settings.omitEmptyArrays;
	return {
		page: { count: page.count, number: page.number },
		[list.total]: page.total,
		...(!isLeftOut && { [list.key]: page.rows.map(record) }),
	};
}
