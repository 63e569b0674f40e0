import { enter, keyedSemaphore, lruMap, onFailure, settle } from '../lib/async';
import { toLocalDate } from '../lib/time';
import { createUnstoppableClock } from '../n8n/clock';
import type { SendRun } from './attempt';
import { createClaims, createEntryStore } from './claimStore';
import type { Usage } from './executionState';

/** A slot that a message has claimed in a count. A count with a limit of 50 has 50 slots, numbered from 1. */
export type CountPlace = { count: string; index: number };

/**
 * Counts today's messages for the daily limits. Each message claims a slot in a count. The parameter `count` is the
 * name of a count: a person's number (see `personOf`), or `everybody` for Max per Day.
 */
export type DailyCounts = {
	/**
	 * Claims a slot.
	 *
	 * @returns the slot, to pass to `release`, or undefined if `count` has reached `max`
	 * @throws the error of n8n's store
	 */
	take(count: string, max: number): Promise<CountPlace | undefined>;
	release(taken: CountPlace): Promise<void>;
	/**
	 * @returns how many more messages fit. If at least `wanted` fit, the number isn't exact
	 * @throws the error of n8n's store
	 */
	roomOf(count: string, max: number, wanted: number): Promise<number>;
	/** Must be called before slots are claimed or released. @returns a function to call afterward */
	enter(): Promise<() => Promise<void>>;
};

/**
 * Limits how many of a node's messages count toward the daily limits while they still have no response. If the process
 * is killed, these messages stay counted, even if they were never sent.
 */
const unanswered = keyedSemaphore(10);

/**
 * One count on one day, as this process knows it. Each slot is an entry in n8n's store, with an index from 1 to the
 * limit. The only way to find out whether an entry exists is to add it, so this process remembers what it has learned.
 */
type Count = {
	/** The next index to claim. Lower ones are probably taken. Undefined until this process has asked the store. */
	next?: number;
	/** Indices below `next` that were released. */
	free: Set<number>;
	/**
	 * Slot indices that this process is claiming right now. They must not be requested again: if the same index were in
	 * one write twice, both requests would get the slot.
	 */
	asked: Set<number>;
	/** A search in progress. Other callers wait until it is done. */
	search?: Promise<void>;
};

/**
 * The cached counts, keyed by node, day and the name of the count. Only the most recently used ones are kept, which is
 * enough for all of a node's recipients in a day.
 */
const counts = lruMap<Count>(10_000);

const range = (from: number, to: number, step = 1): number[] =>
	Array.from(
		{ length: Math.max(0, Math.floor((to - from) / step) + 1) },
		(_, n) => from + n * step,
	);

/** The result of a search: `room` is the number of free indices, including `indices`, which the search has claimed. */
type Found = { room: number; indices: number[] };

/**
 * Opens the counts in n8n's store. Memory isn't enough, because each turn of an agent is a separate execution. Each
 * message claims an entry in the same way as a Deduplication Key.
 */
export function openSharedCounts({ context, operation }: SendRun): DailyCounts {
	// Slots are released even after the user has stopped the run.
	const clock = createUnstoppableClock();
	const claims = createClaims({ store: createEntryStore(context, 'node'), clock });
	const node = `${context.getWorkflow().id}:${context.getNode().id}`;
	/** The counts that this run has found full, with the limit that they reached. */
	const reached = new Map<string, number>();

	/** Resolves when the slots that a search claimed but this run doesn't need are released. */
	let givenBack: Promise<void> | undefined;

	/** Returns the name of a count for today. The date is read each time, because a run can last past midnight. */
	const nameOf = (count: string) =>
		`kudosity:day:${toLocalDate(clock.calendarNow(), context.getTimezone())}:${count}`;
	const stateOf = (count: string): Count => {
		const name = `${node}:${count}`;
		const state = counts.get(name) ?? { free: new Set(), asked: new Set() };
		counts.set(name, state);
		return state;
	};

	const release = async ({ count, index }: CountPlace): Promise<void> => {
		// If an entry can't be released, it remains counted: it is better to send one message too few than one too
		// many.
		if ((await settle(claims.release(`${count}:${index}`))).status === 'rejected') return;
		const { free, next = 1 } = stateOf(count);
		if (index < next) free.add(index);
		reached.delete(count);
	};
	const releaseAll = async (count: string, indices: number[]): Promise<void> =>
		void (await Promise.all(indices.map(async (index) => await release({ count, index }))));

	/** Requests several entries in one claim. @returns the indices that were free and now belong to this run */
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

	/**
	 * Tries to claim every index. Usually, only a few are free: those that another process released after Kudosity had
	 * rejected its messages.
	 */
	const findGaps = async (count: string, max: number): Promise<Found> => {
		const indices = await ask(count, range(1, max));
		stateOf(count).next = max + 1;
		if (indices.length === 0) reached.set(count, max);
		return { room: indices.length, indices };
	};

	/**
	 * Finds the first free index with at most three claims. The first claim tries only the next index, because it is
	 * usually free. The second tries every n-th index, to find out roughly where the free ones begin. The third tries
	 * all indices between the last taken and the first free one. If the second claim finds no free index, only gaps
	 * between taken indices can be left, which `findGaps` looks for.
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
	 * Returns the result of a search. Slots beyond `wanted` are released, and other callers wait until that is done.
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

	/**
	 * Counts the free slots after the last taken one, and those that this process released. If they are fewer than
	 * `wanted`, tries every slot, to find the gaps between taken ones as well.
	 */
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
						// A batch counts all its items before it makes its requests. If only ten messages could be
						// counted at a time (see `unanswered`), a larger batch would wait forever.
						await (operation.batch ? task() : unanswered.run(node, task));
						await givenBack;
					}),
			),
	};
}

/** Opens the counts of a dry run. They start at zero, because asking n8n's store about an entry would claim it. */
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
