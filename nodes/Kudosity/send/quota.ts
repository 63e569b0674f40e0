import { outcomeOf } from '../api/errors';
import { keyedSemaphore, onFailure, settle } from '../lib/async';
import { personOf } from '../lib/personOf';
import { createClaims, createEntryStore } from './claimStore';
import type { Used } from './executionState';
import { countFailed, tooManyInExecution, tooManyToRecipient } from './sendingLimits';
import type { Attempt, Run, Stage } from './attempt';

/** Messages to each person today. */
type DailyCounts = {
	/**
	 * @returns what `release` gives back, or undefined if the person has had `max` messages
	 * @throws InputError n8n's store cannot be used
	 */
	take(person: string, max: number): Promise<string | undefined>;
	release(taken: string): Promise<void>;
	/** Wraps everything that takes and gives back. */
	during<Value>(task: () => Promise<Value>): Promise<Value>;
};

/** The store has room for 10,000 entries, and taking one needs a second one for a moment. */
const perNode = keyedSemaphore(100);
/** Messages of one node that are counted and not answered yet. A process that is killed leaves them counted. */
const unanswered = keyedSemaphore(10);

/**
 * In n8n's store, since each turn of an agent is an execution of its own. A number has `max` entries a day, and every
 * message claims one, as a Deduplication Key is claimed.
 */
export const openSharedCounts = ({ context, operation, cleanupClock: clock }: Run): DailyCounts => {
	const store = createEntryStore(context, 'node');
	const claims = createClaims({ store, clock });
	const node = `${context.getWorkflow().id}:${context.getNode().id}`;
	/** Claimed by this run. Claims that are written together would all get the same entry. */
	const ours = new Set<string>();

	const takeOne = async (person: string, max: number): Promise<string | undefined> => {
		// A run can last past midnight.
		const format = { timeZone: context.getTimezone(), dateStyle: 'short' } as const;
		const today = new Intl.DateTimeFormat('en-CA', format).format(clock.calendarNow());
		for (let index = 1; index <= max; index++) {
			const entry = `kudosity:day:${today}:${person}:${index}`;
			if (ours.has(entry)) continue;
			ours.add(entry);
			if (await onFailure(claims.claim(entry), () => ours.delete(entry))) return entry;
		}
		return undefined;
	};
	return {
		take: async (person, max) => {
			const taken = await settle(perNode.run(node, async () => await takeOne(person, max)));
			if (taken.status === 'rejected') throw countFailed();
			return taken.value;
		},
		// An entry that cannot be released stays counted: better one message too few.
		release: async (taken) => {
			const { status } = await settle(claims.release(taken));
			if (status === 'fulfilled') ours.delete(taken);
		},
		// Items of a batch wait for each other.
		during: async (task) =>
			await claims.during(operation.batch ? task : async () => await unanswered.run(node, task)),
	};
};

/** For a dry run. Starts at zero: asking n8n's store for an entry would take it. */
export const openDryCounts = (_: Run, { perNumber }: Used): DailyCounts => ({
	take: async (person, max) => {
		const count = perNumber.get(person) ?? 0;
		if (count >= max) return undefined;
		perNumber.set(person, count + 1);
		return person;
	},
	release: async (person) => void perNumber.set(person, (perNumber.get(person) ?? 1) - 1),
	during: async (task) => await task(),
});

/** A message to one number. In a batch, copies of the same name go out once. */
type Copy = { number: string; person: string; name?: string };

const isLimited = ({ options }: Attempt): boolean =>
	options.maxPerExecution !== undefined || options.maxPerRecipientPerDay !== undefined;

/** The copies that no other item of the batch sends. */
const ownCopies = (copies: Copy[], held: Set<string>): Copy[] =>
	copies.filter(({ name }) => name === undefined || !held.has(name));

/**
 * Max per Execution and Max per Recipient per Day, counted by person. What was certainly not sent is not counted; what
 * may have been sent is. See ADR 14.
 */
