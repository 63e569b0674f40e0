import { DateTime } from 'luxon';
import { hourMs, inZone, minuteMs, toEnglish } from './time';

/** Hours on certain days of the week, in a time zone's local time. */
export type WeeklyHours = {
	/** HH:mm. `from` is within the hours, `to` is not. */
	from: string;
	to: string;
	/** ISO weekdays: 1 is Monday, 7 is Sunday. */
	days: number[];
	timeZone: string;
};

const localTime = (instantMs: number, timeZone: string): DateTime =>
	inZone(DateTime.fromMillis(instantMs), timeZone);

/** Formats the day of the week and the time for users: `Friday 21:14`. */
export function dayAndTime(instantMs: number, timeZone: string): string {
	return toEnglish(localTime(instantMs, timeZone), 'cccc HH:mm');
}

export function isWithin({ from, to, days, timeZone }: WeeklyHours, instantMs: number): boolean {
	const local = localTime(instantMs, timeZone);
	const time = toEnglish(local, 'HH:mm');
	return days.includes(local.weekday) && time >= from && time < to;
}

/** No clock change skips more time than this. */
const longestGapMs = 3 * hourMs;

/**
 * Returns when the clock first shows `time` on the given day. If the clocks skip that time, returns the moment when
 * they go forward.
 */
function whenClockShows(day: DateTime, time: string): number {
	const [hour, minute] = time.split(':').map(Number);
	const found = day.startOf('day').set({ hour, minute });
	if (toEnglish(found, 'HH:mm') === time) return found.toMillis();
	// If the clocks skip a time, luxon returns a later one, e.g. 3:30 for 2:30. The loop finds the moment of the
	// change.
	let [before, after] = [found.toMillis() - longestGapMs, found.toMillis()];
	while (after - before > minuteMs) {
		const middle = before + Math.round((after - before) / 2 / minuteMs) * minuteMs;
		if (localTime(middle, day.zoneName ?? '').offset === found.offset) after = middle;
		else before = middle;
	}
	return after;
}

/**
 * How many days to search: today and two weeks. One week isn't enough: if only one day has hours, a clock change can
 * skip them in that week.
 */
const maxDays = 15;

/**
 * Returns the first instant within the hours, at or after `instantMs`. Even if the clocks go back, the hours of a day
 * start only once.
 */
export function nextOpening(hours: WeeklyHours, instantMs: number): number {
	if (isWithin(hours, instantMs)) return instantMs;
	const today = localTime(instantMs, hours.timeZone);
	for (let days = 0; days < maxDays; days++) {
		const opensMs = whenClockShows(today.plus({ days }), hours.from);
		if (opensMs >= instantMs && isWithin(hours, opensMs)) return opensMs;
	}
	throw new Error('Hours without a day');
}
