import { CancelledError } from '../api/errors';
import { memoizeLast, onFailure, settle, throwIfCancelled } from '../lib/async';
import { personOf } from '../lib/personOf';
import { minuteMs, nextMidnight, toLocalIso } from '../lib/time';
import { createYielder } from '../n8n/clock';
import type { Attempt, SendRun } from './attempt';
import type { Guard } from './claim';
import { storeFailed } from './claimStore';
import type { DailyCounts, CountPlace } from './dailyCounts';
import type { Usage } from './executionState';
import { tooFewFit, tooManyInExecution, tooManyToday, tooManyToRecipient } from './sendingLimits';

/** The name of the count for Max per Day. Every other count belongs to one person. */
const everybody = 'everybody';

const isDaily = ({ options }: Attempt): boolean =>
	options.maxPerDay !== undefined || options.maxPerRecipientPerDay !== undefined;

const isLimited = (attempt: Attempt): boolean =>
	attempt.options.maxPerExecution !== undefined || isDaily(attempt);

const numbersOf = ({ to }: Attempt): string[] => (to && 'numbers' in to ? to.numbers : []);

/**
 * Enforces Max per Execution, Max per Recipient per Day and Max per Day. A person in several items of a batch gets one
 * message, so the person counts once. Otherwise, an item could be held back although its person got the message, and a
 * later run would send it again. See ADR 14.
 */
