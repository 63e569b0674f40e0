import type { IExecuteFunctions } from 'n8n-workflow';
import { InputError, outcomeOf } from '../api/errors';
import type { Json } from '../lib/json';
import { keyedSemaphore, lruMap, settle } from '../lib/async';
import type { Attempt, Run, Stage } from './attempt';
import { createClaims, createEntryStore } from './claimStore';
import type { Counts } from './executionState';

/**
 * So many keys of a workflow are taken for messages that are not answered yet. A process that is killed
 * leaves them taken, whether their message was sent or not; fewer would be slow where answers take long.
 */
const maxTaken = 10;

const workflows = keyedSemaphore(maxTaken);
const sameKey = keyedSemaphore(1);

const maxMessages = 10_000;

/** The messages sent with a key by this process: others, and former ones, are not known here. */
const messageIds = lruMap<string>(maxMessages);

/** The service's two APIs name the ID of a message differently. */
export const idOf = ({ id, message_id: messageId }: Json): unknown => id ?? messageId;

/** Where keys are taken: in n8n's database, or in memory for a dry run. */
type KeyStore = {
	/** The key among those of all workflows. */
	nameOf(key: string): string;
	/** Items with the same key wait for each other, so that a refused one leaves the key to the next. */
	exclusively<Value>(key: string, task: () => Promise<Value>): Promise<Value>;
	/** @returns whether the key was free and is now taken */
	claim(key: string, attempt: Attempt): Promise<boolean>;
	/** @returns whether the key is free again */
	release(key: string): Promise<boolean>;
};

const storeFailed = () =>
	new InputError(
		"'Send Once Key' cannot be checked, so nothing was sent",
		"Save the workflow first. If it has a Remove Duplicates node of scope Workflow, that one must keep items where 'Value Is New'",
	);

/** The keys already used in this workflow, by this process or another. One for each run of a node. */
export const sharedKeys = ({ context, operation, clock, cleanupClock }: Run): KeyStore => {
	const workflowId = context.getWorkflow().id ?? '';
	const store = createEntryStore(context, 'workflow');
	const claims = createClaims({ store, clock: cleanupClock });
	/** The store is shared with the workflow's Remove Duplicates nodes: the prefix keeps ours apart. */
	const entryOf = (key: string): string => `kudosity:send:${key}`;
	const nameOf = (key: string): string => `${workflowId}:${key}`;
	return {
		nameOf,
		exclusively: async (key, task) => {
			const begin = async () => {
				// What waited for its turn takes no key after Stop.
				await clock.unlessCancelled(Promise.resolve());
				return await task();
			};
			const inTurn = async () => await sameKey.run(nameOf(key), begin);
			// Items that go out together come in rounds, and none may wait here.
			return await claims.during(async () =>
				operation.batch ? await begin() : await workflows.run(workflowId, inTurn),
			);
		},
		claim: async (key) => {
			const claimed = await claims.claim(entryOf(key)).catch(() => undefined);
			if (claimed === undefined) throw storeFailed();
			return claimed;
		},
		release: async (key) =>
			await claims.release(entryOf(key)).then(
				() => true,
				() => false,
			),
	};
};

/** Of a dry run: what the store says stays unknown, as asking it would change it. */
export const dryKeys = ({ keys }: Counts) => {
	const isFree = (key: string, { itemKey: place }: Attempt): boolean =>
		!keys.has(key) || (place !== undefined && keys.get(key) === place);
	const planned = new Set<string>();
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
	/** Plans an item with a key, unless it would be skipped; to be called before the first of them is tried. */
	const plan = (key: string, attempt: Attempt, task: (attempt: Attempt) => void): void => {
		if (planned.has(key) || !isFree(key, attempt)) return;
		task(attempt);
		planned.add(key);
	};
	return { ...store, plan };
};

/**
 * What an item comes to whose key was used before: its own fields, so that later nodes can still work with
 * them, the reason, and the message that was sent, when this process knows it.
 */
const skippedAnswer = (context: IExecuteFunctions, item: number, keyName: string): Json => {
	const fields = Object.entries(context.getInputData()[item]?.json ?? {});
	const earlierMessageId = messageIds.get(keyName);
	return {
		// n8n takes an item with `error` for a failed one, and runs the node again.
		...Object.fromEntries(fields.filter(([name]) => name !== 'error')),
		skipped: true,
		reason: 'A message with this Send Once Key was sent before, or may have been sent',
		...(earlierMessageId !== undefined && { earlierMessageId }),
	};
};

/** Remembers which message was sent with the key of this name, the newest 10,000 of them. */
const rememberSent = (keyName: string, answer: Json): void => {
	const id = idOf(answer);
	if (typeof id === 'string') messageIds.set(keyName, id);
};

/**
 * Sends each Send Once Key at most once. The key is taken before the send, given back after a definite no, and
 * kept when the message was accepted or nobody knows. See ADR 6.
 */
export const idempotencyKeys = ({ context }: Pick<Run, 'context'>, openStore: () => KeyStore) => {
	let opened: KeyStore | undefined;
	const open = () => (opened ??= openStore());

	const stage: Stage = async (attempt, next) => {
		const { sendOnceKey: key } = attempt.options;
		if (key === undefined) return await next();
		const store = open();
		return await store.exclusively(key, async () => {
			const before = attempt.heldKey;
			if (before !== key && !(await store.claim(key, attempt))) {
				return skippedAnswer(context, attempt.item, store.nameOf(key));
			}
			attempt.heldKey = key;
			const result = await settle(next());
			if (result.status === 'fulfilled') {
				rememberSent(store.nameOf(key), result.value);
				return result.value;
			}
			const isKept = before === key && attempt.isInDoubt;
			const isRefused = outcomeOf(result.reason) === 'refused';
			if (isRefused && !isKept && (await store.release(key))) {
				attempt.heldKey = before === key ? undefined : before;
			}
			throw result.reason;
		});
	};
	return {
		stage,
		/** The answer to a send of unknown outcome, found later. */
		settle: ({ options: { sendOnceKey: key } }: Attempt, answer: Json): void => {
			if (key !== undefined) rememberSent(open().nameOf(key), answer);
		},
	};
};
