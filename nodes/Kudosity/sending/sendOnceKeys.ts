import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../api/clock';
import { InputError } from '../api/errors';
import { atMost } from './atMost';
import { createEntryStore } from './entryStore';
import { createKeyClaims } from './keyClaims';

/**
 * So many keys of a workflow are taken for messages that are not answered yet. A process that is killed
 * leaves them taken, whether their message was sent or not; fewer would be slow where answers take long.
 */
const mostTaken = 10;

const workflows = atMost(mostTaken);

/** Of the tasks of one name, one after the other. */
const names = atMost(1);

/** The store is shared with the workflow's Remove Duplicates nodes: the prefix keeps ours apart. */
const entryOf = (key: string): string => `kudosity:send:${key}`;

const storeFailed = () =>
	new InputError(
		"'Send Once Key' cannot be checked, so nothing was sent",
		"Save the workflow first. If it has a Remove Duplicates node of scope Workflow, that one must keep items where 'Value Is New'",
	);

/**
 * Items that go out together cannot wait for each other's key, since none goes before all have come: those of the
 * same key come in rounds, one after the other. Only a refused one leaves the key to the next.
 */
export const roundsOf = <Item>(
	items: Item[],
	keyOf: (item: Item) => string | undefined,
): Item[][] => {
	const used = new Map<string, number>();
	const rounds: Item[][] = [];
	for (const item of items) {
		const key = keyOf(item);
		const round = key === undefined ? 0 : (used.get(key) ?? 0);
		if (key !== undefined) used.set(key, round + 1);
		(rounds[round] ??= []).push(item);
	}
	return rounds;
};

export type Keeping = {
	/** One that a stopped execution does not stop: keys are tidied up all the same. */
	clock: Clock;
	/** Rejects once the user has stopped the run: what waited for its turn then takes no key. */
	unlessStopped: () => Promise<void>;
	/** Whether items go out together: then they come in rounds, and none may wait here. */
	together: boolean;
};

/** The keys already used in this workflow, by this process or another. One for each run of a node. */
export const createKeyStore = (
	context: IExecuteFunctions,
	{ clock, unlessStopped, together }: Keeping,
) => {
	const workflowId = context.getWorkflow().id ?? '';
	const store = createEntryStore(context, 'workflow');
	const claims = createKeyClaims({ store, clock });

	return {
		/** The key's name among those of all workflows. */
		nameOf: (key: string): string => `${workflowId}:${key}`,

		/** Items with the same key wait for each other, so that a refused one leaves the key to the next. */
		exclusively: async <Value>(key: string, task: () => Promise<Value>): Promise<Value> => {
			const begin = async () => {
				await unlessStopped();
				return await task();
			};
			const inTurn = async () => await names.inTurn(`key:${workflowId}:${key}`, begin);
			return await claims.during(async () =>
				together ? await begin() : await workflows.inTurn(workflowId, inTurn),
			);
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
