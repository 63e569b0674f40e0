const isoTime =
	/^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<time>\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?<zone>Z|[+-]\d\d:?\d\d)?)?$/i;

/** What the clocks of `timeZone` show at an instant, in milliseconds as if it were UTC. */
export const wallClock = (instantMs: number, timeZone: string): number => {
	const format = new Intl.DateTimeFormat('en-US', {
		timeZone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
		fractionalSecondDigits: 3,
	});
	const parts = new Map(
		format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]),
	);
	const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
	const day = [part('year'), part('month') - 1, part('day')] as const;
	const seconds = [part('second'), part('fractionalSecond')] as const;
	return Date.UTC(...day, part('hour'), part('minute'), ...seconds);
};

const instantOf = (wallClockMs: number, timeZone: string): number => {
	const offsetAt = (instantMs: number) => wallClock(instantMs, timeZone) - instantMs;
	// The offset is known only once the instant is: the second look is right around clock changes.
	const nearby = wallClockMs - offsetAt(wallClockMs);
	const found = wallClockMs - offsetAt(nearby);
	// A time that the clocks skip is shown by neither: the later one is past the change.
	return wallClock(found, timeZone) === wallClockMs ? found : Math.max(nearby, found);
};

/**
 * The instant of an ISO 8601 date or time in milliseconds; without a zone it counts in `timeZone`, the
 * workflow's own. `undefined` when it is none.
 */
export const parseTime = (text: string, timeZone: string): number | undefined => {
	const { date, time = '00:00', zone } = isoTime.exec(text.trim())?.groups ?? {};
	const asUtc = Date.parse(`${date}T${time}Z`);
	// 2026-02-30 would silently become a day in March.
	if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(date ?? '-'))
		return undefined;
	if (!zone) return instantOf(asUtc, timeZone);
	const instant = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
	// No zone is 25 hours ahead.
	return Number.isNaN(instant) ? undefined : instant;
};
