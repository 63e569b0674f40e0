import { enter, keyedSemaphore, settle, throwIfCancelled } from '../lib/async';
import type { Json } from '../lib/json';
import { createUnstoppableClock } from '../n8n/clock';
import type { Attempt, SendRun } from './attempt';
import type { Claim, Guard } from './claim';
import { createClaims, createEntryStore, storeFailed } from './claimStore';
import type { Usage } from './executionState';
import { messageOf, rememberMessage } from './sentMessages';
import { skippedRecord } from './skips';

/**
 * Limits how many keys of a workflow belong to messages that have no response yet. If the process is killed, these keys
 * remain taken, whether or not their messages were sent. A lower limit would make sending slow when responses take
 * long.
 */
const perWorkflow = keyedSemaphore(10);
const perKey = keyedSemaphore(1);

/** The store in which keys are claimed: n8n's database, or memory in a dry run. */
type KeyStore = {
	/** Returns a name for a key that is unique across workflows. */
	nameOf(key: string): string;
	/**
	 * Waits until no other item of this process uses the same key. If the other item is refused, the key is free again
	 * for this one.
	 *
	 * @returns a function to call when the item is done
	 */
	waitForTurn(key: string): Promise<() => Promise<void>>;
	/** @returns whether the key was free and now belongs to this item */
	claim(key: string, attempt: Attempt): Promise<boolean>;
	/** @returns whether the key is free again */
	release(key: string): Promise<boolean>;
};

const optionOf = ({ options }: Attempt): string =>
	options.campaignName === undefined ? 'Deduplication Key' : 'Campaign Name';

const sharedWithRemoveDuplicates =
	"If this workflow also has a Remove Duplicates node with scope Workflow, set it to 'Value Is New': both use the same store";

/** Opens the store of the keys that this workflow has used, no matter in which process. Called once per run of the node. */
export function openSharedKeys({ context, operation, clock }: SendRun): KeyStore {
	const workflowId = context.getWorkflow().id ?? '';
	const store = createEntryStore(context, 'workflow');
	// Keys are released even after the user has stopped the run.
	const claims = createClaims({ store, clock: createUnstoppableClock() });
	/**
	 * Returns the key's entry in the store. The prefix keeps it apart from the entries of Remove Duplicates nodes,
	 * which use the same store.
	 */
	const entryOf = (key: string): string => `kudosity:send:${key}`;
	const nameOf = (key: string): string => `${workflowId}:${key}`;
	return {
		nameOf,
		waitForTurn: async (key) =>
			await enter(async (task) => {
				// The run may have been stopped while the item was waiting.
				const begin = async () => await throwIfCancelled(clock).then(task);
				const inWorkflow = async () => await perWorkflow.run(workflowId, begin);
				// In a batch, all items hold their keys until the batch's requests are done, so a limit of ten items at
				// a time (see `perWorkflow`) would block a larger batch forever. The keys of a batch are all different
				// (see `runBatches`), so no item has to wait for another.
				const inTurn = operation.batch
					? begin
					: async () => await perKey.run(nameOf(key), inWorkflow);
				await claims.during(inTurn);
			}),
		claim: async (key, attempt) =>
			await claims.claim(entryOf(key)).catch(() => {
				throw storeFailed(optionOf(attempt), sharedWithRemoveDuplicates);
			}),
		release: async (key) => (await settle(claims.release(entryOf(key)))).status === 'fulfilled',
	};
}

/**
 * Sends at most one message with each Deduplication Key. The key is claimed in n8n's database before the message is
 * sent. See ADR 6.
 */
export function createDeduplicationKeys(run: SendRun, openStore: (run: SendRun) => KeyStore) {
	let opened: KeyStore | undefined;
	const open = () => (opened ??= openStore(run));

	const claimFor = (
		store: KeyStore,
		key: string,
		attempt: Attempt,
		leave: () => Promise<void>,
	): Claim => {
		// If Retry On Fail runs the node again, the item may still hold this key, or another one from its earlier
		// attempt.
		const otherKey = attempt.heldKey === key ? undefined : attempt.heldKey;
		attempt.heldKey = key;
		const giveBack = async () => {
			if (await store.release(key)) attempt.heldKey = otherKey;
			await leave();
		};
		return {
			keep: async (outcome) => {
				if (outcome.kind === 'accepted') rememberMessage(store.nameOf(key), outcome.answer);
				await leave();
			},
			undo: giveBack,
			drop: giveBack,
		};
	};

	const guard: Guard = async (attempt) => {
		const { key } = attempt;
		if (key === undefined) return undefined;
		const store = open();
		const leave = await store.waitForTurn(key);
		const claimed = await settle(
			attempt.heldKey === key ? Promise.resolve(true) : store.claim(key, attempt),
		);
		if (claimed.status === 'fulfilled' && claimed.value) {
			return claimFor(store, key, attempt, leave);
		}
		await leave();
		if (claimed.status === 'rejected') throw claimed.reason;
		const why = attempt.options.campaignName === undefined ? 'key' : 'campaign';
		return { answer: skippedRecord(why, messageOf(store.nameOf(key))) };
	};
	return {
		guard,
		/** Remembers the ID of a message whose response was lost, and which was found later. */
		accept: ({ key }: Attempt, answer: Json): void => {
			if (key !== undefined) rememberMessage(open().nameOf(key), answer);
		},
	};
}

/** Creates the keys of a dry run. They start empty, because asking n8n's store about a key would claim it. */
export function createDryKeys(run: SendRun, { keys }: Usage) {
	const isFree = (key: string, { itemKey }: Attempt): boolean =>
		!keys.has(key) || (itemKey !== undefined && keys.get(key) === itemKey);
	const store: KeyStore = {
		nameOf: () => '',
		waitForTurn: async () => async () => undefined,
		claim: async (key, attempt) => {
			if (!isFree(key, attempt)) return false;
			keys.set(key, attempt.itemKey);
			return true;
		},
		release: async (key) => keys.delete(key),
	};
	const planned = new Set<string>();
	/** Calls `planItem` for an item, unless an earlier item of the run would already have taken its key. */
	const plan = (attempt: Attempt, planItem: (attempt: Attempt) => void): void => {
		const { key } = attempt;
		if (key !== undefined && (planned.has(key) || !isFree(key, attempt))) return;
		planItem(attempt);
		if (key !== undefined) planned.add(key);
	};
	return { guard: createDeduplicationKeys(run, () => store).guard, plan };
}
