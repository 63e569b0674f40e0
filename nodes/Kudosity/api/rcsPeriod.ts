import { InputError } from './errors';
import { parseTime } from './localTime';
import type { RcsDateRange } from './schemas/rcs.schema';

/** What the user filled in. Times without a zone count in the workflow's time zone. */
export type RcsPeriodFilter = { dateRange?: RcsDateRange; startDate?: string; endDate?: string };

/** The query of GET /v2/rcs/messages; dates as RFC 3339 in UTC. */
export type RcsPeriod = { date_range?: RcsDateRange; start_date?: string; end_date?: string };

const longestDays = 90;
const dayMs = 24 * 60 * 60 * 1000;

const readTime = (name: string, text: string | undefined, timeZone: string): number => {
	if (text === undefined) {
		throw new InputError(
			`'Filters > ${name}' is empty`,
			'A custom range needs both Start Date and End Date',
		);
	}
	const timeMs = parseTime(text, timeZone);
	if (timeMs !== undefined) return timeMs;
	throw new InputError(
		`'Filters > ${name}' is not a date`,
		'Write it like 2026-01-31T09:00 (in the time zone of the workflow) or 2026-01-31T09:00Z',
	);
};

/**
 * @throws InputError before any request: custom_date needs both dates, at most 90 days apart, and dates
 * count for nothing with another range
 */
export const rcsPeriod = (
	{ dateRange, startDate, endDate }: RcsPeriodFilter,
	timeZone: string,
): RcsPeriod => {
	const hasDates = startDate !== undefined || endDate !== undefined;
	const range = dateRange ?? (hasDates ? 'custom_date' : undefined);
	if (range !== 'custom_date') {
		if (!hasDates) return range === undefined ? {} : { date_range: range };
		throw new InputError(
			"'Filters > Date Range' leaves no room for Start Date and End Date",
			'Set Date Range to Custom, or remove the dates',
		);
	}
	const start = readTime('Start Date', startDate, timeZone);
	const end = readTime('End Date', endDate, timeZone);
	if (end < start) {
		throw new InputError("'Filters > End Date' is before Start Date", 'Swap the two dates');
	}
	if (end - start > longestDays * dayMs) {
		throw new InputError(
			`'Filters > End Date' is more than ${longestDays} days after Start Date`,
			'Choose a shorter range, or read it in several parts',
		);
	}
	return {
		date_range: range,
		start_date: new Date(start).toISOString(),
		end_date: new Date(end).toISOString(),
	};
};
