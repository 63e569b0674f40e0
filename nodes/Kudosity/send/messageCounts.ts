import { enter, keyedSemaphore, onFailure, settle, throwIfCancelled } from '../lib/async';
import { personOf } from '../lib/personOf';
import { nextMidnight, toLocalIso } from '../lib/time';
import { createUnstoppableClock } from '../n8n/clock';
import type { Attempt, Run } from './attempt';
import type { Guard } from './claim';
import { createClaims, createEntryStore } from './claimStore';
import type { Used } from './executionState';
import { countFailed, tooManyInExecution, tooManyToRecipient } from './sendingLimits';

/** Messages to each person today. */
type DailyCounts = {
	/**
	 * @returns what `release` gives back, or undefined if the person has had `max` messages
	 * @throws InputError n8n's store cannot be used
	 */
	take(person: string, max: number): Promise<string | undefined>;
	release(taken: string): Promise<void>;
	/** Comes before everything that takes and gives back. @returns how to leave, after it */
	enter(): Promise<() => Promise<void>>;
};

/**
 * Counts of a node that are taken at the same time: the store has room for 10,000 entries, and each needs a second one
 * for a moment.
 */
const perNode = keyedSemaphore(100);
/** Messages of one node that are counted and not answered yet. A process that is killed leaves them counted. */
const unanswered = keyedSemaphore(10);

/**
 * In n8n's store, since each turn of an agent is an execution of its own. A person has `max` entries a day, and every
 * message claims one, as a Deduplication Key is claimed.
 */
export function openSharedCounts({ context, operation }: Run): DailyCounts {
	// Counts are given back even after Stop.
	const clock = createUnstoppableClock();
	const store = createEntryStore(context, 'node');
	const claims = createClaims({ store, clock });
	const node = `${context.getWorkflow().id}:${context.getNode().id}`;
	/** Entries that this run has tried. Claims that are written together would all get the same one. */
	const tried = new Set<string>();

	const takeOne = async (person: string, max: number): Promise<string | undefined> => {
		// A run can last past midnight.
		const format = { timeZone: context.getTimezone(), dateStyle: 'short' } as const;
		const today = new Intl.DateTimeFormat('en-CA', format).format(clock.calendarNow());
		for (let index = 1; index <= max; index++) {
			const entry = `kudosity:day:${today}:${person}:${index}`;
			if (tried.has(entry)) continue;
			tried.add(entry);
			if (await onFailure(claims.claim(entry), () => tried.delete(entry))) return entry;
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
			if (status === 'fulfilled') tried.delete(taken);
		},
		enter: async () =>
			await enter(
				async (task) =>
					// All items of a batch are counted until its requests are answered.
					await claims.during(
						operation.batch ? task : async () => await unanswered.run(node, task),
					),
			),
	};
}

/** For a dry run. Starts at zero: asking n8n's store for an entry would take it. */
export function openDryCounts(_: Run, { perNumber }: Used): DailyCounts {
	return {
		take: async (person, max) => {
			const count = perNumber.get(person) ?? 0;
			if (count >= max) return undefined;
			perNumber.set(person, count + 1);
			return person;
		},
		release: async (person) => void perNumber.set(person, (perNumber.get(person) ?? 1) - 1),
		enter: async () => async () => undefined,
	};
}

const isLimited = ({ options }: Attempt): boolean =>
	options.maxPerExecution !== undefined || options.maxPerRecipientPerDay !== undefined;

const numbersOf = ({ to }: Attempt): string[] => (to && 'numbers' in to ? to.numbers : []);

/**
 * Max per Execution and Max per Recipient per Day, counted by person: a number in two items of a bulk message counts
 * twice, although it gets one message. See ADR 14.
 */
