import { dateRanges } from '../api/endpoints/rcs';
import { InputError } from '../api/errors';
import { checkDateOrder } from './dateOrder';
import { endInZone, inZone } from './dateTexts';
import { field, type InputOf } from './field';
import { maybeOneOf } from './readers/choice';
import { instant } from './readers/time';
import { startWithin } from './startWithin';

const dateRange = field(
	{
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
		description: 'When the messages were created. Ranges count in the time zone of the account.',
	},
	maybeOneOf(dateRanges),
);

const endDate = field(
	{
		displayName: 'End Date',
		name: 'endDate',
		type: 'dateTime',
		default: '',
		description: `The end of a custom range, at most 90 days after Start Date. ${endInZone}.`,
	},
	instant,
);

const startDate = field(
	{
		displayName: 'Start Date',
		name: 'startDate',
		type: 'dateTime',
		default: '',
		description: `The start of a custom range. ${inZone}.`,
	},
	instant,
);

/** The filters of lists that the service reads by date range; `periodOf` checks them together. */
export const period = [dateRange, endDate, startDate] as const;

const longestDays = 90;

const required = (name: string, time: number | undefined): number => {
	if (time !== undefined) return time;
	throw new InputError(
		`'Filters > ${name}' is empty`,
		'A custom range needs both Start Date and End Date',
	);
};

/**
 * The query for a period: custom_date needs both dates, at most 90 days apart, and dates count for nothing
 * with another range.
 *
 * @throws InputError before any request
 */
export const periodOf = (
	{ dateRange, startDate, endDate }: InputOf<typeof period>,
	timeZone: string,
) => {
	const hasDates = startDate !== undefined || endDate !== undefined;
	const range = dateRange ?? (hasDates ? 'custom_date' : undefined);
	if (range !== 'custom_date') {
		if (!hasDates) return { date_range: range };
		throw new InputError(
			"'Filters > Date Range' leaves no room for Start Date and End Date",
			'Set Date Range to Custom, or remove the dates',
		);
	}
	const wanted = required('Start Date', startDate);
	const end = required('End Date', endDate);
	checkDateOrder({ startDate, endDate });
	const start = startWithin({ start: wanted, end, mostDays: longestDays, timeZone });
	if (start === undefined) {
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
