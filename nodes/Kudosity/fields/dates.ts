import { dateRanges } from '../api/endpoints/rcs';
import { InputError } from '../api/errors';
import type { Clock } from '../lib/async';
import { clampStart, endOfDay, parseTime, toV1Time } from '../lib/time';
import { field, type InputOf, type Read, refuse, type ReadContext } from './field';
import { optionalOneOf, optionalText } from './readers';

/** Whether a value is a valid date. Expressions can return dates from another realm, for which `instanceof` fails. */
const isDate = (value: unknown): value is Date =>
	Object.prototype.toString.call(value) === '[object Date]' && !Number.isNaN(Number(value));

/**
 * Returns a date or time as text. n8n's expressions return luxon's DateTime; any other object with `toISO` is accepted,
 * too.
 */
function asText(value: unknown): unknown {
	if (isDate(value)) return value.toISOString();
	const { toISO } = (value ?? {}) as { toISO?: unknown };
	// The text of an invalid DateTime is null, which must not count as an empty field.
	return typeof toISO === 'function' ? (toISO.call(value) ?? 'Invalid DateTime') : value;
}

/**
 * Reads a time as milliseconds since the epoch. Returns undefined if the field is empty. A time without an offset is in
 * the workflow's time zone.
 */
export function instant(value: unknown, { timeZone }: ReadContext): number | undefined {
	const text = optionalText(asText(value));
	const time = text === undefined ? undefined : parseTime(text, timeZone);
	if (text === undefined || time !== undefined) return time;
	return refuse(
		'is not a date',
		"Enter a date such as 2026-01-31T09:00 (in the workflow's time zone) or 2026-01-31T09:00Z (UTC)",
	);
}

/** Whether a value is a date without a time of day. */
function isDateOnly(value: unknown): boolean {
	const text = asText(value);
	return typeof text === 'string' && /^\s*\d{4}-\d\d-\d\d\s*$/.test(text);
}

/** Reads a time as `instant` does, but refuses a date without a time, because it would mean midnight. */
export const timeToSend: Read<number | undefined> = (value, scope) =>
	isDateOnly(value)
		? refuse(
				'has no time of day',
				"Add a time, e.g. 2026-01-31T09:00 (in the workflow's time zone)",
			)
		: instant(value, scope);

/** A sentence that the descriptions of dates share, without its final period. */
export const inZone = "Uses the workflow's time zone unless you enter one";

/** Reads the end of a period. A date without a time means the end of that day, so the last day is included. */
const endInstant: Read<number | undefined> = (value, scope) => {
	const time = instant(value, scope);
	return time === undefined || !isDateOnly(value) ? time : endOfDay(time, scope.timeZone);
};

const wholeDay = 'An end date without a time includes the whole day';

type Dates = { startDate?: number; endDate?: number };

/** @throws InputError - End Date is before Start Date */
export function checkDateOrder({ startDate = -Infinity, endDate = Infinity }: Dates): void {
	if (endDate >= startDate) return;
	throw new InputError("'Filters > End Date' is before 'Start Date'", 'Swap the two dates');
}

const date = { type: 'dateTime', default: '' } as const;
const start = { ...date, displayName: 'Start Date', name: 'startDate' } as const;
const end = { ...date, displayName: 'End Date', name: 'endDate' } as const;

/**
 * Creates two optional date fields for a collection. Their descriptions begin with `about`. The order of the dates has
 * to be checked separately, e.g. with `checkDateOrder`.
 */
export function dateRange(about: { start: string; end: string }) {
	return [
		field(instant, { ...start, description: `${about.start} ${inZone}.` }),
		field(endInstant, { ...end, description: `${about.end} ${inZone}.` }),
	] as const;
}

const presetRange = field(optionalOneOf(dateRanges), {
	displayName: 'Date Range',
	name: 'dateRange',
	type: 'options',
	options: [
		{ name: 'All (Last 365 Days)', value: 'all' },
		{ name: 'Custom', value: 'custom_date', description: 'From Start Date to End Date' },
		{ name: 'Last 30 Days', value: 'last_thirty' },
		{ name: 'Last Month', value: 'last_month' },
		{ name: 'Last Week', value: 'last_week' },
	],
	default: 'all',
	description: "When the messages were created. Ranges use the account's time zone.",
});

const [startDate, endDate] = dateRange({
	start: 'The start of a custom range.',
	end: 'The end of a custom range, up to 90 days after Start Date.',
});

/** The filters for lists with a date range. `toPeriodQuery` checks them together. */
export const period = [presetRange, endDate, startDate] as const;

