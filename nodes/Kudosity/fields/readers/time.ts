import { parseTime } from '../../api/localTime';
import type { Scope } from '../field';
import { refuse } from '../refusal';
import { optionalText } from './text';

/** Dates of expressions can come from another realm, where `instanceof` fails. */
const isDate = (value: unknown): value is Date =>
	Object.prototype.toString.call(value) === '[object Date]' && !Number.isNaN(Number(value));

/** Luxon's DateTime, which n8n's expressions deliver, and whatever else knows its own ISO text. */
const asText = (value: unknown): unknown => {
	if (isDate(value)) return value.toISOString();
	const { toISO } = (value ?? {}) as { toISO?: unknown };
	// An invalid DateTime has none, and is not left out for that.
	return typeof toISO === 'function' ? (toISO.call(value) ?? 'Invalid DateTime') : value;
};

/** An instant in milliseconds since the epoch; without a zone it counts in the workflow's. Undefined when empty. */
export const instant = (value: unknown, { timeZone }: Scope): number | undefined => {
	const text = optionalText(asText(value));
	if (text === undefined) return undefined;
	return (
		parseTime(text, timeZone) ??
		refuse(
			'is not a date',
			'Write it like 2026-01-31T09:00 (in the time zone of the workflow) or 2026-01-31T09:00Z',
		)
	);
};
