import type { DeduplicationScope, ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { atMost } from './atMost';

/**
 * A set of texts that several processes share, each by reading all of it and writing all of it back.
 * The calls of one process take effect in the order in which they are made.
 */
export type EntryStore = {
	/** Adds the entries and says which of them were not there. */
	record(entries: string[]): Promise<Set<string>>;
	remove(entries: string[]): Promise<void>;
};

/** n8n keeps the newest entries of a workflow, or of a node, in one database row; more make each send slower. */
const mostEntries = 10_000;

const storeOptions: ICheckProcessedOptions = { mode: 'entries', maxEntries: mostEntries };

/** Of the writes of one row, one after the other. */
const rows = atMost(1);

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
		await rows.inTurn(row, task);
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
