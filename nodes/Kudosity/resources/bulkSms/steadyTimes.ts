import type { BulkInput } from './combine';

/** Two times nearer than this are one that was evaluated twice; the service knows whole seconds only. */
const momentMs = 1_000;

/** Of so many different times, each is found again. */
const mostKnown = 100;

type Known = {
	/** As the newest item has it. */
	latest: number;
	/** As the first item had it, which is the one for all of them. */
	first: number;
};

/**
 * Gives items that are sent at the same time the very same one, to be called for the items of a run in their order:
 * n8n evaluates `$now.plus({ hours: 1 })` for each item anew, and then none would go out together.
 */
export const steadyTimes = () => {
	const known: Known[] = [];
	const steady = (time: number): number => {
		const same = known.find(({ latest }) => Math.abs(time - latest) < momentMs);
		if (same) {
			same.latest = time;
			return same.first;
		}
		known.unshift({ latest: time, first: time });
		known.splice(mostKnown);
		return time;
	};
	return <Input extends BulkInput>(input: Input): Input => {
		const { sendAt } = input.options;
		if (typeof sendAt !== 'number') return input;
		return { ...input, options: { ...input.options, sendAt: steady(sendAt) } };
	};
};
