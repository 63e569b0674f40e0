import { outcomeOf } from '../api/errors';
import type { Clock } from '../lib/async';
import { keyedSemaphore, settle } from '../lib/async';
import { createClaims, createEntryStore } from './claimStore';
import type { Counts } from './executionState';
import { countFailed, tooManyInExecution, tooManyToRecipient } from './guards';
import type { Attempt, Run, Stage } from './attempt';

/** How often a number was written to today. */
export type DailyCounts = {
	/** @returns what `release` takes, or undefined when the number had as many as that
	 *  @throws InputError when n8n's store cannot be used */
	take(number: string, max: number): Promise<string | undefined>;
	release(taken: string): Promise<void>;
	/** Around everything that takes and gives back. */
	during<Value>(task: () => Promise<Value>): Promise<Value>;
};

/** The store has room for 10,000 entries, and each take needs two for a moment. */
const nodes = keyedSemaphore(100);

const dateIn = (timeZone: string, at: number): string =>
	new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);

/**
 * In n8n's store, since each turn of an agent is an execution of its own. Every message takes one of the entries
 * that its number has today, as a Send Once Key is taken: two processes do not both get it.
 */
export const sharedDailyCounts = ({
	context,
	cleanupClock: clock,
}: Pick<Run, 'context'> & { cleanupClock: Clock }): DailyCounts => {
	const store = createEntryStore(context, 'node');
	const claims = createClaims({ store, clock });
	const node = `${context.getWorkflow().id}:${context.getNode().id}`;
	/** Those that this run has. Claims that go to the store together would all get the same one. */
	const ours = new Set<string>();

	const takeOne = async (number: string, max: number): Promise<string | undefined> => {
		// A run can go on past midnight.
		const today = dateIn(context.getTimezone(), clock.calendarNow());
		for (let place = 1; place <= max; place++) {
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
		take: async (number, max) =>
			await nodes
				.run(node, async () => await takeOne(number, max))
				.catch(() => {
					throw countFailed();
				}),
		// What cannot be given back stays counted: rather one message too few.
		release: async (taken) =>
			await claims.release(taken).then(
				() => void ours.delete(taken),
				() => undefined,
			),
		during: claims.during,
	};
};

/** Of a dry run: what the store says stays unknown, as asking it would change it. */
export const dryDailyCounts = ({ perNumber }: Counts): DailyCounts => ({
	take: async (number, max) => {
		const count = perNumber.get(number) ?? 0;
		if (count >= max) return undefined;
		perNumber.set(number, count + 1);
		return number;
	},
	release: async (number) => void perNumber.set(number, (perNumber.get(number) ?? 1) - 1),
	during: async (task) => await task(),
});

/** A message to one number; the name tells it from all others that go out together. */
type Copy = { number: string; name?: string };

const isLimited = ({ options }: Attempt): boolean =>
	options.maxPerExecution !== undefined || options.maxPerRecipient !== undefined;

/** Those that nobody else sends the same to. */
const ownOf = (copies: Copy[], held: Set<string>): Copy[] =>
	copies.filter(({ name }) => name === undefined || !held.has(name));

/**
 * Max per Execution and Max per Recipient, on the numbers as they are sent to. What was certainly not sent gives
 * its count back, what may have been sent keeps it. See ADR 14.
 */
export const createQuota = (
	{ operation: { batch } }: Run,
	counts: Counts,
	openDaily: () => DailyCounts,
) => {
	let opened: DailyCounts | undefined;
	const open = () => (opened ??= openDaily());
	const copiesOf = ({ to, input }: Attempt): Copy[] => {
		if (!to || !('numbers' in to)) return [];
		const group = batch?.groupOf(input);
		return to.numbers.map((number) => ({ number, name: group && `${number} ${group}` }));
	};
	const isCounted = ({ itemKey: place }: Attempt) =>
		place !== undefined && counts.countedItems.has(place);

	const planned = { messages: 0, held: new Set<string>(), perNumber: new Map<string, number>() };
	const countOf = (number: string) =>
		(planned.perNumber.get(number) ?? 0) + (counts.perNumber.get(number) ?? 0);

	/**
	 * What the items of a run come to together, which can be told before the first of them is sent: to be called in
	 * their order.
	 *
	 * @throws InputError there is no room left for it
	 */
	const plan = (attempt: Attempt): void => {
		if (!isLimited(attempt) || isCounted(attempt)) return;
		const { maxPerExecution = Infinity, maxPerRecipient = Infinity } = attempt.options;
		const own = ownOf(copiesOf(attempt), planned.held);
		if (counts.messages + planned.messages + own.length > maxPerExecution) {
			throw tooManyInExecution(maxPerExecution);
		}
		const over = own.map(({ number }) => number).filter((each) => countOf(each) >= maxPerRecipient);
		if (over.length > 0) throw tooManyToRecipient(maxPerRecipient, over);
		planned.messages += own.length;
		for (const { number, name } of own) {
			planned.perNumber.set(number, (planned.perNumber.get(number) ?? 0) + 1);
			if (name) planned.held.add(name);
		}
	};

	/** Names for which room was taken, and those of which nobody knows yet whether there is room. */
	const held = new Set<string>();
	const pending = new Map<string, Promise<unknown>>();

	/** Takes what a message needs, or nothing at all. */
	const reserve = async (attempt: Attempt) => {
		const { maxPerExecution = Infinity, maxPerRecipient: max } = attempt.options;
		const copies = copiesOf(attempt);
		const pendingOf = () => copies.map(({ name = '' }) => pending.get(name)).find(Boolean);
		// Nothing may happen between the last look at the others and the taking: both would go out for one.
		for (let other = pendingOf(); other; other = pendingOf()) await other;

		const own = ownOf(copies, held);
		if (counts.messages + own.length > maxPerExecution) throw tooManyInExecution(maxPerExecution);
		// At once, so that calls of an agent that run side by side see each other's.
		counts.messages += own.length;
		const names = own.flatMap(({ name }) => name ?? []);
		for (const name of names) held.add(name);
		const entries = new Map<string, string>();
		const release = async (given: Copy[]): Promise<void> => {
			counts.messages -= given.length;
			for (const { name } of given) if (name) held.delete(name);
			const taken = given.flatMap(({ number }) => entries.get(number) ?? []);
			await Promise.all(taken.map(open().release));
		};
		if (max === undefined) return { own, release };

		const takeDaily = async (): Promise<void> => {
			const results = await Promise.allSettled(
				own.map(async ({ number }) => {
					const entry = await open().take(number, max);
					if (entry !== undefined) entries.set(number, entry);
				}),
			);
			for (const result of results) if (result.status === 'rejected') throw result.reason;
			const over = own.map(({ number }) => number).filter((number) => !entries.has(number));
			if (over.length > 0) throw tooManyToRecipient(max, over);
		};
		const taking = settle(
			takeDaily().catch(async (error: unknown) => {
				await release(own);
				throw error;
			}),
		);
		for (const name of names) pending.set(name, taking);
		const result = await taking;
		for (const name of names) pending.delete(name);
		if (result.status === 'rejected') throw result.reason;
		return { own, release };
	};

	const stage: Stage = async (attempt, next) => {
		if (!isLimited(attempt) || isCounted(attempt)) return await next();
		const { itemKey: place } = attempt;
		if (place !== undefined) counts.countedItems.add(place);
		const send = async () => {
			const { own, release } = await reserve(attempt);
			const result = await settle(next());
			if (result.status === 'rejected') {
				if (outcomeOf(result.reason) === 'refused') await release(own);
				throw result.reason;
			}
			const refused = batch?.notSentOf(result.value);
			if (refused) await release(own.filter(({ number }) => refused.has(number)));
			return result.value;
		};
		return await open()
			.during(send)
			.catch((error: unknown) => {
				if (place !== undefined && outcomeOf(error) === 'refused')
					counts.countedItems.delete(place);
				throw error;
			});
	};
	return { plan, stage };
};