export function createMessageCounts(
	run: Run,
	counts: Used,
	openDaily: (run: Run, counts: Used) => DailyCounts,
) {
	const { batch } = run.operation;
	const timeZone = run.context.getTimezone();
	const tomorrow = () => toLocalIso(nextMidnight(run.clock.calendarNow(), timeZone), timeZone);
	let opened: DailyCounts | undefined;
	const daily = () => (opened ??= openDaily(run, counts));
	/** By an earlier try, which may have sent it. */
	const isCounted = ({ itemKey }: Attempt) =>
		itemKey !== undefined && counts.countedItems.has(itemKey);

	const planned = { messages: 0, perNumber: new Map<string, number>() };
	const countOf = (number: string) =>
		(planned.perNumber.get(personOf(number)) ?? 0) + (counts.perNumber.get(personOf(number)) ?? 0);

	/** Adds up all items of a run in their order, before the first is sent. @throws InputError the limits have no room */
	const plan = (attempt: Attempt): void => {
		if (!isLimited(attempt) || isCounted(attempt)) return;
		const { maxPerExecution = Infinity, maxPerRecipientPerDay: max = Infinity } = attempt.options;
		const numbers = numbersOf(attempt);
		if (counts.messages + planned.messages + numbers.length > maxPerExecution) {
			throw tooManyInExecution(maxPerExecution);
		}
		const over = numbers.filter((each) => countOf(each) >= max);
		if (over.length > 0) throw tooManyToRecipient(max, over, tomorrow());
		planned.messages += numbers.length;
		for (const number of numbers) {
			const person = personOf(number);
			planned.perNumber.set(person, (planned.perNumber.get(person) ?? 0) + 1);
		}
	};

	/** Takes room for all numbers of an item, or for none. @returns a function that gives back the room of some of them */
	const reserve = async (attempt: Attempt): Promise<(unsent: string[]) => Promise<void>> => {
		const { maxPerExecution = Infinity, maxPerRecipientPerDay: max } = attempt.options;
		const numbers = numbersOf(attempt);
		if (counts.messages + numbers.length > maxPerExecution) {
			throw tooManyInExecution(maxPerExecution);
		}
		// Before the first await, so that concurrent calls of an agent see each other's messages.
		counts.messages += numbers.length;
		const entries = new Map<string, string>();
		const release = async (unsent: string[]): Promise<void> => {
			counts.messages -= unsent.length;
			const taken = unsent.flatMap((number) => entries.get(number) ?? []);
			await Promise.all(taken.map(daily().release));
		};
		if (max === undefined) return release;

		const takeDaily = async (): Promise<void> => {
			const results = await Promise.allSettled(
				numbers.map(async (number) => {
					const entry = await daily().take(personOf(number), max);
					if (entry !== undefined) entries.set(number, entry);
				}),
			);
			for (const result of results) if (result.status === 'rejected') throw result.reason;
			const over = numbers.filter((number) => !entries.has(number));
			if (over.length > 0) throw tooManyToRecipient(max, over, tomorrow());
		};
		await onFailure(takeDaily(), async () => await release(numbers));
		return release;
	};

	const guard: Guard = async (attempt) => {
		if (!isLimited(attempt) || isCounted(attempt)) return undefined;
		const { itemKey, options } = attempt;
		if (itemKey !== undefined) counts.countedItems.add(itemKey);
		const uncount = () => {
			if (itemKey !== undefined) counts.countedItems.delete(itemKey);
		};
		const isDaily = options.maxPerRecipientPerDay !== undefined;
		const leave = await onFailure(isDaily ? daily().enter() : Promise.resolve(undefined), uncount);
		const release = await onFailure(
			// The run may have been stopped while the item waited.
			throwIfCancelled(run.clock).then(async () => await reserve(attempt)),
			async () => {
				uncount();
				await leave?.();
			},
		);
		const giveBack = async () => {
			uncount();
			await release(numbersOf(attempt)).finally(leave);
		};
		return {
			keep: async (outcome) => {
				const unsent = outcome.kind === 'accepted' ? batch?.notSentOf(outcome.answer) : undefined;
				const numbers = numbersOf(attempt).filter((number) => unsent?.has(number));
				await release(numbers).finally(leave);
			},
			undo: giveBack,
			drop: giveBack,
		};
	};
	return { plan, guard };
}
