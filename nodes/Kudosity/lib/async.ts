/**
 * The time source for code that waits. `sleep` and `unlessCancelled` reject with CancelledError once the user stops the
 * run.
 */
export type Clock = {
	/** Monotonic milliseconds, for waits and durations. */
	now(): number;
	/** Wall-clock time in milliseconds since the epoch, for dates. It can jump backward. */
	calendarNow(): number;
	sleep(ms: number): Promise<void>;
	unlessCancelled<Value>(promise: Promise<Value>): Promise<Value>;
	/** An unpredictable number from 0 to 1, used as jitter so clients that failed together don't retry together. */
	random(): number;
};

/** @throws CancelledError - the user has stopped the run */
export async function throwIfCancelled({ unlessCancelled }: Clock): Promise<void> {
	await unlessCancelled(Promise.resolve());
}

export function lazy<Value>(create: () => Value): () => Value {
	let created: { value: Value } | undefined;
	return () => (created ??= { value: create() }).value;
}

/** Runs a task at most once. Later calls return the same value, or throw the same error. */
export function once<Value>(task: () => Value): () => Value {
	const result = lazy(() => settleNow(task));
	return () => {
		const ended = result();
		if (ended.status === 'rejected') throw ended.reason;
		return ended.value;
	};
}

/** Caches the last call, for values that rarely differ between items. */
export function memoizeLast<Args extends unknown[], Value>(task: (...args: Args) => Value) {
	let last: { args: Args; value: Value } | undefined;
	return (...args: Args): Value => {
		const isSame = last?.args.every((each, index) => each === args[index]);
		if (!last || !isSame) last = { args, value: task(...args) };
		return last.value;
	};
}

/** Handles a task's failure before it is passed on, e.g. to undo something that was done for the task. */
export async function onFailure<Value>(
	task: Promise<Value>,
	handle: (error: unknown) => unknown,
): Promise<Value> {
	return await task.catch(async (error: unknown) => {
		await handle(error);
		throw error;
	});
}

/**
 * Creates a function that runs a task once per name and caches the result, which concurrent callers share. Failures are
 * not cached.
 */
export function memoizeAsync() {
	const results = new Map<string, Promise<unknown>>();
	return async <Value>(name: string, task: () => Promise<Value>): Promise<Value> => {
		const result = results.get(name) ?? onFailure(task(), () => results.delete(name));
		results.set(name, result);
		return (await result) as Value;
	};
}

export async function toArray<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
	const array: Value[] = [];
	for await (const value of values) array.push(value);
	return array;
}

/** A map that keeps only the `max` most recently set entries. Reading an entry doesn't make it more recent. */
export function lruMap<Value>(max: number) {
	const entries = new Map<string, Value>();
	const set = (name: string, value: Value): void => {
		entries.delete(name);
		entries.set(name, value);
		const [oldest] = entries.keys();
		if (entries.size > max && oldest !== undefined) entries.delete(oldest);
	};
	return {
		get: (name: string) => entries.get(name),
		set,
		/** Sets an entry unless it exists. @returns whether the entry was added */
		add: (name: string, value: Value): boolean => {
			if (entries.has(name)) return false;
			set(name, value);
			return true;
		},
		delete: (name: string): void => void entries.delete(name),
		clear: () => entries.clear(),
		names: () => [...entries.keys()],
		values: () => [...entries.values()],
	};
}

/**
 * How many requests run at a time. This is enough for 15 requests per second if each takes up to 3 s, but few enough to
 * stop quickly.
 */
export const maxInFlight = 50;

/** `Promise.allSettled` for one promise. */
export async function settle<Value>(task: Promise<Value>): Promise<PromiseSettledResult<Value>> {
	try {
		return { status: 'fulfilled', value: await task };
	} catch (reason) {
		return { status: 'rejected', reason };
	}
}

/** `settle` for a synchronous task. */
export function settleNow<Value>(task: () => Value): PromiseSettledResult<Value> {
	try {
		return { status: 'fulfilled', value: task() };
	} catch (reason) {
		return { status: 'rejected', reason };
	}
}

type Options = {
	maxInFlight: number;
	/**
	 * Called before each task. Once it returns true, no more tasks start. By default, no more tasks start after one has
	 * failed.
	 */
	isOver?: (hasFailed: boolean) => boolean;
};

/**
 * Runs a task for each item and returns the results in the order of the items. Tasks that are running when another one
 * fails are awaited. Tasks that never started have no result.
 */
export async function mapConcurrently<Item, Value>(
	items: Item[],
	task: (item: Item, index: number) => Promise<Value>,
	{ maxInFlight, isOver = (hasFailed) => hasFailed }: Options,
): Promise<Array<PromiseSettledResult<Value>>> {
	const results: Array<PromiseSettledResult<Value>> = [];
	const waiting = items.entries();
	let hasFailed = false;

	const work = async () => {
		for (const [index, item] of waiting) {
			if (isOver(hasFailed)) return;
			const result = await settle(task(item, index));
			results[index] = result;
			hasFailed ||= result.status === 'rejected';
		}
	};
	await Promise.all(Array.from({ length: Math.min(maxInFlight, items.length) }, work));
	return results;
}

type Queue = { free: number; waiting: Array<() => void> };

/**
 * Limits how many tasks with the same name run at a time; the others wait in a queue. A name's queue is removed once
 * all its tasks are done.
 */
export function keyedSemaphore(permits: number) {
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
		/** Like `run`, but rejects immediately if the execution is stopped while the task is queued. */
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
			// If the execution is stopped while the task is queued, nothing awaits the result anymore.
			result.catch(() => undefined);
			await clock.unlessCancelled(begun);
			return await result;
		},
	};
}

/**
 * Splits a function that runs a task in a scope (e.g. while holding a lock) into separate calls to enter and leave that
 * scope. Resolves once the scope has been entered, e.g. the lock is held.
 *
 * @returns a function that leaves the scope, and resolves once `within` is done
 * @throws any error that `within` throws before it runs the task
 */
export async function enter(
	within: (task: () => Promise<void>) => Promise<unknown>,
): Promise<() => Promise<void>> {
	return await new Promise((enterNow, fail) => {
		let leave = () => {};
		const left = new Promise<void>((resolve) => (leave = resolve));
		const outside = within(async () => {
			enterNow(async () => {
				leave();
				await outside;
			});
			await left;
		});
		outside.catch(fail);
	});
}
