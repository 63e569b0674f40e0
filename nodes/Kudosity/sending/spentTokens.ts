import type { EntryStore } from './entryStore';

/** The store has room for 10,000 entries: after the claims of so many keys, it is tidied up. */
const mostUntidied = 100;

/**
 * Tokens that have done their work, taken away many at a time. Each is taken away twice, since a write of
 * another process can bring it back.
 */
export const createSpentTokens = (store: EntryStore) => {
	let former: string[] = [];
	let spent: string[] = [];
	let keys = 0;
	return {
		add: (tokens: string[], keysClaimed: number) => {
			spent.push(...tokens);
			keys += keysClaimed;
		},
		areMany: () => keys >= mostUntidied,
		remove: async () => {
			const tokens = [...former, ...spent];
			former = spent;
			spent = [];
			keys = 0;
			if (tokens.length > 0) await store.remove(tokens);
		},
	};
};
