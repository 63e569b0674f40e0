import { InputError } from '../api/errors';
import { v1Time } from '../api/v1Time';
import { endInZone, inZone } from './dateTexts';
import { field, type Field, type Read } from './field';
import { instant } from './readers/time';
import { refuse } from './refusal';
import { startWithin } from './startWithin';

const required: Read<number> = (value, scope) =>
	instant(value, scope) ?? refuse('is empty', 'Choose a date, e.g. 2026-01-31T09:00');

const date = { type: 'dateTime', default: '' } as const;
const start = { ...date, displayName: 'Start Date', name: 'startDate' } as const;
const end = { ...date, displayName: 'End Date', name: 'endDate' } as const;

/** Two dates; `about` says what holds without them, or how far they may be apart. */
export const reportPeriod = (
	about: string,
): [Field<'startDate', number | undefined>, Field<'endDate', number | undefined>] => [
	field({ ...start, description: `The start of the report. ${about} ${inZone}.` }, instant),
	field(
		{ ...end, description: `The end of the report; now, when it is empty. ${endInZone}.` },
		instant,
	),
];

export const requiredPeriod: [Field<'startDate', number>, Field<'endDate', number>] = [
	field(
		{
			...start,
			required: true,
			placeholder: 'e.g. 2026-01-01T09:00',
			description: `The start of the report. ${inZone}.`,
		},
		required,
	),
	field(
		{
			...end,
			required: true,
			placeholder: 'e.g. 2026-01-31T09:00',
			description: `The end of the report. ${endInZone}.`,
		},
		required,
	),
];

/** Thousands of items can be read between the start of a report and the end that it is given, which is now. */
const longestReadingMs = 60_000;

type Asked = { startDate?: number; endDate?: number };
type Limits = {
	nowMs: number;
	timeZone: string;
	mostDays?: number;
	/** Without dates: the service's own period moves on while pages are read. */
	usualMs?: number;
};

/**
 * The period in the service's words; without dates the usual one, or nothing: the service has one of its own.
 *
 * @throws InputError before any request
 */
export const reportPeriodOf = (
	{ startDate, endDate }: Asked,
	{ nowMs, timeZone, mostDays = Infinity, usualMs }: Limits,
) => {
	if (startDate === undefined && endDate === undefined) {
		return usualMs === undefined ? {} : { start: v1Time(nowMs - usualMs), end: v1Time(nowMs) };
	}
	if (startDate === undefined) {
		throw new InputError("'Start Date' is empty", 'An end date needs a start date');
	}
	const until = endDate ?? nowMs;
	if (until < startDate) {
		throw new InputError(
			"'End Date' is before Start Date",
			'Swap the two dates. Without an end date, the report ends now',
		);
	}
	const slackMs = endDate === undefined ? longestReadingMs : undefined;
	const from = startWithin({ start: startDate, end: until, mostDays, timeZone, slackMs });
	if (from === undefined) {
		throw new InputError(
			`'End Date' is more than ${mostDays} days after Start Date`,
			`Kudosity reports at most ${mostDays} days at once: choose a shorter period, or read it in several parts`,
		);
	}
	return { start: v1Time(from), end: v1Time(until) };
};
