import { DateTime } from 'luxon';
import { hourMs, inZone, minuteMs, toEnglish } from './time';

/** Hours on some days of the week, in the local time of a time zone. */
export type WeeklyHours = {
	/** HH:mm. The time of `to` is no longer within the hours. */
	from: string;
	to: string;
	/** ISO weekdays: 1 is Monday, 7 is Sunday. */
	days: number[];
	timeZone: string;
};

const localTime = (instantMs: number, timeZone: string): DateTime =>
	inZone(DateTime.fromMillis(instantMs), timeZone);

/** Writes the day of the week and the time for people: `Friday 21:14`. */
export function dayAndTime(instantMs: number, timeZone: string): string {
	return toEnglish(localTime(instantMs, timeZone), 'cccc HH:mm');
}

export function isWithin({ from, to, days, timeZone }: WeeklyHours, instantMs: number): boolean {
	const local = localTime(instantMs, timeZone);
	const time = toEnglish(local, 'HH:mm');
	return days.includes(local.weekday) && time >= from && time < to;
}

/** No change of the clocks skips more time. */
const longestGapMs = 3 * hourMs;

/**
 * Returns when the clock of a day first shows `time` or, if the clocks skip it, the moment when they have gone forward.
 */
function whenClockShows(day: DateTime, time: string): number {
	const [hour, minute] = time.split(':').map(Number);
	const found = day.startOf('day').set({ hour, minute });
	if (toEnglish(found, 'HH:mm') === time) return found.toMillis();
	// For a time in the gap, luxon returns one after the gap, by as much as the time lies within it.
	let [before, after] = [found.toMillis() - longestGapMs, found.toMillis()];
	while (after - before > minuteMs) {
		const middle = before + Math.round((after - before) / 2 / minuteMs) * minuteMs;
		if (localTime(middle, day.zoneName ?? '').offset === found.offset) after = middle;
		else before = middle;
	}
	return after;
}

/** The search covers two weeks, because the clocks can skip these hours on the only day of a week. */
const maxDays = 15;

/**
 * Returns the first instant from this one on that is within the hours. Each day's hours begin once, even if the clocks
 * go back.
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
