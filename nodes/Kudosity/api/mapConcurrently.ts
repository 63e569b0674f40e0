/** Enough to fill 15 requests/s while each takes up to 3 s, little enough to stop quickly. */
export const mostInFlight = 50;

/** How a task ended, whichever way. */
export const settle = async <Value>(task: Promise<Value>): Promise<PromiseSettledResult<Value>> => {
	try {
		return { status: 'fulfilled', value: await task };
	} catch (reason) {
		return { status: 'rejected', reason };
	}
};

type Options = {
	mostInFlight: number;
	stopAtFailure: boolean;
	/** Asked before each task: from then on nothing new begins. */
	isOver?: () => boolean;
};

/**
 * Runs `task` on every item, several at a time, and gives back the results in the order of the items.
 * With `stopAtFailure`, nothing new begins after a failure; what has begun is waited for, so that the
 * results say of every task that began how it ended. Tasks that never began have no result.
 */
export const mapConcurrently = async <Item, Value>(
	items: Item[],
	task: (item: Item, index: number) => Promise<Value>,
	{ mostInFlight, stopAtFailure, isOver }: Options,
): Promise<Array<PromiseSettledResult<Value>>> => {
	const results: Array<PromiseSettledResult<Value>> = [];
	const waiting = items.entries();
	let hasFailed = false;

	const work = async () => {
		for (const [index, item] of waiting) {
			if ((hasFailed && stopAtFailure) || isOver?.()) return;
			const result = await settle(task(item, index));
			results[index] = result;
			hasFailed ||= result.status === 'rejected';
		}
	};
	await Promise.all(Array.from({ length: Math.min(mostInFlight, items.length) }, work));
	return results;
};
