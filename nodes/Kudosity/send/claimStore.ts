import { randomUUID } from 'crypto';
import type { DeduplicationScope, ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { type Clock, keyedSemaphore, lruMap } from '../lib/async';

/**
 * A set of texts that several processes share, each by reading all of it and writing all of it back.
 * The calls of one process take effect in the order in which they are made.
 */
type EntryStore = {
	/** Adds the entries and says which of them were not there. */
	record(entries: string[]): Promise<Set<string>>;
	remove(entries: string[]): Promise<void>;
};

/** n8n keeps the newest entries of a workflow, or of a node, in one database row; more make each send slower. */
const maxEntries = 10_000;

const storeOptions: ICheckProcessedOptions = { mode: 'entries', maxEntries };

/** Of the writes of one row, one after the other. */
const rows = keyedSemaphore(1);

/**
 * n8n's own store for duplicates. It reads, changes and writes one row, so this process does it one at a time.
 * Scope `workflow` shares its row with Remove Duplicates nodes, scope `node` is the node's own.
 */
export const createEntryStore = (
	context: IExecuteFunctions,
	scope: DeduplicationScope,
): EntryStore => {
	const { helpers } = context;
	const row = `${context.getWorkflow().id ?? ''}:${scope === 'node' ? context.getNode().id : ''}`;
	const one = async <Value>(task: () => Promise<Value>): Promise<Value> =>
		await rows.run(row, task);
	return {
		record: async (entries) =>
			await one(async () => {
				const result = await helpers.checkProcessedAndRecord(entries, scope, storeOptions);
				return new Set(result.new.map(String));
			}),
		remove: async (entries) =>
			await one(async () => await helpers.removeProcessed(entries, scope, storeOptions)),
	};
};

/** The store has room for 10,000 entries: after the claims of so many keys, it is tidied up. */
const maxUntidied = 100;

/**
 * Tokens that have done their work, taken away many at a time. Each is taken away twice, since a write of
 * another process can bring it back.
 */
const createSpentTokens = (store: EntryStore) => {
	let former: string[] = [];
	let spent: string[] = [];
	let keys = 0;
	return {
		add: (tokens: string[], keysClaimed: number) => {
			spent.push(...tokens);
			keys += keysClaimed;
		},
		areMany: () => keys >= maxUntidied,
		remove: async () => {
			const tokens = [...former, ...spent];
			former = spent;
			spent = [];
			keys = 0;
			if (tokens.length > 0) await store.remove(tokens);
		},
	};
};

type Claims = {
	store: EntryStore;
	clock: Pick<Clock, 'now' | 'sleep'>;
	/** A text that no other claim has; n8n's store has others' entries as well. */
	createToken?: () => string;
};

/** What became of keys that were asked for; those in neither set were taken before. */
type Claimed = {
	/** They were free, and are now taken. */
	ours: Set<string>;
	/** Nobody can tell. */
	unsure: Set<string>;
	/** Why nobody can: what the store said when it last failed. */
	failure: unknown;
};

/** A write that began before a claim can still undo it; later than this, none is left. */
const minSettleMs = 200;
/** A store that takes long to answer also takes long to write. */
const settleFactor = 10;
/** Entries that wait for the store go together: fewer writes, fewer collisions. */
const gatherMs = 50;
const maxTries = 10;
/** What other processes undo was written a moment before: older keys are safe. */
const maxWatched = 1000;

/** `entriesOf` is asked when they are written: whatever comes until then can join. */
type RecordTogether = (entriesOf: () => string[]) => Promise<Set<string>>;

const inBatches = ({ store, clock }: Claims): RecordTogether => {
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
 * Keys of which each is given to one process only, on a store that has no locks. Two processes that write at
 * the same moment undo each other: the last one wins. So a claim writes a token of its own beside its keys,
 * waits until all such writes are done, and counts only when its token is then still there. Keys that are asked
 * for together are one claim, so that thousands of them take the room of a token or two.
 * This holds as long as a write takes less than 200 ms, or than ten times what the claim's own one took.
 */
export const createClaims = (options: Claims) => {
	const { store, clock, createToken = () => `kudosity:claim:${randomUUID()}` } = options;
	const record = inBatches(options);
	/** The newest keys that a run has taken, which another process's write may have undone. */
	const watched = lruMap<true>(maxWatched);
	const tokens = createSpentTokens(store);
	let inUse = 0;

	/** Waits until no write is left that another process may have begun before ours. */
	const settle = async (startedMs: number) => {
		const tookMs = clock.now() - startedMs - gatherMs;
		await clock.sleep(Math.max(minSettleMs, settleFactor * tookMs));
	};

	/** Each try has a token of its own, written behind its keys: where n8n forgets the oldest, the keys go first. */
	const claimWith = async (keysOf: () => string[], tokenOf: () => string): Promise<Claimed> => {
		const failure = new Error('The store is too busy');
		const claimed: Claimed = { ours: new Set(), unsure: new Set(), failure };
		let undecided: string[] = [];
		/** Written together with the keys that are undecided. */
		let written: string[] = [];
		/** Of tries that failed, perhaps after they were written. */
		let failed: string[] = [];
		for (let tries = 0; tries < maxTries; tries++) {
			const startedMs = clock.now();
			const token = tokenOf();
			const entriesOf = () => {
				if (tries === 0) undecided = keysOf();
				return [...undecided, ...written, ...failed, token];
			};
			const added = await record(entriesOf).catch((error: unknown) => {
				// Two processes that create the store's row at once: one of them fails.
				claimed.failure = error;
			});
			if (added) {
				const isThere = (entry: string) => !added.has(entry);
				const there = undecided.filter(isThere);
				// A failed try that was written may have added the key, or found that of somebody else.
				if (failed.some(isThere)) for (const key of there) claimed.unsure.add(key);
				else if (written.some(isThere)) for (const key of there) claimed.ours.add(key);
				undecided = undecided.filter((key) => added.has(key));
				if (undecided.length === 0) return claimed;
				[written, failed] = [[token], []];
			} else failed.push(token);
			await settle(startedMs);
		}
		for (const key of undecided) claimed.unsure.add(key);
		return claimed;
	};

	/** The claim that other keys can still join. */
	let open: { keys: string[]; claimed: Promise<Claimed> } | undefined;
	const begin = () => {
		const keys: string[] = [];
		const used: string[] = [];
		const tokenOf = () => {
			const token = createToken();
			used.push(token);
			return token;
		};
		const keysOf = () => {
			open = undefined;
			return keys;
		};
		const claimed = claimWith(keysOf, tokenOf).finally(() => tokens.add(used, keys.length));
		return { keys, claimed };
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
		for (let tries = 0; keys.length > 0 && tries < maxTries; tries++) {
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
			const { keys, claimed } = open;
			keys.push(key);
			const { ours, unsure, failure } = await claimed;
			const isOurs = ours.has(key);
			if (isOurs) watched.set(key, true);
			// What this fails to tidy up costs room in the store; the claim counts all the same.
			if (tokens.areMany()) await tidy().catch(() => undefined);
			if (unsure.has(key)) throw failure;
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
