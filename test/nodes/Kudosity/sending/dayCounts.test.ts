import { afterEach, expect, it, vi } from 'vitest';
import { createNodeClock, createDayCounts } from '../../../seams.ts';

afterEach(() => void vi.useRealTimers());

const number = '61491570006';

/** n8n, as far as the counts of one node need it, with a store that all runs share. */
const createContext = () => {
	const entries = new Set<string>();
	return {
		getTimezone: () => 'Australia/Sydney',
		getWorkflow: () => ({ id: 'w' }),
		getNode: () => ({ id: 'n' }),
		helpers: {
			checkProcessedAndRecord: async (texts: string[]) => {
				const added = texts.filter((text) => !entries.has(text));
				added.forEach((text) => entries.add(text));
				return { new: added, processed: [] };
			},
			removeProcessed: async (texts: string[]) => {
				texts.forEach((text) => entries.delete(text));
			},
		},
	};
};

it('counts a message for the day on which it is sent, not for that of the beginning of its run', async () => {
	const context = createContext();
	const begin = () => createDayCounts(context as never, createNodeClock(undefined));
	vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T23:50:00+11:00') });
	const first = begin();
	vi.setSystemTime(new Date('2026-03-02T00:20:00+11:00'));

	expect(await first.take(number, 1)).toBeDefined();
	expect(await begin().take(number, 1)).toBeUndefined();
});
