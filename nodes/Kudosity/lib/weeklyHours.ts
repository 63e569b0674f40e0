import { DateTime } from 'luxon';
import { hourMs, inZone, minuteMs, toEnglish } from './time';

/** Hours on some days of the week, by the clock on the wall of a time zone. */
export type WeeklyHours = {
	/** HH:mm; the time of `to` is no longer within. */
	from: string;
	to: string;
	/** ISO: 1 is Monday, 7 is Sunday. */
	days: number[];
	timeZone: string;
};

const localTime = (instantMs: number, timeZone: string): DateTime =>
	inZone(DateTime.fromMillis(instantMs), timeZone);

/** The day of the week and the time, for people: `Friday 21:14`. */
export function dayAndTime(instantMs: number, timeZone: string): string {
	return toEnglish(localTime(instantMs, timeZone), 'cccc HH:mm');
}

export function isWithin({ from, to, days, timeZone }: WeeklyHours, instantMs: number): boolean {
	const local = localTime(instantMs, timeZone);
	const time = toEnglish(local, 'HH:mm');
	return days.includes(local.weekday) && time >= from && time < to;
}

/** No change of the clocks skips more. */
const longestGapMs = 3 * hourMs;

/** When the clock of a day first shows `time`. Where clocks go forward over it, when they have. */
function whenClockShows(day: DateTime, time: string): number {
	const [hour, minute] = time.split(':').map(Number);
	const found = day.startOf('day').set({ hour, minute });
	if (toEnglish(found, 'HH:mm') === time) return found.toMillis();
	// For a time in the gap, luxon gives one that lies behind it, by as much as that time lies in it.
	let [before, after] = [found.toMillis() - longestGapMs, found.toMillis()];
	while (after - before > minuteMs) {
		const middle = before + Math.round((after - before) / 2 / minuteMs) * minuteMs;
		if (localTime(middle, day.zoneName ?? '').offset === found.offset) after = middle;
		else before = middle;
	}
	return after;
}

/** Even if the only day of a week is one on which the clocks skip these hours. */
const maxDays = 15;

/** The first instant from this one on that is within the hours. Each day's hours begin once, even if clocks go back. */
export function nextOpening(hours: WeeklyHours, instantMs: number): number {
	if (isWithin(hours, instantMs)) return instantMs;
	const today = localTime(instantMs, hours.timeZone);
	for (let days = 0; days < maxDays; days++) {
		const opensMs = whenClockShows(today.plus({ days }), hours.from);
		if (opensMs >= instantMs && isWithin(hours, opensMs)) return opensMs;
	}
	throw new Error('Hours without a day');
}
