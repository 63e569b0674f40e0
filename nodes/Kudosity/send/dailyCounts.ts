import { enter, keyedSemaphore, lruMap, onFailure, settle } from '../lib/async';
import { toLocalDate } from '../lib/time';
import { createUnstoppableClock } from '../n8n/clock';
import type { SendRun } from './attempt';
import { createClaims, createEntryStore } from './claimStore';
import type { Usage } from './executionState';

/** The place that a message has taken in a count. */
export type CountPlace = { count: string; index: number };

/** Counts messages of today. `count` names one of the counts: that of a person, or that of all recipients together. */
export type DailyCounts = {
	/**
	 * Takes a place.
	 *
	 * @returns the place, for `release`; undefined if `count` has reached `max`
	 * @throws the error of n8n's store
	 */
	take(count: string, max: number): Promise<CountPlace | undefined>;
	release(taken: CountPlace): Promise<void>;
	/** @returns how many more fit, or any number from `wanted` on if that many do. @throws the error of n8n's store */
	roomOf(count: string, max: number, wanted: number): Promise<number>;
	/** Must be called before taking and giving back. @returns a function to call afterwards */
	enter(): Promise<() => Promise<void>>;
};

/**
 * Limits how many messages of one node are counted and not answered yet, because a process that is killed leaves them
 * counted.
 */
const unanswered = keyedSemaphore(10);

/**
 * One day's count in n8n's store. The store has an entry for each index up to the limit, and a message claims one of
 * them. The store says whether an entry is there only by adding it, so this process remembers what it has learned.
 */
type Count = {
	/**
	 * The next index to ask for, because lower ones are probably taken. Undefined in a process that has not asked the
	 * store yet.
	 */
	next?: number;
	/** Lower indices that were given back. */
	free: Set<number>;
	/**
	 * Indices that this process is asking for. Several claims of one index that are written together would all get it.
	 */
	asked: Set<number>;
	/** A search in progress. Nobody else asks until it is done. */
	search?: Promise<void>;
};

/**
 * The counts by node, day and name. Those that were used last are kept, which is enough for all recipients of a node in
 * a day.
 */
const counts = lruMap<Count>(10_000);

const range = (from: number, to: number, step = 1): number[] =>
	Array.from(
		{ length: Math.max(0, Math.floor((to - from) / step) + 1) },
		(_, n) => from + n * step,
	);

/** The result of a search: `room` indices are free, and it has claimed these of them. */
type Found = { room: number; indices: number[] };

/**
 * Opens the counts in n8n's store, because each turn of an agent is an execution of its own. Every message claims an
 * entry, the way a Deduplication Key is claimed.
 */
