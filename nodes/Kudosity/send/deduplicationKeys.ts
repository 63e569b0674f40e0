import type { IExecuteFunctions } from 'n8n-workflow';
import { InputError, outcomeOf } from '../api/errors';
import type { Json } from '../lib/json';
import { keyedSemaphore, lruMap, onFailure, settle } from '../lib/async';
import type { Attempt, Run, Stage } from './attempt';
import { createClaims, createEntryStore } from './claimStore';
import type { Used } from './executionState';

/**
 * Keys of one workflow whose message is not answered yet. A process that is killed leaves them taken, whether their
 * message was sent or not; fewer would be slow where answers take long.
 */
const perWorkflow = keyedSemaphore(10);
const perKey = keyedSemaphore(1);

/** IDs of messages that this process sent with a key, by the name of the key. */
const messageIds = lruMap<string>(10_000);

/** The service's two APIs name the ID of a message differently. */
export const messageIdOf = ({ id, message_id: messageId }: Json): unknown => id ?? messageId;

/** Where keys are claimed: in n8n's database, or in memory for a dry run. */
type KeyStore = {
	/** Unique across workflows. */
	nameOf(key: string): string;
	/** Runs tasks of the same key one at a time, so that a refused item leaves the key to the next. */
	exclusively<Value>(key: string, task: () => Promise<Value>): Promise<Value>;
	/** @returns whether the key was free and is now taken */
	claim(key: string, attempt: Attempt): Promise<boolean>;
	/** @returns whether the key is free again */
	release(key: string): Promise<boolean>;
};

const storeFailed = () =>
	new InputError(
		"'Deduplication Key' could not be checked, so nothing was sent",
		"Save the workflow first. A Remove Duplicates node with scope 'Workflow' must be set to 'Value Is New'",
	);

/** The keys that this workflow has used, in any process. One for each run of a node. */
export const openSharedKeys = ({ context, operation, clock, cleanupClock }: Run): KeyStore => {
	const workflowId = context.getWorkflow().id ?? '';
	const store = createEntryStore(context, 'workflow');
	const claims = createClaims({ store, clock: cleanupClock });
	/** The workflow's Remove Duplicates nodes use the same store: the prefix keeps the keys apart. */
	const entryOf = (key: string): string => `kudosity:send:${key}`;
	const nameOf = (key: string): string => `${workflowId}:${key}`;
	return {
		nameOf,
		exclusively: async (key, task) => {
			// It may have been stopped while it waited.
			const begin = async () => await clock.unlessCancelled(Promise.resolve()).then(task);
			const inTurn = async () => await perKey.run(nameOf(key), begin);
			// A batch waits for all of its items: `action/batch.ts` keeps those of the same key apart.
			return await claims.during(async () =>
				operation.batch ? await begin() : await perWorkflow.run(workflowId, inTurn),
			);
		},
		claim: async (key) =>
			await claims.claim(entryOf(key)).catch(() => {
				throw storeFailed();
			}),
		release: async (key) => (await settle(claims.release(entryOf(key)))).status === 'fulfilled',
	};
};

/** Why an item is skipped. */
export const keyUsedText =
	'A message with this Deduplication Key was already sent, or may have been';

/** For an item that is not sent. Keeps the item's own fields, so that later nodes can work with them. */
export const skippedAnswer = (context: IExecuteFunctions, item: number, reason: string): Json => {
	const fields = Object.entries(context.getInputData()[item]?.json ?? {});
	return {
		// n8n would take an item with `error` for a failed one, and run the node again.
		...Object.fromEntries(fields.filter(([name]) => name !== 'error')),
		skipped: true,
		reason,
	};
};

const rememberSent = (keyName: string, answer: Json): void => {
	const id = messageIdOf(answer);
	if (typeof id === 'string') messageIds.set(keyName, id);
};

/**
 * Sends each Deduplication Key at most once. The key is claimed before the send, released when the message was
 * certainly not sent, and kept otherwise. See ADR 6.
 */
export const createDeduplicationKeys = (run: Run, openStore: (run: Run) => KeyStore) => {
	let opened: KeyStore | undefined;
	const open = () => (opened ??= openStore(run));

	const stage: Stage = async (attempt, next) => {
		const { deduplicationKey: key } = attempt.options;
		if (key === undefined) return await next();
		const store = open();
		return await store.exclusively(key, async () => {
			// After Retry On Fail, the item can still hold this key, or another one.
			const { heldKey: earlierKey } = attempt;
			const isHeld = earlierKey === key;
			if (!isHeld && !(await store.claim(key, attempt))) {
				const earlierMessageId = messageIds.get(store.nameOf(key));
				const skipped = skippedAnswer(run.context, attempt.item, keyUsedText);
				return earlierMessageId === undefined ? skipped : { ...skipped, earlierMessageId };
			}
			attempt.heldKey = key;
			const answer = await onFailure(next(), async (error) => {
				const isKept = outcomeOf(error) === 'unknown' || (isHeld && attempt.mayHaveBeenSent);
				if (!isKept && (await store.release(key))) {
					attempt.heldKey = isHeld ? undefined : earlierKey;
				}
			});
			rememberSent(store.nameOf(key), answer);
			return answer;
		});
	};
	return {
		stage,
		/** Enters the answer of a message that was found later. */
		confirm: ({ options: { deduplicationKey: key } }: Attempt, answer: Json): void => {
			if (key !== undefined) rememberSent(open().nameOf(key), answer);
		},
	};
};

/** The keys of a dry run. Starts empty: asking n8n's store about a key would take it. */
export const createDryKeys = (run: Run, { keys }: Used) => {
	const isFree = (key: string, { itemKey }: Attempt): boolean =>
		!keys.has(key) || (itemKey !== undefined && keys.get(key) === itemKey);
	const store: KeyStore = {
		nameOf: () => '',
		exclusively: async (_, task) => await task(),
		claim: async (key, attempt) => {
			if (!isFree(key, attempt)) return false;
			keys.set(key, attempt.itemKey);
			return true;
		},
		release: async (key) => keys.delete(key),
	};
	const planned = new Set<string>();
	/** Plans an item, unless its key would be taken by then. */
	const plan = (attempt: Attempt, planItem: (attempt: Attempt) => void): void => {
		const { deduplicationKey: key } = attempt.options;
		if (key !== undefined && (planned.has(key) || !isFree(key, attempt))) return;
		planItem(attempt);
		if (key !== undefined) planned.add(key);
	};
	const { stage } = createDeduplicationKeys(run, () => store);
	return { stage, plan };
};
