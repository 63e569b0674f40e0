import type { Clock } from '../api/clock';

/** A set of texts that several processes share, each by reading all of it and writing all of it back. */
export type EntryStore = {
	/** Adds the entries and says which of them were not there. */
	record(entries: string[]): Promise<Set<string>>;
	remove(entries: string[]): Promise<void>;
};

type Claims = {
	store: EntryStore;
	clock: Pick<Clock, 'now' | 'sleep'>;
	/** A text that no other claim has. */
	createToken: () => string;
};

/** A write that began before a claim can still undo it; later than this, none is left. */
const shortestSettleMs = 200;
/** A store that takes long to answer also takes long to write. */
const settleFactor = 10;
/** Entries that wait for the store go together: fewer writes, fewer collisions. */
const gatherMs = 50;
const mostTries = 10;

const inBatches = ({ store, clock }: Claims): EntryStore['record'] => {
	let waiting: string[] = [];
	let last: Promise<unknown> = Promise.resolve();
	let next: Promise<Set<string>> | undefined;
	const write = async () => {
		await clock.sleep(gatherMs);
		const entries = waiting;
		waiting = [];
		next = undefined;
		return await store.record(entries);
	};
	return async (entries) => {
		waiting.push(...entries);
		if (!next) last = next = last.then(write, write);
		return await next;
	};
};

/**
 * Keys of which each is given to one process only, on a store that has no locks. Two processes that write at
 * the same moment undo each other: the last one wins. So a claim writes a token of its own beside its key,
 * waits until all such writes are done, and counts only when its token is then still there.
 * This holds as long as a write takes less than 200 ms, or than ten times what the claim's own one took.
 */
export const createKeyClaims = (options: Claims) => {
	const { store, clock, createToken } = options;
	const record = inBatches(options);
	const held = new Set<string>();
	const tokens = new Set<string>();

	/** Waits until no write is left that another process may have begun before ours. */
	const settle = async (startedMs: number) => {
		const tookMs = clock.now() - startedMs - gatherMs;
		await clock.sleep(Math.max(shortestSettleMs, settleFactor * tookMs));
	};

	return {
		/**
		 * @returns whether the key was free and is now taken
		 * @throws the store's error, or Error when others write all the time
		 */
		claim: async (key: string): Promise<boolean> => {
			const token = createToken();
			tokens.add(token);
			let failure: unknown = new Error('The store is too busy');
			for (let tries = 0; tries < mostTries; tries++) {
				const startedMs = clock.now();
				const added = await record([key, token]).catch((error: unknown) => {
					// Two processes that create the store's row at once: one of them fails.
					failure = error;
				});
				if (added && !added.has(key)) {
					const isOurs = !added.has(token);
					if (isOurs) held.add(key);
					return isOurs;
				}
				await settle(startedMs);
			}
			throw failure;
		},

		release: async (key: string): Promise<void> => {
			held.delete(key);
			await store.remove([key]);
		},

		/** Puts back what other processes undid meanwhile, and takes the tokens away. */
		finish: async (): Promise<void> => {
			const keys = [...held];
			const used = [...tokens];
			held.clear();
			tokens.clear();
			for (let tries = 0; keys.length > 0 && tries < mostTries; tries++) {
				const startedMs = clock.now();
				if ((await record(keys)).size === 0) break;
				await settle(startedMs);
			}
			if (used.length > 0) await store.remove(used);
		},
	};
};
