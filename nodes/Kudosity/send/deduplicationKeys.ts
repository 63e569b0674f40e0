import { InputError } from '../api/errors';
import { enter, keyedSemaphore, settle, throwIfCancelled } from '../lib/async';
import type { Json } from '../lib/json';
import { createUnstoppableClock } from '../n8n/clock';
import type { Attempt, SendRun } from './attempt';
import type { Claim, Guard } from './claim';
import { createClaims, createEntryStore } from './claimStore';
import type { Usage } from './executionState';
import { messageOf, rememberMessage } from './sentMessages';
import { skippedRecord } from './skips';

/**
 * Limits how many keys of one workflow belong to messages that are not answered yet, because a process that is killed
 * leaves them taken, whether their message was sent or not. Fewer would be slow where answers take long.
 */
const perWorkflow = keyedSemaphore(10);
const perKey = keyedSemaphore(1);

/** The place where keys are claimed: n8n's database, or memory for a dry run. */
type KeyStore = {
	/** The name of a key, unique across workflows. */
	nameOf(key: string): string;
	/**
	 * Waits until no other item has the same key, so a refused item leaves the key to the next.
	 *
	 * @returns a function to call at the end
	 */
	waitForTurn(key: string): Promise<() => Promise<void>>;
	/** @returns whether the key was free and is now taken */
	claim(key: string, attempt: Attempt): Promise<boolean>;
	/** @returns whether the key is free again */
	release(key: string): Promise<boolean>;
};

const optionOf = ({ options }: Attempt): string =>
	options.campaignName === undefined ? 'Deduplication Key' : 'Campaign Name';

const storeFailed = (attempt: Attempt) =>
	new InputError(
		`'${optionOf(attempt)}' could not be checked, so nothing was sent`,
		"Save the workflow and try again. If this workflow also has a Remove Duplicates node with scope Workflow, set it to 'Value Is New': both use the same store",
		'invalid_input',
		{ canRetry: true },
	);

/** Opens the keys that this workflow has used, in any process. Each run of a node does so once. */
export function openSharedKeys({ context, operation, clock }: SendRun): KeyStore {
	const workflowId = context.getWorkflow().id ?? '';
	const store = createEntryStore(context, 'workflow');
	// Keys are given back even after the user has stopped the run.
	const claims = createClaims({ store, clock: createUnstoppableClock() });
	/**
	 * The name of the key's entry. Remove Duplicates nodes of the workflow use the same store, so a prefix keeps the
	 * entries apart.
	 */
	const entryOf = (key: string): string => `kudosity:send:${key}`;
	const nameOf = (key: string): string => `${workflowId}:${key}`;
	return {
		nameOf,
		waitForTurn: async (key) =>
			await enter(async (task) => {
				// The run may have been stopped while the item waited.
				const begin = async () => await throwIfCancelled(clock).then(task);
				const inWorkflow = async () => await perWorkflow.run(workflowId, begin);
				// All items of a batch hold their keys until its requests are answered, and each item has another key.
				const inTurn = operation.batch
					? begin
					: async () => await perKey.run(nameOf(key), inWorkflow);
				await claims.during(inTurn);
			}),
		claim: async (key, attempt) =>
			await claims.claim(entryOf(key)).catch(() => {
				throw storeFailed(attempt);
			}),
		release: async (key) => (await settle(claims.release(entryOf(key)))).status === 'fulfilled',
	};
}

/**
 * Sends at most one message with each Deduplication Key: the key is claimed in n8n's database before the send. See ADR
 * 6.
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
		// After Retry On Fail, the item can still hold this key, or another one.
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
		/** Notes the answer of a message that was found later. */
		accept: ({ key }: Attempt, answer: Json): void => {
			if (key !== undefined) rememberMessage(open().nameOf(key), answer);
		},
	};
}

/** Creates the keys of a dry run. They start empty, because asking n8n's store about a key would take it. */
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
	/** Plans an item, unless an earlier item would have taken its key by then. */
	const plan = (attempt: Attempt, planItem: (attempt: Attempt) => void): void => {
		const { key } = attempt;
		if (key !== undefined && (planned.has(key) || !isFree(key, attempt))) return;
		planItem(attempt);
		if (key !== undefined) planned.add(key);
	};
	return { guard: createDeduplicationKeys(run, () => store).guard, plan };
}
