const dayMs = 24 * 60 * 60 * 1000;

/** Two expressions of an item are evaluated a moment apart. */
const momentMs = 1_000;

type Period = {
	start: number;
	end: number;
	mostDays: number;
	/** So much longer is as good as right. */
	slackMs?: number;
};

/**
 * When a period of at most so many days begins; times in milliseconds since the epoch. From
 * `$now.minus({ days: 30 })` until `$now` it is a little longer: then it begins that little later.
 *
 * @returns undefined for a period that is longer than that
 */
export const startWithin = ({
	start,
	end,
	mostDays,
	slackMs = momentMs,
}: Period): number | undefined => {
	const earliest = end - mostDays * dayMs;
	if (start >= earliest) return start;
	return earliest - start < slackMs ? earliest : undefined;
};
