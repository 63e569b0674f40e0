import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../api/clock';
import { atMost } from './atMost';
import { createEntryStore } from './entryStore';
import type { GuardCounts } from './guardMemory';
import { countFailed } from './guardTexts';
import { createKeyClaims } from './keyClaims';

/** How often a number was written to today. */
export type DayCounts = {
	/** @returns what `giveBack` takes, or undefined when the number had as many as that
	 *  @throws InputError when n8n's store cannot be used */
	take(number: string, most: number): Promise<string | undefined>;
	giveBack(taken: string): Promise<void>;
	/** Around everything that takes and gives back. */
	during<Value>(task: () => Promise<Value>): Promise<Value>;
};

/** The store has room for 10,000 entries, and each take needs two for a moment. */
const nodes = atMost(100);

const dateIn = (timeZone: string, at: number): string =>
	new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);

/**
 * In n8n's store, since each turn of an agent is an execution of its own. Every message takes one of the entries
 * that its number has today, as a Send Once Key is taken: two processes do not both get it.
 */
export const createDayCounts = (context: IExecuteFunctions, clock: Clock): DayCounts => {
	const store = createEntryStore(context, 'node');
	const claims = createKeyClaims({ store, clock });
	const node = `${context.getWorkflow().id}:${context.getNode().id}`;
	/** Those that this run has. Claims that go to the store together would all get the same one. */
	const ours = new Set<string>();

	const takeOne = async (number: string, most: number): Promise<string | undefined> => {
		// A run can go on past midnight.
		const today = dateIn(context.getTimezone(), clock.calendarNow());
		for (let place = 1; place <= most; place++) {
			const entry = `kudosity:day:${today}:${number}:${place}`;
			if (ours.has(entry)) continue;
			ours.add(entry);
			const isFree = await claims.claim(entry).catch((error: unknown) => {
				ours.delete(entry);
				throw error;
			});
			if (isFree) return entry;
		}
		return undefined;
	};
	return {
		take: async (number, most) =>
			await nodes
				.inTurn(node, async () => await takeOne(number, most))
				.catch(() => {
					throw countFailed();
				}),
		// What cannot be given back stays counted: rather one message too few.
		giveBack: async (taken) =>
			await claims.release(taken).then(
				() => void ours.delete(taken),
				() => undefined,
			),
		during: claims.during,
	};
};

/** Of a dry run: what the store says stays unknown, as asking it would change it. */
export const dryDayCounts = ({ perNumber }: GuardCounts): DayCounts => ({
	take: async (number, most) => {
		const count = perNumber.get(number) ?? 0;
		if (count >= most) return undefined;
		perNumber.set(number, count + 1);
		return number;
	},
	giveBack: async (number) => void perNumber.set(number, (perNumber.get(number) ?? 1) - 1),
	during: async (task) => await task(),
});
