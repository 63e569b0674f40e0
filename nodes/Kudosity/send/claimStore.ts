import { randomUUID } from 'crypto';
import type { DeduplicationScope, ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { InputError } from '../api/errors';
import { type Clock, keyedSemaphore, lruMap } from '../lib/async';
import { joinSentences } from '../lib/text';

/**
 * A set of strings that several processes share. Each process reads and writes back the whole set. Calls within one
 * process take effect in the order in which they are made.
 */
type EntryStore = {
	/** Adds the entries. @returns those that were new */
	record(entries: string[]): Promise<Set<string>>;
	remove(entries: string[]): Promise<void>;
	/**
	 * How long the latest write took, in milliseconds, not counting the time it spent waiting for this process's other
	 * writes.
	 */
	writeMs?(): number;
};

/**
 * How many Deduplication Keys a workflow can have. n8n stores them in one database row, which every claim reads and
 * writes as a whole. ADR 6 has the measurements.
 */
export const maxKeys = 20_000;

/**
 * Extra room for tokens, the unique strings that each claim also writes to the store (see `createClaims`). They can
 * stay in the store for a while. Without this room, they would push out keys and counts.
 */
const tokenRoom = 1_000;

/** How many entries n8n keeps for a workflow or a node. n8n keeps the newest entries and drops the others. */
const maxEntries: Record<DeduplicationScope, number> = {
	workflow: maxKeys + tokenRoom,
	// Max per Day is at most 5,000, and each message can need two entries: one for Max per Day, and one for Max per
	// Recipient per Day.
	node: 10_000 + tokenRoom,
};

const optionsOf = (scope: DeduplicationScope): ICheckProcessedOptions => ({
	mode: 'entries',
	maxEntries: maxEntries[scope],
});

/**
 * Counts the Deduplication Keys that this workflow has used. Entries of the workflow's Remove Duplicates nodes are
 * included.
 */
export async function countKeys(context: IExecuteFunctions): Promise<number> {
	// An unsaved workflow has no ID, and n8n would count the keys of another workflow.
	if (!context.getWorkflow().id) return 0;
	return await context.helpers.getProcessedDataCount('workflow', optionsOf('workflow'));
}

/** Serializes this process's writes to each row of the store. */
const perRow = keyedSemaphore(1);

/**
 * Opens the store of n8n's Remove Duplicates node, which reads and writes back one database row without a lock. With
 * scope `workflow`, the row is shared with Remove Duplicates nodes. With scope `node`, the row belongs to this node.
 */
export function createEntryStore(
	context: IExecuteFunctions,
	scope: DeduplicationScope,
): EntryStore {
	const { helpers } = context;
	const storeOptions = optionsOf(scope);
	const row = `${context.getWorkflow().id ?? ''}:${scope === 'node' ? context.getNode().id : ''}`;
	let writeMs = 0;
	const inTurn = async <Value>(write: () => Promise<Value>): Promise<Value> =>
		await perRow.run(row, async () => {
			const startedMs = performance.now();
			return await write().finally(() => (writeMs = performance.now() - startedMs));
		});
	return {
		record: async (entries) => {
			const record = async () =>
				await helpers.checkProcessedAndRecord(entries, scope, storeOptions);
			return new Set((await inTurn(record)).new.map(String));
		},
		remove: async (entries) =>
			await inTurn(async () => await helpers.removeProcessed(entries, scope, storeOptions)),
		writeMs: () => writeMs,
	};
}

/** Creates the error for a key or a limit that can't be checked. Earlier messages of the run may have been sent. */
export function storeFailed(option: string, more?: string): InputError {
	return new InputError(
		`'${option}' could not be checked, so this message was not sent`,
		joinSentences(
			'Save the workflow, if it is new. Otherwise, n8n could not read or write its database: check whether the disk is full, and try again later',
			more,
		),
		'unexpected',
		{ canRetry: true, kind: "because n8n's database failed" },
	);
}

/** How many keys are claimed between two cleanups. Each claim leaves tokens in the store, which has limited room. */
const maxUntidied = 100;

/**
 * Collects tokens and removes many of them at a time. Each token is removed twice, in two cleanups, because a write by
 * another process can bring it back after the first.
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
	/** Creates a string that no other claim uses. */
	createToken?: () => string;
};

/** The outcome of a claim. Keys that are in neither set already belong to another claim. */
type Claimed = {
	/** Keys that were free and now belong to this claim. */
	ours: Set<string>;
	/** Keys that may or may not belong to this claim, because the store failed. See `failure`. */
	unsure: Set<string>;
	/** The store's last error. */
	failure: unknown;
};

/**
 * The minimum wait after a write. After the wait, other processes' writes that began before ours are assumed to be
 * done, so they can't undo our write anymore.
 */
