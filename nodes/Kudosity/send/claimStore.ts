import { randomUUID } from 'crypto';
import type { DeduplicationScope, ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { type Clock, keyedSemaphore, lruMap } from '../lib/async';

/**
 * A set of texts that processes share. Each process reads all of it and writes all of it back. The calls of one process
 * take effect in the order in which they are made.
 */
type EntryStore = {
	/** Adds the entries. @returns those that were new */
	record(entries: string[]): Promise<Set<string>>;
	remove(entries: string[]): Promise<void>;
};

/**
 * How many Deduplication Keys a workflow can have. n8n keeps them in one database row, and every claim reads and writes
 * all of it: ADR 6 has the figures.
 */
export const maxKeys = 20_000;

/** Room for tokens, which claims write as well. They must not displace keys and counts before they are removed. */
const tokenRoom = 1_000;

/** How many entries n8n keeps for a workflow or a node. It keeps the newest ones and forgets the others. */
const maxEntries: Record<DeduplicationScope, number> = {
	workflow: maxKeys + tokenRoom,
	// The daily limits need two entries for each of 5,000 messages.
	node: 10_000 + tokenRoom,
};

const optionsOf = (scope: DeduplicationScope): ICheckProcessedOptions => ({
	mode: 'entries',
	maxEntries: maxEntries[scope],
});

/**
 * Counts the Deduplication Keys that this workflow has used, together with the entries of its Remove Duplicates nodes.
 */
export async function countKeys(context: IExecuteFunctions): Promise<number> {
	// Without an ID, n8n would count the keys of another workflow.
	if (!context.getWorkflow().id) return 0;
	return await context.helpers.getProcessedDataCount('workflow', optionsOf('workflow'));
}

/** Lets one write of a row happen at a time. */
const perRow = keyedSemaphore(1);

/**
 * Opens n8n's own store for duplicates, which reads and writes back one row, without a lock. Scope `workflow` shares
 * the row with Remove Duplicates nodes; scope `node` has its own.
 */
export function createEntryStore(
	context: IExecuteFunctions,
	scope: DeduplicationScope,
): EntryStore {
	const { helpers } = context;
	const storeOptions = optionsOf(scope);
	const row = `${context.getWorkflow().id ?? ''}:${scope === 'node' ? context.getNode().id : ''}`;
	const record = async (entries: string[]) =>
		await helpers.checkProcessedAndRecord(entries, scope, storeOptions);
	const remove = async (entries: string[]) =>
		await helpers.removeProcessed(entries, scope, storeOptions);
	return {
		record: async (entries) => {
			const result = await perRow.run(row, async () => await record(entries));
			return new Set(result.new.map(String));
		},
		remove: async (entries) => await perRow.run(row, async () => await remove(entries)),
	};
}

/** How many keys are claimed between two clean-ups of the store, whose room is limited. */
const maxUntidied = 100;

/**
 * Collects tokens, to remove many at a time. Each is removed twice, because a write of another process can bring it
 * back.
 */
function createTokenRemoval(store: EntryStore) {
	let removedOnce: string[] = [];
	let added: string[] = [];
	let keys = 0;
	return {
		add: (tokens: string[], keysClaimed: number) => {
			added.push(...tokens);
			keys += keysClaimed;
		},
		areMany: () => keys >= maxUntidied,
		remove: async () => {
			const tokens = [...removedOnce, ...added];
			removedOnce = added;
			added = [];
			keys = 0;
			if (tokens.length > 0) await store.remove(tokens);
		},
	};
}

type Claims = {
	store: EntryStore;
	clock: Pick<Clock, 'now' | 'sleep'>;
	/** Makes a text that no other claim has. */
	createToken?: () => string;
};

/** The outcome of a claim. Keys in neither set were taken before. */
type Claimed = {
	/** Keys that were free and are now taken. */
	ours: Set<string>;
	/** Keys for which it is unknown, because of `failure`. */
	unsure: Set<string>;
	/** The store's last error. */
	failure: unknown;
};

/** After this long, no write that began before a claim can undo it. */
const minSettleMs = 200;
/** A store that is slow to answer is slow to write, too. */
const settleFactor = 10;
/** Entries are collected this long and written together, so there are fewer writes and fewer collisions. */
const gatherMs = 50;
const maxTries = 10;
/** How many of the newest keys are watched. Other processes can only undo recent writes, so older keys are safe. */
const maxWatched = 1000;

/**
 * Writes the entries of several calls together. `entriesOf` is called at the time of writing, so more keys can join
 * until then.
 */
function inBatches<Value>({ clock }: Claims, write: (entries: string[]) => Promise<Value>) {
	const waiting: Array<() => string[]> = [];
	let last: Promise<unknown> = Promise.resolve();
	let next: Promise<Value> | undefined;
	const writeAll = async () => {
		await clock.sleep(gatherMs);
		const entries = waiting.splice(0).flatMap((entriesOf) => entriesOf());
		next = undefined;
		return await write(entries);
	};
	return async (entriesOf: () => string[]): Promise<Value> => {
		waiting.push(entriesOf);
		if (!next) last = next = last.then(writeAll, writeAll);
		return await next;
	};
}

/**
 * Gives each key to one process only, on a store without locks. Of two processes that write at the same moment, the
 * last one wins and undoes the other's write. So a claim writes a token of its own with its keys, waits until all
 * writes of that moment are done, and counts only if its token is still there. Keys that are asked for together are one
 * claim, so thousands of them need only a token or two.
 *
 * This holds as long as a write takes less than 200 ms, or less than ten times as long as the claim's own write.
 */
export function createClaims(options: Claims) {
	const { store, clock, createToken = () => `kudosity:claim:${randomUUID()}` } = options;
	const record = inBatches(options, store.record);
	/** The newest keys of this run, which a write of another process may have undone. */
	const watched = lruMap<true>(maxWatched);
	const tokens = createTokenRemoval(store);
	let inUse = 0;

	/** Waits until every write that another process began before ours is done. */
	const waitForConcurrentWrites = async (startedMs: number) => {
		const tookMs = clock.now() - startedMs - gatherMs;
		await clock.sleep(Math.max(minSettleMs, settleFactor * tookMs));
	};

	/**
	 * Marks a removal. A write of another process that brings removed keys back also brings back this marker, because
	 * it was in the store beside them. So as long as the marker is there again, the removal is repeated.
	 */
	const marker = createToken();
	const remove = inBatches(options, async (keys) => {
		for (let tries = 0, isRemoved = false; tries < maxTries; tries++) {
			const startedMs = clock.now();
			const isThere = !(await store.record([marker])).has(marker);
			if (isThere) await store.remove([...keys, marker]);
			else if (isRemoved) return;
			isRemoved ||= isThere;
			await waitForConcurrentWrites(startedMs);
		}
	});

	/**
	 * Claims keys. Each try writes a token of its own behind its keys, because n8n drops the oldest entries first: the
	 * keys before the token.
	 */
	const claimWith = async (keysOf: () => string[], tokenOf: () => string): Promise<Claimed> => {
		const failure = new Error('The store is too busy');
		const claimed: Claimed = { ours: new Set(), unsure: new Set(), failure };
		let undecided: string[] = [];
		/** Tokens that were written with the undecided keys. */
		let written: string[] = [];
		/** Tokens of tries that failed, and may have been written. */
		let failed: string[] = [];
		for (let tries = 0; tries < maxTries; tries++) {
			const startedMs = clock.now();
			const token = tokenOf();
			const entriesOf = () => {
				if (tries === 0) undecided = keysOf();
				return [...undecided, ...written, ...failed, token];
			};
			const added = await record(entriesOf).catch((error: unknown) => {
				// For example, two processes create the row at once, and one of them fails.
				claimed.failure = error;
			});
			if (added) {
				const isThere = (entry: string) => !added.has(entry);
				const there = undecided.filter(isThere);
				// If a failed try was written after all, it may have added the key, or found it taken.
				if (failed.some(isThere)) for (const key of there) claimed.unsure.add(key);
				else if (written.some(isThere)) for (const key of there) claimed.ours.add(key);
				undecided = undecided.filter((key) => added.has(key));
				if (undecided.length === 0) return claimed;
				[written, failed] = [[token], []];
			} else failed.push(token);
			await waitForConcurrentWrites(startedMs);
		}
		for (const key of undecided) claimed.unsure.add(key);
		return claimed;
	};

	/** The claim that more keys can still join. */
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

	/**
	 * Restores keys that other processes undid, and makes room. A key that is released in the meantime is removed
	 * afterwards.
	 */
	const tidy = async () => {
		const keys = watched.names();
		await Promise.all([keys.length > 0 ? store.record(keys) : undefined, tokens.remove()]);
	};

	/** Restores keys that other processes undid, and removes the remaining tokens. */
	const finish = async (): Promise<void> => {
		const keys = watched.names();
		watched.clear();
		for (let tries = 0; keys.length > 0 && tries < maxTries; tries++) {
			const startedMs = clock.now();
			if ((await record(() => keys)).size === 0) break;
			await waitForConcurrentWrites(startedMs);
		}
		tokens.add([marker], 0);
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
			// A failure only costs room in the store.
			if (tokens.areMany()) await tidy().catch(() => undefined);
			if (unsure.has(key)) throw failure;
			return isOurs;
		},

		release: async (key: string): Promise<void> => {
			watched.delete(key);
			await remove(() => [key]);
		},

		/** Wraps everything that claims and releases. The last one to end cleans up. */
		during: async <Value>(task: () => Promise<Value>): Promise<Value> => {
			inUse++;
			return await task().finally(async () => {
				// A failure only costs room in the store.
				if (--inUse === 0) await finish().catch(() => undefined);
			});
		},
		finish,
	};
}
