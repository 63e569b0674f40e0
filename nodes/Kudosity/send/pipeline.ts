import { settle, throwIfCancelled } from '../lib/async';
import type { Json } from '../lib/json';
import { hostOf } from '../n8n/host';
import { agentAnswer } from './agentAnswer';
import type { Attempt, Dispatch, SendRun } from './attempt';
import type { CircuitBreaker } from './circuitBreaker';
import { type Guard, type Held, hold, settleClaims, toOutcome } from './claim';
import { createDeduplicationKeys, createDryKeys, openSharedKeys } from './deduplicationKeys';
import { toDryAnswer } from './dryRun';
import { createItemKeys, executionStateOf, holdState } from './executionState';
import { createLedger } from './ledger';
import { createLookUp } from './lookUp';
import { openDryCounts, openSharedCounts } from './dailyCounts';
import { createMessageCounts } from './messageCounts';
import { checkSendingHours } from './sendingHours';
import { skippedRecord } from './skips';

const addParts = ({ parts, smartEncoding }: Attempt, record: Json): Json => ({
	...record,
	...(parts && { parts: parts.parts, encoding: parts.encoding }),
	...(smartEncoding && { smartEncoding }),
});

/**
 * Creates the pipeline of a run. It handles the items of every operation that must not be done twice:
 *
 * 1. All items are checked before the first request, so a node that stops at failures sends nothing if one value is
 *    wrong. `sendingLimits.ts` checks each item separately: its key, its recipients and Max SMS Parts. Then `plan` adds
 *    up the items without a key (Max per Execution, Max per Recipient per Day), and `requireRoom` checks that they all
 *    fit today (Max per Day). An item with a key is counted when it is sent, because only then is it known whether it
 *    is skipped as a duplicate.
 * 2. `hold` calls the guards in `live`, or those in `dry`, one after the other. Each guard makes a claim for the item,
 *    refuses the item, or returns an answer for it, e.g. that it is skipped.
 * 3. The request is made. `finish` ends the claims according to the outcome, the newest claim first. The policy is in
 *    `claim.ts`: claims are kept if the outcome is accepted or unknown, and undone if it is refused.
 * 4. When all items are done, `resolve` searches for messages whose response was lost.
 */
export function createPipeline(run: SendRun, breaker: Pick<CircuitBreaker, 'requireAccount'>) {
	const { context, operation, clock } = run;
	const { sends, asks } = operation;
	const state = executionStateOf(context);
	const itemKeyOf = createItemKeys(context);
	const host = hostOf(context);
	// A question's output is the reply, which the model gets in full.
	const isForAgent = sends && !asks && host.isTool;

	const ledger = createLedger(run, state);
	const keys = createDeduplicationKeys(run, openSharedKeys);
	const counts = createMessageCounts(run, state.sent, openSharedCounts);
	const lookUp = createLookUp(run);
	const dryKeys = createDryKeys(run, state.rehearsed);
	const dryCounts = createMessageCounts(run, state.rehearsed, openDryCounts);

	const throwIfStopped: Guard = async () => {
		await throwIfCancelled(clock);
		return undefined;
	};
	const requireAccount: Guard = async () => {
		breaker.requireAccount();
		return undefined;
	};
	const leaveOut: Guard = async ({ skip }) => skip && { answer: skippedRecord(skip) };
	const requireHours: Guard = async ({ input }) => {
		checkSendingHours(operation, input, clock.calendarNow());
		return undefined;
	};
	const live: Guard[] = [
		// Once the run is stopped, nothing is claimed or counted, because the message won't be sent.
		throwIfStopped,
		// When Retry On Fail runs the node again, accepted items get their recorded answer. This guard comes before the
		// keys. Otherwise, the second attempt would find its own key taken.
		ledger.guard,
		// Recipients that are left out (blocked, landlines) use up no key and no limit.
		leaveOut,
		// Outside Sending Hours, nothing is claimed or counted. The hours are checked again right before the request.
		requireHours,
		// Once the account is rejected, nothing is claimed or counted, because the request would be rejected, too.
		requireAccount,
		// This claims the item's key, across processes. It comes before the counts, so duplicates aren't counted.
		keys.guard,
		// This reserves room in the limits. It comes last, so only messages that are about to be sent are counted.
		counts.guard,
	];
	// A dry run keeps its keys and counts in memory. It needs no ledger, because a retry can't send anything twice.
	const dry: Guard[] = [leaveOut, requireHours, dryKeys.guard, dryCounts.guard];

	/** Shapes an item's output, which is also what the ledger records. */
	const toOutput = (attempt: Attempt, record: Json): Json => {
		const answer = addParts(attempt, record);
		if (attempt.isDry) return toDryAnswer(answer, host);
		return isForAgent ? agentAnswer(answer, sends.agentFields) : answer;
	};
	const begin = async (attempt: Attempt): Promise<Held | { answer: Json }> => {
		const held = await hold(attempt.isDry ? dry : live, attempt);
		return 'answer' in held && attempt.isDry ? { answer: toDryAnswer(held.answer, host) } : held;
	};
	const finish = async (
		attempt: Attempt,
		held: Held,
		result: PromiseSettledResult<Json>,
	): Promise<Json> => {
		const output =
			result.status === 'fulfilled'
				? { ...result, value: toOutput(attempt, result.value) }
				: result;
		return await settleClaims(held, toOutcome(output, attempt));
	};

	return {
		/**
		 * Must be called for all items of a run, in order, before `send`.
		 *
		 * @throws InputError - the item would exceed a limit
		 */
		plan: (attempt: Attempt): void => {
			attempt.itemKey = itemKeyOf(attempt.item);
			if (attempt.skip) return;
			if (attempt.isDry) dryKeys.plan(attempt, dryCounts.plan);
			// An item with a key may be skipped as a duplicate. That is only known when it is sent, so it isn't counted
			// in advance.
			else if (attempt.key === undefined) counts.plan(attempt);
		},
		/** Must be called after `plan` if the node stops at a failure. @throws InputError - not all items fit today */
		requireRoom: counts.requireRoom,
		/** Sends an item. `dispatch` makes the request. */
		send: async (attempt: Attempt, dispatch: Dispatch): Promise<Json> => {
			const held = await begin(attempt);
			if ('answer' in held) return held.answer;
			const request = attempt.isDry ? dispatch(attempt) : lookUp.dispatch(attempt, dispatch);
			return await finish(attempt, held, await settle(request));
		},
		/** The first half of `send`, for items that share requests. */
		hold: begin,
		/** The second half of `send`, called with the item's result. */
		finish,
		/** Whether `resolve` will search for the item's message. */
		isUnconfirmed: lookUp.isOpen,
		/** @returns the answers for the unconfirmed messages that were found, and how many were not found */
		resolve: async () => {
			const leave = holdState(state);
			const { found, missing } = await lookUp.resolve().finally(leave);
			const answers = found.map(([attempt, record]): [item: number, answer: Json] => {
				const answer = toOutput(attempt, record);
				ledger.accept(attempt, answer);
				keys.accept(attempt, answer);
				return [attempt.item, answer];
			});
			return { answers, missing };
		},
	};
}

export type Pipeline = ReturnType<typeof createPipeline>;
