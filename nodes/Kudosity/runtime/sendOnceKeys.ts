import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { InputError } from '../api/errors';
import { serialize } from './serialize';

/** n8n keeps the newest keys of a workflow in one database row; more make each send slower. */
const mostKeys = 10_000;

const storeOptions: ICheckProcessedOptions = { mode: 'entries', maxEntries: mostKeys };

/** The store is shared with the workflow's Remove Duplicates nodes: the prefix keeps ours apart. */
const entryOf = (key: string): string => `kudosity:send:${key}`;

const storeFailed = () =>
	new InputError(
		"'Send Once Key' cannot be checked, so nothing was sent",
		"Save the workflow first. If it has a Remove Duplicates node of scope Workflow, that one must keep items where 'Value Is New'",
	);

/**
 * The keys already used in this workflow, in n8n's own store for duplicates.
 * The store reads, changes and writes one row, so this process does it one at a time.
 */
export const createKeyStore = (context: IExecuteFunctions) => {
	const { helpers } = context;
	const workflowId = context.getWorkflow().id ?? '';
	const one = async <Value>(task: () => Promise<Value>): Promise<Value> =>
		await serialize(`keys:${workflowId}`, task);

	return {
		/** Items with the same key wait for each other, so that a refused one leaves the key to the next. */
		exclusively: async <Value>(key: string, task: () => Promise<Value>): Promise<Value> =>
			await serialize(`key:${workflowId}:${key}`, task),

		/** @returns whether the key was free and is now taken
		 *  @throws InputError when n8n's store cannot be used */
		claim: async (key: string): Promise<boolean> => {
			const claimed = await one(
				async () =>
					await helpers.checkProcessedAndRecord([entryOf(key)], 'workflow', storeOptions).then(
						(result) => result.new.length > 0,
						() => undefined,
					),
			);
			if (claimed === undefined) throw storeFailed();
			return claimed;
		},

		/** @returns whether the key is free again */
		release: async (key: string): Promise<boolean> =>
			await one(
				async () =>
					await helpers.removeProcessed([entryOf(key)], 'workflow', storeOptions).then(
						() => true,
						() => false,
					),
			),
	};
};

export type KeyStore = ReturnType<typeof createKeyStore>;
