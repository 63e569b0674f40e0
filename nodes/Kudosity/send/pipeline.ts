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
 * Creates the pipeline of a run, which sends the items of every operation that must not be done twice:
 *
 * 1. Before the first request of a run, all items are checked, so one wrong value sends nothing: `sendingLimits.ts`
 *    checks each item by itself (its key, who may get a message, Max SMS Parts). Then `plan` adds up the items
 *    without a key (Max per Execution, Max per Recipient per Day), and `requireRoom` checks that the day has room for
 *    them (Max per Day). An item with a key is counted when it is sent, because only then is it known whether it is
 *    skipped.
 * 2. `hold` asks the guards of `live`, or of `dry`, in their order. Each guard answers for the item, refuses it, or
 *    makes a claim for it.
 * 3. The request is made, and `finish` ends the claims by its outcome, the last one first. `claim.ts` has the policy:
 *    accepted keeps, unknown keeps, refused undoes.
 * 4. When all items are done, `resolve` looks for messages whose answer was lost.
 */
export function createPipeline(run: SendRun, breaker: Pick<CircuitBreaker, 'requireAccount'>) {
	const { context, operation, clock } = run;
	const { sends, asks } = operation;
	const state = executionStateOf(context);
	const itemKeyOf = createItemKeys(context);
	const host = hostOf(context);
	// A question waits for its reply, which the model gets in full.
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
		// After Stop, nothing is claimed or counted for a message that would not be sent.
		throwIfStopped,
		// When Retry On Fail runs the node again, accepted items are answered from memory. This comes before the key,
		// so a second try does not find its own key taken.
		ledger.guard,
		// Blocked recipients use up no key and no limit.
		leaveOut,
		// Outside the hours, nothing is claimed or counted. The hours are checked again right before the request.
		requireHours,
		// Once the account is refused, nothing is claimed or counted for requests that would be refused, too.
		requireAccount,
		// This claims the item's key, across processes. It comes before the counts, so a duplicate uses none of them.
		keys.guard,
		// This takes room in the limits, and comes last, so only messages that are about to be sent take any.
		counts.guard,
	];
	// A dry run keeps keys and counts in memory. It has no ledger, because a retry could repeat nothing.
	const dry: Guard[] = [leaveOut, requireHours, dryKeys.guard, dryCounts.guard];

	/** Shapes the output of an item. The ledger keeps this output. */
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
		 * Must be called for all items of a run, in their order, before `send`.
		 *
		 * @throws InputError - the limits have no room for the item
		 */
		plan: (attempt: Attempt): void => {
			attempt.itemKey = itemKeyOf(attempt.item);
			if (attempt.skip) return;
			if (attempt.isDry) dryKeys.plan(attempt, dryCounts.plan);
			// For an item with a key, only the send tells whether it is skipped.
			else if (attempt.key === undefined) counts.plan(attempt);
		},
		/**
		 * To be called after `plan`, if the node stops at a failure.
		 *
		 * @throws InputError - the day has no room for all items
		 */
		requireRoom: counts.requireRoom,
		/** Sends an item. `dispatch` makes the request. */
		send: async (attempt: Attempt, dispatch: Dispatch): Promise<Json> => {
			const held = await begin(attempt);
			if ('answer' in held) return held.answer;
			const request = attempt.isDry ? dispatch(attempt) : lookUp.dispatch(attempt, dispatch);
			return await finish(attempt, held, await settle(request));
		},
		/** The first half of `send`, for items that share their requests. */
		hold: begin,
		/** The second half, with the result of the item. */
		finish,
		/** Whether `resolve` will look for the item's message. */
		isUnconfirmed: lookUp.isOpen,
		/** @returns the answers of the unconfirmed messages that were found, and how many were not */
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