const maxDays = 90;

function required(name: string, time: number | undefined): number {
	if (time !== undefined) return time;
	throw new InputError(
		`'Filters > ${name}' is empty`,
		"A custom range needs both 'Start Date' and 'End Date'",
	);
}

/**
 * Builds the query for a date range. `custom_date` needs both dates, at most 90 days apart; other ranges take none.
 *
 * @throws InputError - the dates are incomplete, in the wrong order, too far apart, or given for another range
 */
export function toPeriodQuery(
	{ dateRange, startDate, endDate }: InputOf<typeof period>,
	timeZone: string,
) {
	const hasDates = startDate !== undefined || endDate !== undefined;
	const range = dateRange ?? (hasDates ? 'custom_date' : undefined);
	if (range !== 'custom_date') {
		if (!hasDates) return { date_range: range };
		throw new InputError(
			"'Filters > Date Range' can't be combined with 'Start Date' and 'End Date'",
			"Set 'Date Range' to 'Custom', or remove the dates",
		);
	}
	const wanted = required('Start Date', startDate);
	const end = required('End Date', endDate);
	checkDateOrder({ startDate, endDate });
	const start = clampStart({ start: wanted, end, maxDays, timeZone });
	if (start === undefined) {
		throw new InputError(
			`'Filters > End Date' is more than ${maxDays} days after 'Start Date'`,
			`Choose a shorter range, or split the range into several parts. ${wholeDay}`,
		);
	}
	return {
		date_range: range,
		start_date: new Date(start).toISOString(),
		end_date: new Date(end).toISOString(),
	};
}

const requiring =
	(read: Read<number | undefined>): Read<number> =>
	(value, scope) =>
		read(value, scope) ?? refuse('is empty', 'Choose a date, e.g. 2026-01-31T09:00');

/**
 * Creates the two optional date fields of a report. `about` describes the default period, or how far apart the dates
 * may be.
 */
export function reportPeriod(about: string) {
	return dateRange({
		start: `The start of the report. ${about}`,
		end: 'The end of the report. Defaults to now.',
	});
}

export const requiredPeriod = [
	field(requiring(instant), {
		...start,
		required: true,
		placeholder: 'e.g. 2026-01-01T09:00',
		description: `The start of the report. ${inZone}.`,
	}),
	field(requiring(endInstant), {
		...end,
		required: true,
		placeholder: 'e.g. 2026-01-31T09:00',
		description: `The end of the report. ${inZone}.`,
	}),
] as const;

/**
 * How much a report may exceed its maximum length if it has no end date, so it ends now. Its start date may be an
 * expression such as `$now.minus({ days: 30 })`, and by the time the item is read, "now" is later, because thousands of
 * earlier items are read first.
 */
const maxReadingMs = 60_000;

type Limits = {
	maxDays?: number;
	/**
	 * The length of the default period. It is set here, because the service's own default period would move while pages
	 * are read.
	 */
	usualMs?: number;
};

/**
 * Builds a report's query. Without dates, the period is the last `usualMs` milliseconds. If that is undefined, the
 * service chooses the period.
 *
 * @throws InputError - the start is missing, the dates are in the wrong order, or they are too far apart
 */
export function toReportQuery(
	{ clock, timeZone }: { clock: Pick<Clock, 'calendarNow'>; timeZone: string },
	{ startDate, endDate }: Dates,
	{ maxDays = Infinity, usualMs }: Limits = {},
) {
	const nowMs = clock.calendarNow();
	if (startDate === undefined && endDate === undefined) {
		return usualMs === undefined ? {} : { start: toV1Time(nowMs - usualMs), end: toV1Time(nowMs) };
	}
	if (startDate === undefined) {
		throw new InputError("'Start Date' is empty", "To use 'End Date', set 'Start Date' as well");
	}
	const until = endDate ?? nowMs;
	if (until < startDate) {
		throw new InputError(
			"'End Date' is before 'Start Date'",
			"Swap the two dates. If 'End Date' is empty, the current time is used",
		);
	}
	const slackMs = endDate === undefined ? maxReadingMs : undefined;
	const from = clampStart({ start: startDate, end: until, maxDays, timeZone, slackMs });
	if (from === undefined) {
		throw new InputError(
			`'End Date' is more than ${maxDays} days after 'Start Date'`,
			`Kudosity reports up to ${maxDays} days at a time. Choose a shorter period, or split the period into several parts. ${wholeDay}`,
		);
	}
	return { start: toV1Time(from), end: toV1Time(until) };
}
