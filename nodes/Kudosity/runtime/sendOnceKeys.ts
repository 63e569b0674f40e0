import { randomUUID } from 'crypto';
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { InputError } from '../api/errors';
import { atMost } from './atMost';
import { createKeyClaims, type EntryStore } from './keyClaims';
import { createNodeClock } from './nodeClock';
import { serialize } from './serialize';

/** n8n keeps the newest keys of a workflow in one database row; more make each send slower. */
const mostKeys = 10_000;

/**
 * So many keys of a workflow are taken for messages that are not answered yet. A process that is killed
 * leaves them taken, whether their message was sent or not; fewer would be slow where answers take long.
 */
const mostTaken = 10;

const turnsOfWorkflows = new Map<string, ReturnType<typeof atMost>>();

const turnsOf = (workflowId: string) => {
	const turns = turnsOfWorkflows.get(workflowId) ?? atMost(mostTaken);
	turnsOfWorkflows.set(workflowId, turns);
	return turns;
};

const storeOptions: ICheckProcessedOptions = { mode: 'entries', maxEntries: mostKeys };

/** The store is shared with the workflow's Remove Duplicates nodes: the prefix keeps ours apart. */
const entryOf = (key: string): string => `kudosity:send:${key}`;
const createToken = (): string => `kudosity:claim:${randomUUID()}`;

const storeFailed = () =>
	new InputError(
		"'Send Once Key' cannot be checked, so nothing was sent",
		"Save the workflow first. If it has a Remove Duplicates node of scope Workflow, that one must keep items where 'Value Is New'",
	);

/** n8n's own store for duplicates. It reads, changes and writes one row, so this process does it one at a time. */
const createEntryStore = ({ helpers }: IExecuteFunctions, workflowId: string): EntryStore => {
	const one = async <Value>(task: () => Promise<Value>): Promise<Value> =>
		await serialize(`keys:${workflowId}`, task);
	return {
		record: async (entries) =>
			await one(async () => {
				const result = await helpers.checkProcessedAndRecord(entries, 'workflow', storeOptions);
				return new Set(result.new.map(String));
			}),
		remove: async (entries) =>
			await one(async () => await helpers.removeProcessed(entries, 'workflow', storeOptions)),
	};
};

/** The keys already used in this workflow, by this process or another. One for each run of a node. */
export const createKeyStore = (context: IExecuteFunctions) => {
	const workflowId = context.getWorkflow().id ?? '';
	const store = createEntryStore(context, workflowId);
	const claims = createKeyClaims({ store, clock: createNodeClock(undefined), createToken });
	const inTurn = turnsOf(workflowId);
	let inUse = 0;

	return {
		/** Items with the same key wait for each other, so that a refused one leaves the key to the next. */
		exclusively: async <Value>(key: string, task: () => Promise<Value>): Promise<Value> => {
			inUse++;
			const result = inTurn(async () => await serialize(`key:${workflowId}:${key}`, task));
			return await result.finally(async () => {
				// What this fails to tidy up costs room in the store; the message is sent all the same.
				if (--inUse === 0) await claims.finish().catch(() => undefined);
			});
		},

		/** @returns whether the key was free and is now taken
		 *  @throws InputError when n8n's store cannot be used */
		claim: async (key: string): Promise<boolean> => {
			const claimed = await claims.claim(entryOf(key)).catch(() => undefined);
			if (claimed === undefined) throw storeFailed();
			return claimed;
		},

		/** @returns whether the key is free again */
		release: async (key: string): Promise<boolean> =>
			await claims.release(entryOf(key)).then(
				() => true,
				() => false,
			),
	};
};

export type KeyStore = ReturnType<typeof createKeyStore>;
