import { omitUndefined, type Json } from '../lib/json';
import { createItemKeys, isTool, agentAnswer } from './agentTool';
import type { Attempt, Dispatch, Run, Stage } from './attempt';
import type { Tally } from './dryRun';
import { executionStateOf, keepDuring } from './executionState';
import { dryKeys, idempotencyKeys, sharedKeys } from './idempotencyKeys';
import { createLedger } from './ledger';
import { createLookUp } from './lookUp';
import { createQuota, dryDailyCounts, sharedDailyCounts } from './quota';

/** Each stage goes on with the next one, and the last one with the request. */
const compose = (stages: Stage[], dispatch: Dispatch): Dispatch =>
	stages.reduceRight<Dispatch>(
		(next, stage) => async (attempt) => await stage(attempt, async () => await next(attempt)),
		dispatch,
	);

/**
 * How an item is sent, for every operation that must not be done twice. Before the first request of a run, for all
 * items, so that one wrong value sends nothing:
 *
 * 1. `guards.ts`     checks what one item tells by itself: Send Once Key, Allowed Recipients, Max Parts
 * 2. `quota.plan`    checks what the items add up to: Max per Execution, Max per Recipient
 *
 * Then, for each item, from the outside in:
 *
 * 3. `ledger`        Retry On Fail runs the node again: answers with what was accepted, and takes nothing for it
 * 4. `keys`          claims the Send Once Key across processes, so that a duplicate uses up no quota
 * 5. `quota`         reserves room for the message, as late as possible
 * 6. `lookUp`        gives the message a reference of its own, and notes it when the answer is lost
 * 7. `dispatch`      the request, which the transport paces and repeats; a batch or a question hooks in here
 *
 * On the way back each stage decides by the outcome: what was certainly not sent gives its key and its quota back,
 * what may have been sent keeps both. When all others are done:
 *
 * 8. `lookUp.resolve` looks for the messages whose answer was lost, and enters them in 3 and 4
 *
 * A dry run has stages 4 and 5 in memory, and nothing of 3, 6 and 8.
 */
export const createPipeline = (run: Run, tally: Tally) => {
	const { context, operation } = run;
	const { sends, asks } = operation;
	const state = executionStateOf(context);
	const itemKeyOf = createItemKeys(context);
	const ledger = createLedger(run, state);
	const keys = idempotencyKeys(run, () => sharedKeys(run));
	const quota = createQuota(run, state.counts, () => sharedDailyCounts(run));
	const dryQuota = createQuota(run, state.dryCounts, () => dryDailyCounts(state.dryCounts));
	const dryKeyStore = dryKeys(state.dryCounts);
	const lookUp = sends?.lookUp && createLookUp(run, sends.lookUp, ledger.answeredIds);

	const stopped: Stage = async (_, next) => {
		// After Stop, no key is taken and no count is made for what would not be sent.
		await run.clock.unlessCancelled(Promise.resolve());
		return await next();
	};
	const live = [stopped, ledger.stage, keys.stage, quota.stage, ...(lookUp ? [lookUp.stage] : [])];
	const dry = [idempotencyKeys(run, () => dryKeyStore).stage, dryQuota.stage];

	const isShort = sends && !asks && isTool(context);
	const note = isTool(context) ? { reason: 'Dry run: nothing was sent' } : {};
	const withParts = ({ parts }: Attempt, record: Json): Json => ({
		...record,
		...(parts && { parts: parts.parts, encoding: parts.encoding }),
	});
	const answerOf = (attempt: Attempt, record: Json): Json => {
		const answer = withParts(attempt, record);
		return isShort ? agentAnswer(answer, sends.agentFields) : answer;
	};
	const rehearse = async (attempt: Attempt, dispatch: Dispatch): Promise<Json> => {
		const rehearsed = compose(dry, async (each) => withParts(each, await dispatch(each)));
		const record = await rehearsed(attempt);
		if (record.skipped !== true) return omitUndefined({ dryRun: true, ...note, ...record });
		tally.skip();
		return { ...record, dryRun: true };
	};
	return {
		/** @throws InputError the limits leave no room for it; to be called for the items of a run in their order */
		plan: (attempt: Attempt): void => {
			attempt.itemKey = itemKeyOf(attempt.item);
			const { sendOnceKey: key } = attempt.options;
			// Which of those with a Send Once Key are skipped is not known before they are sent.
			if (!attempt.isDry) return key === undefined ? quota.plan(attempt) : undefined;
			if (key === undefined) dryQuota.plan(attempt);
			else dryKeyStore.plan(key, attempt, dryQuota.plan);
		},
		send: async (attempt: Attempt, dispatch: Dispatch): Promise<Json> =>
			attempt.isDry
				? await rehearse(attempt, dispatch)
				: await compose(live, async (each) => answerOf(each, await dispatch(each)))(attempt),
		/** Whether it waits for `resolve`. */
		isInDoubt: (item: number): boolean => lookUp?.isInDoubt(item) ?? false,
		/** @returns what was found of the items in doubt, and how many of them were not */
		resolve: async (): Promise<{
			answers: Array<[item: number, answer: Json]>;
			missing: number;
		}> => {
			if (!lookUp) return { answers: [], missing: 0 };
			const { found, missing } = await keepDuring(state, lookUp.resolve);
			const answers = found.map(([attempt, record]): [number, Json] => {
				const answer = answerOf(attempt, record);
				ledger.settle(attempt, answer);
				keys.settle(attempt, answer);
				return [attempt.item, answer];
			});
			return { answers, missing };
		},
	};
};

export type Pipeline = ReturnType<typeof createPipeline>;
