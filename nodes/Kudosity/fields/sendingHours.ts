import { settleNow } from '../lib/async';
import { isJson } from '../lib/json';
import type { WeeklyHours } from '../lib/weeklyHours';
import { type Field, field, readFields, refuse, textField } from './field';
import { textList, trimmedText } from './readers';

/** Reads a time of day as HH:mm. A leading zero can be missing. */
function timeOfDay(value: unknown): string {
	const text = trimmedText(value);
	if (/^(?:[01]?\d|2[0-3]):[0-5]\d$/.test(text)) return text.padStart(5, '0');
	return refuse('is not a time of day', 'Enter a time such as 09:00 or 20:30');
}

const names = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function weekdays(value: unknown): number[] {
	const days = textList(value)
		.flatMap((text) => text.split(','))
		.map(Number);
	if (days.length === 0) return refuse('is empty', 'Select at least one day');
	if (days.every((day) => names[day - 1] !== undefined)) return days;
	return refuse('has an unknown value', 'Use the numbers 1 (Monday) to 7 (Sunday)');
}

/**
 * Matches names that people misunderstand. EST is New York's time in winter, but people in Sydney call their own time
 * EST, too. In Etc/GMT+10, the sign is reversed: this zone is ten hours behind UTC.
 */
const unclearName = /^(?!(?:utc|gmt)$)(?:etc\/gmt[+-]\d+|[a-z]{3}(?:\d[a-z]{3})?)$/i;

function timeZoneName(value: unknown): string {
	const timeZone = trimmedText(value);
	const known = settleNow(() => new Intl.DateTimeFormat('en', { timeZone }));
	if (known.status === 'fulfilled' && !unclearName.test(timeZone)) return timeZone;
	return refuse(
		known.status === 'fulfilled'
			? 'means different times in different countries'
			: 'is not a time zone',
		'Use a name such as Australia/Sydney or Europe/London',
	);
}

const from = textField(timeOfDay, {
	displayName: 'From',
	name: 'from',
	default: '09:00',
	placeholder: 'e.g. 09:00',
	description: 'Time of day when sending begins, in the time zone below',
});

const to = textField(timeOfDay, {
	displayName: 'To',
	name: 'to',
	default: '20:00',
	placeholder: 'e.g. 20:00',
	description: 'Time of day when sending ends, in the time zone below',
});

const days = field(weekdays, {
	displayName: 'Days',
	name: 'days',
	type: 'multiOptions',
	options: names.map((name, index) => ({ name, value: index + 1 })),
	default: [1, 2, 3, 4, 5],
	description: 'Days of the week on which messages are sent, in the time zone below',
});

const timeZone = textField(timeZoneName, {
	displayName: 'Time Zone',
	name: 'timeZone',
	required: true,
	placeholder: 'e.g. Australia/Sydney',
	description: "Time zone of the recipients. It can differ from the workflow's time zone.",
});

const fields = [from, to, days, timeZone] as const;
const defaults = Object.fromEntries(
	fields.map(({ property: { name, ...each } }) => [name, each.default]),
);

/** The Sending Hours limit, with a single period per day. n8n stores it as `{ window: { … } }`. */
export const sendingHours: Field<'sendingHours', WeeklyHours | undefined> = {
	property: {
		displayName: 'Sending Hours',
		name: 'sendingHours',
		type: 'fixedCollection',
		// With multiple values, n8n 1 would drop a window whose values are all defaults, and with it the limit.
		typeOptions: { multipleValues: false },
		default: { window: defaults },
		placeholder: 'Add Hours',
		options: [
			{ displayName: 'Hours', name: 'window', values: fields.map(({ property }) => property) },
		],
		description:
			"Don't send outside these hours. If Send At is set, that time is checked; otherwise, the time right before sending.",
	},
	read: (value, scope) => {
		if (value === undefined) return undefined;
		if (!isJson(value) || !isJson(value.window)) {
			return refuse('has no hours', "Select 'Add Hours', or remove the limit");
		}
		const hours = readFields(fields, value.window, scope, 'Sending Hours > ');
		if (hours.from < hours.to) return hours;
		return refuse(
			"has a 'From' that is not before its 'To'",
			"Choose a 'From' that is earlier than 'To' on the same day",
		);
	},
};