export function openSharedCounts({ context, operation }: SendRun): DailyCounts {
	// Counts are given back even after the user has stopped the run.
	const clock = createUnstoppableClock();
	const claims = createClaims({ store: createEntryStore(context, 'node'), clock });
	const node = `${context.getWorkflow().id}:${context.getNode().id}`;
	/** The limits that this run has found reached. */
	const reached = new Map<string, number>();

	/** Resolves when the places that this run claimed and did not need are given back. */
	let givenBack: Promise<void> | undefined;

	/** The name of a count today. The date is read each time, because a run can last past midnight. */
	const nameOf = (count: string) =>
		`kudosity:day:${toLocalDate(clock.calendarNow(), context.getTimezone())}:${count}`;
	const stateOf = (count: string): Count => {
		const name = `${node}:${count}`;
		const state = counts.get(name) ?? { free: new Set(), asked: new Set() };
		counts.set(name, state);
		return state;
	};

	const release = async ({ count, index }: CountPlace): Promise<void> => {
		// An entry that cannot be released stays counted, because one message too few is better than one too many.
		if ((await settle(claims.release(`${count}:${index}`))).status === 'rejected') return;
		const { free, next = 1 } = stateOf(count);
		if (index < next) free.add(index);
		reached.delete(count);
	};
	const releaseAll = async (count: string, indices: number[]): Promise<void> =>
		void (await Promise.all(indices.map(async (index) => await release({ count, index }))));

	/** Asks for entries in one claim. @returns those that were free and are now taken */
	const ask = async (count: string, wanted: number[]): Promise<number[]> => {
		const { asked, free } = stateOf(count);
		const indices = wanted.filter((index) => !asked.has(index));
		for (const index of indices) {
			asked.add(index);
			free.delete(index);
		}
		const claimed = await Promise.allSettled(
			indices.map(async (index) => await claims.claim(`${count}:${index}`)),
		);
		for (const index of indices) asked.delete(index);
		const got = indices.filter((_, place) => {
			const result = claimed[place];
			return result?.status === 'fulfilled' && result.value;
		});
		const failed = claimed.find((result) => result.status === 'rejected');
		if (!failed) return got;
		await releaseAll(count, got);
		throw failed.reason;
	};

	/** Asks for every index. Usually, few of them are free: those that another process gave back after refusals. */
	const findGaps = async (count: string, max: number): Promise<Found> => {
		const indices = await ask(count, range(1, max));
		stateOf(count).next = max + 1;
		if (indices.length === 0) reached.set(count, max);
		return { room: indices.length, indices };
	};

	/**
	 * Looks for the first free index in at most three claims: for the next one alone, because usually it is free; then
	 * for every n-th one; and then for those between the last that is taken and the first that is free. If none of
	 * these is free, only gaps are left.
	 */
	const find = async (count: string, max: number): Promise<Found> => {
		const state = stateOf(count);
		const { next = 1 } = state;
		const roomFrom = (index: number) =>
			max - index + 1 + [...state.free].filter((each) => each <= max).length;
		const alone = next > max ? [] : await ask(count, [next]);
		if (alone.length > 0) {
			state.next = next + 1;
			return { room: roomFrom(next), indices: alone };
		}
		const step = Math.ceil(Math.sqrt(Math.max(0, max - next)));
		const points = next < max ? [...range(next + step, max - 1, step), max] : [];
		const apart = await ask(count, points);
		const [first] = apart;
		if (first === undefined) return await findGaps(count, max);
		const before = Math.max(next, ...points.filter((point) => point < first));
		const between = await onFailure(
			ask(count, range(before + 1, first - 1)),
			async () => await releaseAll(count, apart),
		);
		const [lowest = first] = between;
		state.next = lowest + 1;
		return { room: roomFrom(lowest), indices: [...between, ...apart] };
	};

	/**
	 * Returns the result of a search. Its places beyond `wanted` are given back, and everybody else waits until then.
	 */
	const search = async (count: string, found: Promise<Found>, wanted: number): Promise<Found> => {
		const state = stateOf(count);
		state.search = givenBack = found
			.then(async ({ indices }) => await releaseAll(count, indices.slice(wanted)))
			.catch(() => undefined)
			.finally(() => delete state.search);
		return await found;
	};

	const take = async (count: string, max: number): Promise<CountPlace | undefined> => {
		const state = stateOf(count);
		for (;;) {
			while (state.search) await state.search;
			if (max <= (reached.get(count) ?? 0)) return undefined;
			let index = [...state.free].find((each) => each <= max);
			if (index === undefined && state.next !== undefined && state.next <= max)
				index = state.next++;
			if (index !== undefined) {
				if ((await ask(count, [index])).length > 0) return { count, index };
				if (state.search) continue;
			}
			const { indices } = await search(count, find(count, max), 1);
			return indices[0] === undefined ? undefined : { count, index: indices[0] };
		}
	};

	/** Counts the free places. It looks for gaps before it returns too few. */
	const roomOf = async (count: string, max: number, wanted: number): Promise<number> => {
		const state = stateOf(count);
		while (state.search) await state.search;
		const { room } = await search(count, find(count, max), 0);
		if (room >= wanted) return room;
		while (state.search) await state.search;
		return (await search(count, findGaps(count, max), 0)).room;
	};
	return {
		take: async (count, max) => await take(nameOf(count), max),
		release,
		roomOf: async (count, max, wanted) => await roomOf(nameOf(count), max, wanted),
		enter: async () =>
			await enter(
				async (task) =>
					await claims.during(async () => {
						// All items of a batch stay counted until its requests are answered, so their number is not
						// limited here.
						await (operation.batch ? task() : unanswered.run(node, task));
						await givenBack;
					}),
			),
	};
}

/** Opens the counts of a dry run. They start at zero, because asking n8n's store for an entry would take it. */
export function openDryCounts(_: SendRun, { perDay }: Usage): DailyCounts {
	const roomOf = (count: string, max: number) => max - (perDay.get(count) ?? 0);
	return {
		take: async (count, max) => {
			if (roomOf(count, max) <= 0) return undefined;
			const index = (perDay.get(count) ?? 0) + 1;
			perDay.set(count, index);
			return { count, index };
		},
		release: async ({ count }) => void perDay.set(count, (perDay.get(count) ?? 1) - 1),
		roomOf: async (count, max) => roomOf(count, max),
		enter: async () => async () => undefined,
	};
}
