import { DateTime, IANAZone } from 'luxon';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/**
 * Matches an ISO date or time. This is stricter than luxon, which also accepts `2026`, `09:00`, `2026-W05` and 24:00.
 */
const isoTime =
	/^\d{4}-\d\d-\d\d(?:T(?!24)\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?<zone>Z|[+-]\d\d:?[0-5]\d)?)?$/;

/** No time zone is further from UTC than this. */
const maxOffsetMinutes = 14 * 60;

/** Converts a time to a time zone. Doesn't depend on luxon's global settings, which n8n changes. */
export function inZone(time: DateTime, timeZone: string, keepLocalTime = false): DateTime {
	const local = time.setZone(IANAZone.create(timeZone), { keepLocalTime });
	if (!local.isValid) throw new RangeError(`Invalid time zone specified: ${timeZone}`);
	return local;
}

/** Formats a time with a luxon pattern, in English whatever the language of n8n's process. */
export function toEnglish(time: DateTime, pattern: string): string {
	return time.toFormat(pattern, { locale: 'en-US', numberingSystem: 'latn' });
}

/**
 * Parses a time into milliseconds since the epoch. Returns undefined for any other text. A time without an offset is
 * local to `timeZone`.
 */
export function parseTime(text: string, timeZone: string): number | undefined {
	const iso = text.trim().toUpperCase().replace(' ', 'T');
	const match = isoTime.exec(iso);
	const time = DateTime.fromISO(iso, { zone: 'utc', setZone: true });
	if (!match || !time.isValid || Math.abs(time.offset) > maxOffsetMinutes) return undefined;
	return (match.groups?.zone ? time : inZone(time, timeZone, true)).toMillis();
}

/** Returns the last millisecond of the instant's day in `timeZone`. */
export function endOfDay(instantMs: number, timeZone: string): number {
	return inZone(DateTime.fromMillis(instantMs), timeZone).endOf('day').toMillis();
}

/** Returns when the next day begins in `timeZone`: at midnight, or later if the clocks go forward at midnight. */
export function nextMidnight(instantMs: number, timeZone: string): number {
	return endOfDay(instantMs, timeZone) + 1;
}

/** Returns the date in `timeZone`: `2026-01-31`. */
export function toLocalDate(instantMs: number, timeZone: string): string {
	return toLocalIso(instantMs, timeZone).slice(0, 10);
}

/** Formats an instant as ISO 8601 to the second, with the offset of `timeZone`: `2026-01-31T09:00:00+11:00`. */
export function toLocalIso(instantMs: number, timeZone: string): string {
	return toEnglish(inZone(DateTime.fromMillis(instantMs), timeZone), "yyyy-MM-dd'T'HH:mm:ssZZ");
}

/** Formats an instant as v1 does: `2026-01-31 09:00:00`, in UTC. */
export function toV1Time(instantMs: number): string {
	return new Date(instantMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** Parses a v1 time into milliseconds since the epoch. Returns NaN for any other text. */
export function parseV1Time(text: string): number {
	return Date.parse(`${text.replace(' ', 'T')}Z`);
}

/** Matches a date, a time, up to nine fractional digits, and an optional offset. */
const iso8601 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|z|[+-]\d\d:?\d\d)?$/;

const normalOffset = (offset: string | undefined): string =>
	offset === undefined || /^z$/i.test(offset) ? 'Z' : offset.replace(/(\d\d)(\d\d)$/, '$1:$2');

/**
 * Parses a time from the service into milliseconds since the epoch. Returns NaN for any other text. A time without an
 * offset is UTC.
 */
export function epochMsOf(text: string): number {
	const parts = iso8601.exec(text.trim());
	if (!parts) return NaN;
	const [, date, time, fraction = '', offset] = parts;
	const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
	return Date.parse(`${date}T${time}.${milliseconds}${normalOffset(offset)}`);
}

/**
 * Converts a time from the service to ISO 8601 in UTC, with milliseconds. A time without an offset is already in UTC.
 * Text that isn't a time is returned unchanged.
 */
export function toIsoTimestamp(text: string): string {
	const epochMs = epochMsOf(text);
	return Number.isNaN(epochMs) ? text : new Date(epochMs).toISOString();
}

/** How much time may pass between the evaluation of an item's two date expressions. */
const momentMs = 1_000;

type Period = {
	start: number;
	end: number;
	maxDays: number;
	/** The workflow's time zone. If its clocks go back during the period, one of the days lasts 25 hours. */
	timeZone: string;
	/** By how much the period may exceed `maxDays`. */
	slackMs?: number;
};

/**
 * Returns the start of a period of at most `maxDays`, in milliseconds since the epoch. If the period is only slightly
 * too long, the start moves forward. For example, the period from `$now.minus({ days: 30 })` to `$now` exceeds 30 days
 * by a moment, and by another hour if the clocks went back in between.
 *
 * @returns undefined if the period is too long
 */
export function clampStart({
	start,
	end,
	maxDays,
	timeZone,
	slackMs = momentMs,
}: Period): number | undefined {
	const earliest = end - maxDays * dayMs;
	if (start >= earliest) return start;
	const offsetMs = (ms: number) => inZone(DateTime.fromMillis(ms), timeZone).offset * 60_000;
	const setBackMs = Math.max(0, offsetMs(start) - offsetMs(end));
	return earliest - start - setBackMs < slackMs ? earliest : undefined;
}
