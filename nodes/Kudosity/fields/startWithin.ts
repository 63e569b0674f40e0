import { wallClock } from '../api/localTime';

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
export const startWithin = ({
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
