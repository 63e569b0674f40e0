import { findCountry, normaliseNumber } from '../messages/phoneNumber.ts';
import { v1FieldRefusal, v1Refusal } from '../http/refusal.ts';

export type V1Fields = Record<string, string>;

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

const numeric = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** As PHP writes JSON here: text that looks like a number becomes one, wherever it stands. */
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

/** The country of `countrycode`, by its two letters or its name. */
export function readCountry({ countrycode }: V1Fields) {
	if (!countrycode) return undefined;
	const country = findCountry(countrycode);
	if (!country) throw v1Refusal(400, 'BAD_MOBILE_COUNTRY');
	return country;
}

/** A required mobile number as international digits. */
export function requiredMobile(fields: V1Fields, name = 'msisdn'): string {
	const digits = normaliseNumber(required(fields, name), readCountry(fields));
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

/** Whether an ISO time lies between `start` and `end`; what is not said is `usualDays` back, and now. */
export function readRange(
	fields: V1Fields,
	{ usualDays, largestDays = Infinity }: { usualDays: number; largestDays?: number },
): (iso: string) => boolean {
	const endMs = readTime(fields, 'end')?.getTime() ?? Date.now();
	const startMs = readTime(fields, 'start')?.getTime() ?? endMs - usualDays * DAY_MS;
	if (endMs - startMs > largestDays * DAY_MS) {
		const description = `Start and end date must be within ${largestDays} days`;
		throw v1FieldRefusal('FIELD_INVALID', description);
	}
	// Dates have whole seconds here, messages have not.
	const [start, end] = [startMs, endMs + 1000].map((atMs) => new Date(atMs).toISOString());
	return (iso) => iso >= start! && iso < end!;
}
