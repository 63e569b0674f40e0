import type { Json } from '../lib/json';
import { agentAnswer, isTool } from './agentTool';
import type { Attempt, Dispatch, Run, Stage } from './attempt';
import { createDeduplicationKeys, createDryKeys, openSharedKeys } from './deduplicationKeys';
import { createRehearsal } from './dryRun';
import { createDuplicateNumbers } from './duplicateNumbers';
import { createItemKeys, executionStateOf, keepDuring } from './executionState';
import { createLedger } from './ledger';
import { createLookUp } from './lookUp';
import { createQuota, openDryCounts, openSharedCounts } from './quota';

/** Each stage calls the next one, and the last one calls `dispatch`. */
const compose =
	(stages: Stage[]) =>
	async (attempt: Attempt, dispatch: Dispatch): Promise<Json> => {
		const begin = stages.reduceRight<() => Promise<Json>>(
			(next, stage) => async () => await stage(attempt, next),
			async () => await dispatch(attempt),
		);
		return await begin();
	};

const addParts = ({ parts, smartEncoding }: Attempt, record: Json): Json => ({
	...record,
	...(parts && { parts: parts.parts, encoding: parts.encoding }),
	...(smartEncoding && { smartEncoding }),
});

/**
 * How an item is sent, for every operation that must not be done twice:
 *
 * 1. Before the first request of a run, all items are checked, so that one wrong value sends nothing:
 *    `sendingLimits.ts` checks each item by itself (Deduplication Key, Allowed Recipients, Max SMS Parts), then `plan`
 *    what those without a key add up to (Max per Execution, Max per Recipient per Day). An item with a key is counted
 *    when it is sent, since only then is it known whether it is skipped.
 * 2. `send` takes each item through the stages of `live`, or of `dry`. A batch or a question brings its own `dispatch`.
 *    On the way back, each stage decides by the outcome: a message that was certainly not sent gives back its key and
 *    its room in the limits; one that may have been sent keeps both.
 * 3. When all items are done, `resolve` looks for messages whose answer was lost.
 */
export const createPipeline = (run: Run) => {
	const { context, operation, clock } = run;
	const { sends, asks } = operation;
	const state = executionStateOf(context);
	const itemKeyOf = createItemKeys(context);

	const ledger = createLedger(run, state);
	const duplicates = createDuplicateNumbers(run, state.sent);
	const keys = createDeduplicationKeys(run, openSharedKeys);
	const quota = createQuota(run, state.sent, openSharedCounts);
	const lookUp = createLookUp(run, ledger.answeredIds);
	const rehearsal = createRehearsal(context);
	const dryDuplicates = createDuplicateNumbers(run, state.rehearsed);
	const dryKeys = createDryKeys(run, state.rehearsed);
	const dryQuota = createQuota(run, state.rehearsed, openDryCounts);

	const throwIfStopped: Stage = async (_, next) => {
		await clock.unlessCancelled(Promise.resolve());
		return await next();
	};
	const requireAccount: Stage = async (_, next) => {
		run.requireAccount();
		return await next();
	};
	const isForAgent = sends && !asks && isTool(context);
	const toOutput = (attempt: Attempt, record: Json): Json => {
		const answer = addParts(attempt, record);
		return isForAgent ? agentAnswer(answer, sends.agentFields) : answer;
	};

	const live = compose([
		// After Stop, nothing is claimed or counted for a message that would not go out.
		throwIfStopped,
		// Retry On Fail runs the node again: what was accepted is answered from memory. Comes before the key, so that a
		// second try does not find its own key taken.
		ledger.stage,
		// Once the account is refused, nothing is claimed or counted for what would be refused, too.
		requireAccount,
		// Skips numbers that had a message in this execution. Comes before the key, so that an item which is skipped does
		// not use its key up.
		duplicates.stage,
		// Claims the Deduplication Key, across processes. Comes before the quota, so that a duplicate uses none of it.
		keys.stage,
		// Reserves room in the limits, only for a message that is about to go out.
		quota.stage,
		// Gives the message a reference, and notes the attempt if its answer is lost. Comes just before the
		// request, since only what was requested can be in doubt.
		lookUp.stage,
		// Innermost, so that the ledger keeps what n8n gets.
		async (attempt, next) => toOutput(attempt, await next()),
	]);
	// Numbers, keys and quota in memory. Nothing to remember or to look up, since nothing is sent.
	const dry = compose([
		rehearsal,
		dryDuplicates.stage,
		dryKeys.stage,
		dryQuota.stage,
		async (attempt, next) => addParts(attempt, await next()),
	]);

	return {
		share: ledger.share,
		/** For all items of a run, in their order, before `send`. @throws InputError the limits have no room for it */
		plan: (attempt: Attempt): void => {
			attempt.itemKey = itemKeyOf(attempt.item);
			if (attempt.isDry) {
				dryDuplicates.plan(attempt, (left) => dryKeys.plan(left, dryQuota.plan));
			}
			// Of the items with a key, only sending tells which are skipped.
			else if (attempt.options.deduplicationKey === undefined) duplicates.plan(attempt, quota.plan);
		},
		/** `dispatch` makes the request. */
		send: async (attempt: Attempt, dispatch: Dispatch): Promise<Json> =>
			await (attempt.isDry ? dry : live)(attempt, dispatch),
		/** Whether `resolve` will look for the item's message. */
		isInDoubt: lookUp.isInDoubt,
		/** @returns the answers of the messages in doubt that were found, and how many were not */
		resolve: async () => {
			const { found, missing } = await keepDuring(state, lookUp.resolve);
			const answers = found.map(([attempt, record]): [item: number, answer: Json] => {
				const answer = toOutput(attempt, record);
				ledger.confirm(attempt, answer);
				keys.confirm(attempt, answer);
				return [attempt.item, answer];
			});
			return { answers, missing };
		},
	};
};

export type Pipeline = ReturnType<typeof createPipeline>;
