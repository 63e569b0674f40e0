/** Time as code that waits sees it. Both waits reject with CancelledError as soon as the user stops the run. */
export type Clock = {
	/** Milliseconds that pass, never back: for waits and durations. */
	now(): number;
	/** Milliseconds since the epoch by the calendar, which may be set back: for dates. */
	calendarNow(): number;
	sleep(ms: number): Promise<void>;
	unlessCancelled<Value>(promise: Promise<Value>): Promise<Value>;
	/** A number from 0 to 1 that nobody can guess: keeps clients that failed together apart. */
	random(): number;
};

/** Creates a value when it is first needed. */
export const lazy = <Value>(create: () => Value): (() => Value) => {
	let created: { value: Value } | undefined;
	return () => (created ??= { value: create() }).value;
};

/**
 * Does what has the same name once for all who ask for it, also at the same time. A failure is not remembered:
 * whoever asks next tries again.
 */
export const memoizeAsync = () => {
	const results = new Map<string, Promise<unknown>>();
	return async <Value>(name: string, task: () => Promise<Value>): Promise<Value> => {
		const begin = async () =>
			await task().catch((error: unknown) => {
				results.delete(name);
				throw error;
			});
		const result = results.get(name) ?? begin();
		results.set(name, result);
		return (await result) as Value;
	};
};

/** A map that keeps so many of its newest entries; one that is set again is new. */
export const lruMap = <Value>(max: number) => {
	const entries = new Map<string, Value>();
	return {
		get: (name: string) => entries.get(name),
		set: (name: string, value: Value): void => {
			entries.delete(name);
			entries.set(name, value);
			const [oldest] = entries.keys();
			if (entries.size > max && oldest !== undefined) entries.delete(oldest);
		},
		delete: (name: string): void => void entries.delete(name),
		clear: () => entries.clear(),
		names: () => [...entries.keys()],
	};
};

/** Enough to fill 15 requests/s while each takes up to 3 s, little enough to stop quickly. */
export const maxInFlight = 50;

/** How a task ended, whichever way. */
export const settle = async <Value>(task: Promise<Value>): Promise<PromiseSettledResult<Value>> => {
	try {
		return { status: 'fulfilled', value: await task };
	} catch (reason) {
		return { status: 'rejected', reason };
	}
};

/** The same of what takes no time. */
export const settleNow = <Value>(task: () => Value): PromiseSettledResult<Value> => {
	try {
		return { status: 'fulfilled', value: task() };
	} catch (reason) {
		return { status: 'rejected', reason };
	}
};

type Options = {
	maxInFlight: number;
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
	{ maxInFlight: maxInFlight, stopAtFailure, isOver }: Options,
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
	await Promise.all(Array.from({ length: Math.min(maxInFlight, items.length) }, work));
	return results;
};

type Queue = { free: number; waiting: Array<() => void> };

/**
 * Of the tasks of one name, lets so many run at once; the others wait for their turn, first come first
 * served. Different names do not wait for each other, and a name is forgotten once its tasks are done.
 */
export const keyedSemaphore = (permits: number) => {
	const queues = new Map<string, Queue>();

	const acquire = async (queue: Queue) => {
		if (queue.free > 0) queue.free--;
		else await new Promise<void>((go) => queue.waiting.push(go));
	};
	const release = (name: string, queue: Queue) => {
		const next = queue.waiting.shift();
		if (next) next();
		else if (++queue.free === permits) queues.delete(name);
	};
	const run = async <Value>(name: string, task: () => Promise<Value>): Promise<Value> => {
		const queue = queues.get(name) ?? { free: permits, waiting: [] };
		queues.set(name, queue);
		await acquire(queue);
		return await task().finally(() => release(name, queue));
	};
	return {
		run,
		/** Names that have a task now. */
		names: () => [...queues.keys()],
		/** The same, for what may wait long: whoever is stopped before its turn does not wait for it. */
		runUnlessCancelled: async <Value>(
			clock: Clock,
			name: string,
			task: () => Promise<Value>,
		): Promise<Value> => {
			let begin = () => {};
			const begun = new Promise<void>((resolve) => (begin = resolve));
			const result = run(name, async () => {
				begin();
				return await task();
			});
			// Of one that was stopped before its turn, nobody awaits what its task says then.
			result.catch(() => undefined);
			await clock.unlessCancelled(begun);
			return await result;
		},
	};
};
