import type { Clock } from '../api/clock';

/** Nobody notices a pause as short as this; shorter ones would cost more than they give. */
const longestAtOnceMs = 15;

/** Waits now and then, so that everything else in n8n gets its turn; most calls have nothing to wait for. */
export type Breathe = () => Promise<void> | undefined;

/**
 * n8n has one thread for all workflows: whoever works through thousands of items in one go keeps webhooks
 * and other executions waiting. One for each run; all that the run does at a time share it.
 * What it returns rejects with CancelledError when the user stops the run.
 */
export const createBreather = (clock: Pick<Clock, 'now' | 'sleep'>): Breathe => {
	let begunMs = clock.now();
	let pause: Promise<void> | undefined;
	const rest = async () => {
		try {
			await clock.sleep(0);
		} finally {
			begunMs = clock.now();
			pause = undefined;
		}
	};
	return () => {
		if (!pause && clock.now() - begunMs > longestAtOnceMs) pause = rest();
		return pause;
	};
};

/** Like `map`, with pauses in between. */
export const mapInSlices = async <Item, Value>(
	items: Item[],
	task: (item: Item, index: number) => Value,
	breathe: Breathe,
): Promise<Value[]> => {
	const values: Value[] = [];
	for (const [index, item] of items.entries()) {
		const pause = breathe();
		if (pause) await pause;
		values.push(task(item, index));
	}
	return values;
};
