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

/** An instant as the older API writes and reads it: `2026-01-31 09:00:00`, in UTC. */
export const toV1Time = (instantMs: number): string =>
	new Date(instantMs).toISOString().slice(0, 19).replace('T', ' ');

/** Date, time, up to nine fractional digits, and an offset that may be missing. */
const iso8601 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|z|[+-]\d\d:?\d\d)?$/;

const normalOffset = (offset: string | undefined): string =>
	offset === undefined || /^z$/i.test(offset) ? 'Z' : offset.replace(/(\d\d)(\d\d)$/, '$1:$2');

/** The form of the service's own times, which `Date.parse` reads as they stand. */
const plainUtc = /^\d{4}-\d\d-\d\dT(?!24)\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

const epochMsOf = (text: string): number => {
	if (plainUtc.test(text)) return Date.parse(text);
	const parts = iso8601.exec(text.trim());
	if (!parts) return NaN;
	const [, date, time, fraction = '', offset] = parts;
	const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
	return Date.parse(`${date}T${time}.${milliseconds}${normalOffset(offset)}`);
};

/**
 * The service's time as ISO 8601 in UTC with milliseconds. Its times are UTC, so that is assumed where no
 * offset is given. Text that is no time stays as it is.
 */
export const toIsoTimestamp = (text: string): string => {
	const epochMs = epochMsOf(text);
	return Number.isNaN(epochMs) ? text : new Date(epochMs).toISOString();
};

const dayMs = 24 * 60 * 60 * 1000;

/** Two expressions of an item are evaluated a moment apart. */
const momentMs = 1_000;

type Period = {
	start: number;
	end: number;
	mostDays: number;
	/** The workflow's, in which people count days. */
	timeZone: string;
	/** So much longer is as good as right. */
	slackMs?: number;
};

/**
 * When a period of at most so many days begins; times in milliseconds since the epoch. From
 * `$now.minus({ days: 30 })` until `$now` it is a little longer, and an hour longer where the clocks went back
 * meanwhile: then it begins that much later.
 *
 * @returns undefined for a period that is longer than that
 */
export const clampStart = ({
	start,
	end,
	mostDays,
	timeZone,
	slackMs = momentMs,
}: Period): number | undefined => {
	const earliest = end - mostDays * dayMs;
	if (start >= earliest) return start;
	const shown = (instantMs: number) => wallClock(instantMs, timeZone);
	const shownMs = shown(end) - shown(start);
	const overMs = Math.min(end - start, shownMs) - mostDays * dayMs;
	return overMs < slackMs ? earliest : undefined;
};
