import type { BulkInput } from './combine';

/** Two evaluations of `$now` agree with the clock to less than this; the service knows whole seconds only. */
const momentMs = 500;

/** Of so many different times, each is found again. */
const mostKnown = 100;

/** A time, and how long it was until then when it was evaluated. */
type Known = { time: number; aheadMs: number };

/**
 * Gives items that are sent at the same time the very same one, to be called for the items of a run in their order:
 * n8n evaluates `$now.plus({ hours: 1 })` for each item anew, and then none would go out together. So times are the
 * same that are as far ahead, each seen from when it was evaluated.
 */
export const steadyTimes = (now: () => number = Date.now) => {
	const known: Known[] = [];
	const steady = (time: number): number => {
		const aheadMs = time - now();
		const same = known.find(
			(each) =>
				Math.abs(each.time - time) < momentMs || Math.abs(each.aheadMs - aheadMs) < momentMs,
		);
		if (same) return same.time;
		known.unshift({ time, aheadMs });
		known.splice(mostKnown);
		return time;
	};
	return <Input extends BulkInput>(input: Input): Input => {
		const { sendAt } = input.options;
		if (typeof sendAt !== 'number') return input;
		return { ...input, options: { ...input.options, sendAt: steady(sendAt) } };
	};
};