export function createMessageCounts(
	run: SendRun,
	counts: Usage,
	openDaily: (run: SendRun, counts: Usage) => DailyCounts,
) {
	const { batch } = run.operation;
	const timeZone = run.context.getTimezone();
	const yieldIfDue = createYielder(run.clock);
	// Computing in a time zone takes a third of a millisecond, and a full day can refuse thousands of items in a minute.
	const tomorrowAt = memoizeLast((minute: number) =>
		toLocalIso(nextMidnight(minute * minuteMs, timeZone), timeZone),
	);
	const tomorrow = () => tomorrowAt(Math.floor(run.clock.calendarNow() / minuteMs));
	let opened: DailyCounts | undefined;
	const daily = () => (opened ??= openDaily(run, counts));
	/** Whether an earlier attempt has already counted the item, because it may have been sent. */
	const isCounted = ({ itemKey }: Attempt) =>
		itemKey !== undefined && counts.countedItems.has(itemKey);

	const planned = { messages: 0, perPerson: new Map<string, number>(), today: 0, items: 0 };
	/**
	 * The values of Max per Day in the planned items. There is only one value, unless an expression returns different
	 * ones.
	 */
	const limits = new Set<number>();
	const countOf = (number: string) =>
		(planned.perPerson.get(personOf(number)) ?? 0) + (counts.perDay.get(personOf(number)) ?? 0);

	/**
	 * Adds an item's messages to the planned totals. Must be called for all items of the run, in order, before the
	 * first one is sent.
	 *
	 * @throws InputError - the item would exceed a limit
	 */
	const plan = (attempt: Attempt): void => {
		if (!isLimited(attempt) || isCounted(attempt)) return;
		const { maxPerExecution = Infinity, maxPerRecipientPerDay: max = Infinity } = attempt.options;
		const { maxPerDay } = attempt.options;
		const isPlanned = (number: string) =>
			batch !== undefined && planned.perPerson.has(personOf(number));
		const numbers = numbersOf(attempt).filter((number) => !isPlanned(number));
		if (counts.messages + planned.messages + numbers.length > maxPerExecution) {
			throw tooManyInExecution(maxPerExecution);
		}
		const over = numbers.filter((each) => countOf(each) >= max);
		if (over.length > 0) throw tooManyToRecipient(max, over, tomorrow());
		planned.messages += numbers.length;
		for (const number of numbers) {
			const person = personOf(number);
			planned.perPerson.set(person, (planned.perPerson.get(person) ?? 0) + 1);
		}
		if (maxPerDay === undefined) return;
		limits.add(maxPerDay);
		planned.today += numbers.length;
		planned.items++;
	};

	/**
	 * Checks that Max per Day won't stop the run halfway. A single item isn't checked here, because it is checked right
	 * before its request.
	 *
	 * @throws InputError - not all planned messages fit today
	 */
	const requireRoom = async (): Promise<void> => {
		const [max, other] = limits;
		if (max === undefined || other !== undefined || planned.items < 2) return;
		const leave = await daily().enter();
		const room = await settle(daily().roomOf(everybody, max, planned.today)).finally(leave);
		if (room.status === 'rejected') throw storeFailed('Max per Day');
		if (room.value < planned.today) {
			throw tooFewFit(max, { room: room.value, messages: planned.today }, tomorrow());
		}
	};

	/** The items that may still release their slots, each with a promise that resolves when the item no longer can. */
	const open = new Map<number, Promise<void>>();

	const openItem = ({ item }: Attempt): (() => void) => {
		let close = () => {};
		open.set(item, new Promise<void>((resolve) => (close = resolve)));
		return () => {
			open.delete(item);
			close();
		};
	};

	/**
	 * Claims one of today's slots for an item. If there is none, the item waits for the nearest item before it, because a
	 * slot becomes free if that item is refused. If hundreds of items waited for all items before them, each refusal
	 * would wake all of them.
	 */
	const takeToday = async ({ item }: Attempt, max: number): Promise<CountPlace | undefined> => {
		for (;;) {
			const taken = await daily().take(everybody, max);
			if (taken) return taken;
			let nearest: number | undefined;
			for (const other of open.keys()) {
				if (other < item && other > (nearest ?? -1)) nearest = other;
			}
			if (nearest === undefined) return undefined;
			await run.clock.unlessCancelled(open.get(nearest)!);
			await yieldIfDue();
		}
	};

	/** For each person in a batch: whether there is room for the item that counts the person. */
	const roomByPerson = new Map<string, Promise<boolean>>();

	/**
	 * Returns the numbers of an item that no other item of the batch counts. If another item is about to count them,
	 * waits until it has room, or has been refused.
	 */
	const numbersToCount = async (attempt: Attempt, hasRoom: Promise<boolean>): Promise<string[]> => {
		if (!batch) return numbersOf(attempt);
		const own: string[] = [];
		let others = numbersOf(attempt);
		while (others.length > 0) {
			const pending = others.filter((number) => {
				const person = personOf(number);
				if (roomByPerson.has(person)) return true;
				roomByPerson.set(person, hasRoom);
				own.push(number);
				return false;
			});
			const room = await Promise.all(pending.map((number) => roomByPerson.get(personOf(number))));
			others = pending.filter((_, index) => !room[index]);
		}
		return own;
	};

	/**
	 * Reserves room for these numbers of an item, or for none.
	 *
	 * @returns a function that releases the room of unsent numbers
	 */
	const reserve = async (
		attempt: Attempt,
		numbers: string[],
	): Promise<(unsent: string[]) => Promise<void>> => {
		const { maxPerExecution = Infinity, maxPerRecipientPerDay, maxPerDay } = attempt.options;
		if (counts.messages + numbers.length > maxPerExecution) {
			throw tooManyInExecution(maxPerExecution);
		}
		// This must come before the first await, so concurrent calls by an agent count each other's messages.
		counts.messages += numbers.length;
		const taken = new Map<string, CountPlace[]>();
		const release = async (unsent: string[]): Promise<void> => {
			counts.messages -= unsent.length;
			const entries = unsent.flatMap((number) => taken.get(number) ?? []);
			await Promise.all(entries.map(daily().release));
		};
		/** Claims a slot for each number. @returns the numbers for which there is none */
		const takeEach = async (
			limit: string,
			take: (number: string) => Promise<CountPlace | undefined>,
		) => {
			const over: string[] = [];
			const results = await Promise.allSettled(
				numbers.map(async (number) => {
					const entry = await take(number);
					if (entry) taken.set(number, [...(taken.get(number) ?? []), entry]);
					else over.push(number);
				}),
			);
			const failed = results.find((result) => result.status === 'rejected');
			if (failed?.reason instanceof CancelledError) throw failed.reason;
			if (failed) throw storeFailed(limit);
			return over;
		};
		const takeAll = async (): Promise<void> => {
			if (maxPerRecipientPerDay !== undefined) {
				const over = await takeEach(
					'Max per Recipient per Day',
					async (number) => await daily().take(personOf(number), maxPerRecipientPerDay),
				);
				if (over.length > 0) throw tooManyToRecipient(maxPerRecipientPerDay, over, tomorrow());
			}
			// Max per Day comes last, so an item that another limit refuses takes no room from the items after it.
			if (maxPerDay !== undefined) {
				const over = await takeEach('Max per Day', async () => await takeToday(attempt, maxPerDay));
				if (over.length > 0) throw tooManyToday(maxPerDay, tomorrow());
			}
		};
		await onFailure(takeAll(), async () => await release(numbers));
		return release;
	};

	const guard: Guard = async (attempt) => {
		if (!isLimited(attempt) || isCounted(attempt)) return undefined;
		const { itemKey } = attempt;
		if (itemKey !== undefined) counts.countedItems.add(itemKey);
		let tellRoom: (hasRoom: boolean) => void = () => {};
		const hasRoom = new Promise<boolean>((resolve) => (tellRoom = resolve));
		const numbers = await numbersToCount(attempt, hasRoom);
		const uncount = () => {
			if (itemKey !== undefined) counts.countedItems.delete(itemKey);
			// Before the items that wait look for somebody else who counts the person.
			for (const number of numbers) roomByPerson.delete(personOf(number));
			tellRoom(false);
		};
		const isOfDay = isDaily(attempt);
		const leave = await onFailure(isOfDay ? daily().enter() : Promise.resolve(undefined), uncount);
		const close = openItem(attempt);
		const release = await onFailure(
			// The run may have been stopped while the item was waiting.
			throwIfCancelled(run.clock).then(async () => {
				await yieldIfDue();
				return await reserve(attempt, numbers);
			}),
			async () => {
				uncount();
				close();
				await leave?.();
			},
		);
		tellRoom(true);
		// The items of a batch are sent only after all of them have their slots, so none of them may wait for another.
		if (batch) close();
		const finish = async (unsent: string[]) => {
			await release(unsent).finally(async () => {
				close();
				await leave?.();
			});
		};
		const giveBack = async () => {
			uncount();
			await finish(numbers);
		};
		return {
			keep: async (outcome) => {
				const unsent = outcome.kind === 'accepted' ? batch?.notSentOf(outcome.answer) : undefined;
				await finish(numbers.filter((number) => unsent?.has(number)));
			},
			undo: giveBack,
			drop: giveBack,
		};
	};
	return { plan, requireRoom, guard };
}
