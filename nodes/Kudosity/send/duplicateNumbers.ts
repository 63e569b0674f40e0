import { outcomeOf } from '../api/errors';
import { settle } from '../lib/async';
import { personOf } from '../lib/personOf';
import type { Attempt, Run, Stage } from './attempt';
import { skippedAnswer } from './deduplicationKeys';
import type { Used } from './executionState';

/** Why an item is skipped. */
export const numberUsedText =
	'A message to this number was already sent in this execution, or may have been';

/** Numbers that get one message each; none if the option is off. */
export const uniqueNumbersOf = ({ to, options }: Attempt): string[] =>
	options.skipDuplicates && to && 'numbers' in to ? to.numbers : [];

/**
 * Skip Duplicate Numbers: each number gets one message in an execution. It counts once a message to it was accepted or
 * may have been, and not for the item that it counts for, which Retry On Fail can bring again.
 */
export const createDuplicateNumbers = (run: Run, { owners, sending }: Used) => {
	const { context, operation, clock } = run;
	const { batch, sends } = operation;
	const isOwn = (number: string, { itemKey }: Attempt): boolean =>
		itemKey !== undefined && owners.get(personOf(number)) === itemKey;
	const isUsed = (number: string, attempt: Attempt): boolean =>
		owners.has(personOf(number)) && !isOwn(number, attempt);

	/** What is left of an item without these numbers. */
	const withoutNumbers = (attempt: Attempt, left: string[]): Pick<Attempt, 'input' | 'to'> => {
		if (left.length === 0 || !batch) return attempt;
		const input = batch.leaveOut(attempt.input, new Set(left));
		return { input, to: sends?.to(input) };
	};

	const planned = new Set<string>();
	/** Plans what is left of an item, as if all items before it were accepted. */
	const plan = (attempt: Attempt, planItem: (attempt: Attempt) => void): void => {
		const numbers = uniqueNumbersOf(attempt);
		const left = numbers.filter((each) => planned.has(personOf(each)) || isUsed(each, attempt));
		if (numbers.length > 0 && left.length === numbers.length) return;
		planItem({ ...attempt, ...withoutNumbers(attempt, left) });
		for (const number of numbers) planned.add(personOf(number));
	};

	const stage: Stage = async (attempt, next) => {
		const numbers = uniqueNumbersOf(attempt);
		if (numbers.length === 0) return await next();
		const sendingNow = () => numbers.map((number) => sending.get(personOf(number))).find(Boolean);
		// No await between this check and taking the numbers: another item could take the same ones.
		for (let other = sendingNow(); other; other = sendingNow()) await clock.unlessCancelled(other);

		const used = numbers.filter((number) => isUsed(number, attempt));
		if (used.length === numbers.length) return skippedAnswer(context, attempt.item, numberUsedText);
		Object.assign(attempt, withoutNumbers(attempt, used));
		const taken = uniqueNumbersOf(attempt);
		/** Those that an earlier try of the item may have sent to stay taken, whatever becomes of this one. */
		const fresh = taken.filter((number) => !isOwn(number, attempt));
		for (const number of fresh) owners.set(personOf(number), attempt.itemKey);
		const release = (unsent: string[]) =>
			unsent.forEach((number) => owners.delete(personOf(number)));

		const result = settle(next());
		for (const number of taken) sending.set(personOf(number), result);
		const ended = await result;
		for (const number of taken) sending.delete(personOf(number));
		if (ended.status === 'rejected') {
			if (outcomeOf(ended.reason) === 'refused') release(fresh);
			throw ended.reason;
		}
		const { value } = ended;
		const { deduplicationKey: key } = attempt.options;
		const isSkippedForKey = key !== undefined && attempt.heldKey !== key;
		const notSent = isSkippedForKey ? new Set(fresh) : batch?.notSentOf(value);
		if (notSent) release(fresh.filter((number) => notSent.has(number)));
		return used.length > 0 && !isSkippedForKey ? { ...value, duplicate: true } : value;
	};
	return { plan, stage };
};