const minSettleMs = 200;
/**
 * The wait is at least this many times as long as our own write took: if our write was slow, other processes' writes
 * are probably slow, too.
 */
const settleFactor = 10;
/** Entries are collected for this long and then written together, for fewer writes and fewer collisions. */
const gatherMs = 50;
const maxTries = 10;
/**
 * How many of the newest keys are remembered, to restore them if another process's write undoes our claim. Only recent
 * writes can be undone, so older keys are safe.
 */
const maxWatched = 1000;

/**
 * Combines the entries of several calls into one write. `entriesOf` is only called at the time of the write, so more
 * keys can be added until then.
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
 * Gives each key to only one process, although the store has no locks. If two processes write at the same moment, the
 * later write replaces the earlier one. A claim therefore writes a unique token along with its keys and waits until all
 * concurrent writes are done. The claim is valid only if its token is still there. Keys that are requested at the same
 * time form one claim, so thousands of keys need only one or two tokens.
 *
 * This works as long as other processes' writes take less than 200 ms, or less than ten times as long as the claim's
 * own write.
 */
export function createClaims(options: Claims) {
	const { store, clock, createToken = () => `kudosity:claim:${randomUUID()}` } = options;
	const record = inBatches(options, store.record);
	/**
	 * The newest keys claimed in this run. A write by another process may have undone them, so they are restored later.
	 */
	const watched = lruMap<true>(maxWatched);
	const tokens = createTokenRemoval(store);
	let inUse = 0;

	/** Waits long enough for the writes of other processes to finish, if they began before our own write finished. */
	const waitForConcurrentWrites = async (startedMs: number) => {
		const tookMs = store.writeMs?.() ?? clock.now() - startedMs - gatherMs;
		await clock.sleep(Math.max(minSettleMs, settleFactor * tookMs));
	};

	/**
	 * Shows whether a removal was undone. The marker is stored first, and then removed in the same write as the keys.
	 * If another process's write brings the keys back, it also brings back the marker, and the removal is repeated.
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
	 * Claims keys. Each attempt writes a new token after the keys, because a full store drops its oldest entries first.
	 * If it dropped the token before the keys, our own keys would look as if another process had claimed them.
	 */
	const claimWith = async (keysOf: () => string[], tokenOf: () => string): Promise<Claimed> => {
		const failure = new Error('The store is too busy');
		const claimed: Claimed = { ours: new Set(), unsure: new Set(), failure };
		let undecided: string[] = [];
		/** Tokens that were successfully written together with the undecided keys. */
		let written: string[] = [];
		/** Tokens of failed writes, which may have taken effect anyway. */
		let failed: string[] = [];
		for (let tries = 0; tries < maxTries; tries++) {
			const startedMs = clock.now();
			const token = tokenOf();
			const entriesOf = () => {
				if (tries === 0) undecided = keysOf();
				return [...undecided, ...written, ...failed, token];
			};
			const added = await record(entriesOf).catch((error: unknown) => {
				// One cause is that two processes create the row at the same moment: one of the writes fails.
				claimed.failure = error;
			});
			if (added) {
				const isThere = (entry: string) => !added.has(entry);
				const there = undecided.filter(isThere);
				// If a failed write took effect after all, it is unknown whether it added these keys or found them
				// taken.
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

	/** The claim that is not written yet, so more keys can join it. */
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
	 * Restores keys that other processes' writes undid, and removes old tokens to make room. If a key is released at
	 * the same time, restoring it does no harm, because the key's removal is written later.
	 */
	const tidy = async () => {
		const keys = watched.names();
		await Promise.all([keys.length > 0 ? store.record(keys) : undefined, tokens.remove()]);
	};

	/** Restores keys that other processes' writes undid, and removes the remaining tokens. */
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
		 * @returns whether the key was free and now belongs to the caller
		 * @throws the store's error, or Error if other processes write so often that it stays unclear who has the key
		 */
		claim: async (key: string): Promise<boolean> => {
			open ??= begin();
			const { keys, claimed } = open;
			keys.push(key);
			const { ours, unsure, failure } = await claimed;
			const isOurs = ours.has(key);
			if (isOurs) watched.set(key, true);
			// If the cleanup fails, old tokens only take up room in the store.
			if (tokens.areMany()) await tidy().catch(() => undefined);
			if (unsure.has(key)) throw failure;
			return isOurs;
		},

		release: async (key: string): Promise<void> => {
			watched.delete(key);
			await remove(() => [key]);
		},

		/** Runs a task that claims or releases keys. When the last of these tasks ends, the store is cleaned up. */
		during: async <Value>(task: () => Promise<Value>): Promise<Value> => {
			inUse++;
			return await task().finally(async () => {
				// If the cleanup fails, old tokens only take up room in the store.
				if (--inUse === 0) await finish().catch(() => undefined);
			});
		},
		finish,
	};
}
