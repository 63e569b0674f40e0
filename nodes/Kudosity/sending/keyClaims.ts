import { randomUUID } from 'crypto';
import type { Clock } from '../api/clock';
import { newestMap } from '../api/newestMap';

/**
 * A set of texts that several processes share, each by reading all of it and writing all of it back.
 * The calls of one process take effect in the order in which they are made.
 */
export type EntryStore = {
	/** Adds the entries and says which of them were not there. */
	record(entries: string[]): Promise<Set<string>>;
	remove(entries: string[]): Promise<void>;
};

type Claims = {
	store: EntryStore;
	clock: Pick<Clock, 'now' | 'sleep'>;
	/** A text that no other claim has; n8n's store has others' entries as well. */
	createToken?: () => string;
};

/** A write that began before a claim can still undo it; later than this, none is left. */
const shortestSettleMs = 200;
/** A store that takes long to answer also takes long to write. */
const settleFactor = 10;
/** Entries that wait for the store go together: fewer writes, fewer collisions. */
const gatherMs = 50;
const mostTries = 10;
/** The store has room for 10,000 entries: after the claims of so many keys, it is tidied up. */
const mostUntidied = 100;
/** What other processes undo was written a moment before: older keys are safe. */
const mostWatched = 1000;

/** `entriesOf` is asked when they are written: whatever comes until then can join. */
type Record = (entriesOf: () => string[]) => Promise<Set<string>>;

const inBatches = ({ store, clock }: Claims): Record => {
	let waiting: Array<() => string[]> = [];
	let last: Promise<unknown> = Promise.resolve();
	let next: Promise<Set<string>> | undefined;
	const write = async () => {
		await clock.sleep(gatherMs);
		const entries = waiting.flatMap((entriesOf) => entriesOf());
		waiting = [];
		next = undefined;
		return await store.record(entries);
	};
	return async (entriesOf) => {
		waiting.push(entriesOf);
		if (!next) last = next = last.then(write, write);
		return await next;
	};
};

/**
 * Tokens that have done their work, taken away many at a time. Each is taken away twice, since a write of
 * another process can bring it back.
 */
const createSpentTokens = (store: EntryStore) => {
	let former: string[] = [];
	let spent: string[] = [];
	let keys = 0;
	return {
		add: (token: string, keysClaimed: number) => {
			spent.push(token);
			keys += keysClaimed;
		},
		areMany: () => keys >= mostUntidied,
		remove: async () => {
			const tokens = [...former, ...spent];
			former = spent;
			spent = [];
			keys = 0;
			if (tokens.length > 0) await store.remove(tokens);
		},
	};
};

/**
 * Keys of which each is given to one process only, on a store that has no locks. Two processes that write at
 * the same moment undo each other: the last one wins. So a claim writes a token of its own beside its keys,
 * waits until all such writes are done, and counts only when its token is then still there. Keys that are asked
 * for together are one claim, so that thousands of them take the room of one token.
 * This holds as long as a write takes less than 200 ms, or than ten times what the claim's own one took.
 */
export const createKeyClaims = (options: Claims) => {
	const { store, clock, createToken = () => `kudosity:claim:${randomUUID()}` } = options;
	const record = inBatches(options);
	/** The newest keys that a run has taken, which another process's write may have undone. */
	const watched = newestMap<true>(mostWatched);
	const tokens = createSpentTokens(store);
	let inUse = 0;

	/** Waits until no write is left that another process may have begun before ours. */
	const settle = async (startedMs: number) => {
		const tookMs = clock.now() - startedMs - gatherMs;
		await clock.sleep(Math.max(shortestSettleMs, settleFactor * tookMs));
	};

	/** @returns those of the keys that were free and are now taken */
	const claimWith = async (token: string, keysOf: () => string[]): Promise<Set<string>> => {
		const ours = new Set<string>();
		let undecided: string[] | undefined;
		let failure: unknown = new Error('The store is too busy');
		for (let tries = 0; tries < mostTries; tries++) {
			const startedMs = clock.now();
			const entriesOf = () => [...(undecided ??= keysOf()), token];
			const added = await record(entriesOf).catch((error: unknown) => {
				// Two processes that create the store's row at once: one of them fails.
				failure = error;
			});
			if (added && undecided) {
				const decided = undecided.filter((key) => !added.has(key));
				if (!added.has(token)) for (const key of decided) ours.add(key);
				undecided = undecided.filter((key) => added.has(key));
				if (undecided.length === 0) return ours;
			}
			await settle(startedMs);
		}
		throw failure;
	};

	/** The claim that other keys can still join. */
	let open: { keys: string[]; ours: Promise<Set<string>> } | undefined;
	const begin = () => {
		const keys: string[] = [];
		const token = createToken();
		const keysOf = () => {
			open = undefined;
			return keys;
		};
		const ours = claimWith(token, keysOf).finally(() => tokens.add(token, keys.length));
		return { keys, ours };
	};

	/** Puts back what other processes undid, and makes room. A key that is released now is removed after this. */
	const tidy = async () => {
		const keys = watched.names();
		await Promise.all([keys.length > 0 ? store.record(keys) : undefined, tokens.remove()]);
	};

	/** Puts back what other processes undid meanwhile, and takes the tokens away that are left. */
	const finish = async (): Promise<void> => {
		const keys = watched.names();
		watched.clear();
		for (let tries = 0; keys.length > 0 && tries < mostTries; tries++) {
			const startedMs = clock.now();
			if ((await record(() => keys)).size === 0) break;
			await settle(startedMs);
		}
		await tokens.remove();
	};

	return {
		/**
		 * @returns whether the key was free and is now taken
		 * @throws the store's error, or Error when others write all the time
		 */
		claim: async (key: string): Promise<boolean> => {
			open ??= begin();
			const { keys, ours } = open;
			keys.push(key);
			const isOurs = (await ours).has(key);
			if (isOurs) watched.set(key, true);
			// What this fails to tidy up costs room in the store; the claim counts all the same.
			if (tokens.areMany()) await tidy().catch(() => undefined);
			return isOurs;
		},

		release: async (key: string): Promise<void> => {
			watched.delete(key);
			await store.remove([key]);
		},

		/** Around everything that claims and releases. After the last one it finishes. */
		during: async <Value>(task: () => Promise<Value>): Promise<Value> => {
			inUse++;
			return await task().finally(async () => {
				// What this fails to tidy up costs room in the store; the task counts all the same.
				if (--inUse === 0) await finish().catch(() => undefined);
			});
		},
		finish,
	};
};