export const createQuota = (
	run: Run,
	counts: Used,
	openDaily: (run: Run, counts: Used) => DailyCounts,
) => {
	const { batch } = run.operation;
	let opened: DailyCounts | undefined;
	const daily = () => (opened ??= openDaily(run, counts));
	const copiesOf = ({ to, input }: Attempt): Copy[] => {
		if (!to || !('numbers' in to)) return [];
		const group = batch?.groupOf(input);
		return to.numbers.map((number) => ({
			number,
			person: personOf(number),
			name: group && `${personOf(number)} ${group}`,
		}));
	};
	/** By an earlier try, which may have sent it. */
	const isCounted = ({ itemKey }: Attempt) =>
		itemKey !== undefined && counts.countedItems.has(itemKey);

	const planned = { messages: 0, held: new Set<string>(), perNumber: new Map<string, number>() };
	const countOf = ({ person }: Copy) =>
		(planned.perNumber.get(person) ?? 0) + (counts.perNumber.get(person) ?? 0);

	/** Adds up all items of a run in their order, before the first is sent. @throws InputError the limits have no room */
	const plan = (attempt: Attempt): void => {
		if (!isLimited(attempt) || isCounted(attempt)) return;
		const { maxPerExecution = Infinity, maxPerRecipientPerDay: max = Infinity } = attempt.options;
		const own = ownCopies(copiesOf(attempt), planned.held);
		if (counts.messages + planned.messages + own.length > maxPerExecution) {
			throw tooManyInExecution(maxPerExecution);
		}
		const over = own.filter((copy) => countOf(copy) >= max).map(({ number }) => number);
		if (over.length > 0) throw tooManyToRecipient(max, over);
		planned.messages += own.length;
		for (const { person, name } of own) {
			planned.perNumber.set(person, (planned.perNumber.get(person) ?? 0) + 1);
			if (name) planned.held.add(name);
		}
	};

	/** Names of copies that have room, and those whose day count is being taken. */
	const held = new Set<string>();
	const pending = new Map<string, Promise<unknown>>();

	/** Takes room for all copies of an item, or for none. */
	const reserve = async (attempt: Attempt) => {
		const { maxPerExecution = Infinity, maxPerRecipientPerDay: max } = attempt.options;
		const copies = copiesOf(attempt);
		const pendingOf = () => copies.map(({ name = '' }) => pending.get(name)).find(Boolean);
		// No await between this check and taking room: another item could take the same copies.
		for (let other = pendingOf(); other; other = pendingOf()) await other;

		const own = ownCopies(copies, held);
		if (counts.messages + own.length > maxPerExecution) throw tooManyInExecution(maxPerExecution);
		// Before the first await, so that concurrent calls of an agent see each other's messages.
		counts.messages += own.length;
		const names = own.flatMap(({ name }) => name ?? []);
		for (const name of names) held.add(name);
		const entries = new Map<string, string>();
		const release = async (unsent: Copy[]): Promise<void> => {
			counts.messages -= unsent.length;
			for (const { name } of unsent) if (name) held.delete(name);
			const taken = unsent.flatMap(({ number }) => entries.get(number) ?? []);
			await Promise.all(taken.map(daily().release));
		};
		if (max === undefined) return { own, release };

		const takeDaily = async (): Promise<void> => {
			const results = await Promise.allSettled(
				own.map(async ({ number, person }) => {
					const entry = await daily().take(person, max);
					if (entry !== undefined) entries.set(number, entry);
				}),
			);
			for (const result of results) if (result.status === 'rejected') throw result.reason;
			const over = own.map(({ number }) => number).filter((number) => !entries.has(number));
			if (over.length > 0) throw tooManyToRecipient(max, over);
		};
		const taking = onFailure(takeDaily(), async () => await release(own));
		for (const name of names) pending.set(name, settle(taking));
		await taking.finally(() => names.forEach((name) => pending.delete(name)));
		return { own, release };
	};

	const stage: Stage = async (attempt, next) => {
		if (!isLimited(attempt) || isCounted(attempt)) return await next();
		const { itemKey } = attempt;
		if (itemKey !== undefined) counts.countedItems.add(itemKey);
		const send = async () => {
			// It may have been stopped while it waited.
			await run.clock.unlessCancelled(Promise.resolve());
			const { own, release } = await reserve(attempt);
			const answer = await onFailure(next(), async (error) => {
				if (outcomeOf(error) === 'refused') await release(own);
			});
			const unsent = batch?.notSentOf(answer);
			if (unsent) await release(own.filter(({ number }) => unsent.has(number)));
			return answer;
		};
		const isDaily = attempt.options.maxPerRecipientPerDay !== undefined;
		return await onFailure(isDaily ? daily().during(send) : send(), (error) => {
			if (itemKey === undefined || outcomeOf(error) === 'unknown') return;
			counts.countedItems.delete(itemKey);
		});
	};
	return { plan, stage };
};
