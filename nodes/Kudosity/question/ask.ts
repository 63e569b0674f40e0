import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { textOrNone } from '../api/endpoint';
import { InputError, outcomeOf, QuestionNotSentError } from '../api/errors';
import { type Asked, notAsked, suspendedRecord } from '../events/replyRecord';
import type { Input } from '../fields/field';
import { type QuestionInput, readQuestionSettings } from '../fields/question';
import { type Clock, settle, settleNow } from '../lib/async';
import type { Json } from '../lib/json';
import { epochMsOf } from '../lib/time';
import type { Asks } from '../fields/operation';
import { createSideService, createCleanUpService, removeWebhook } from '../n8n/services';
import { type Attempt, type Dispatch, type Prepared, refused, type Results } from '../send/attempt';
import { skipIn } from '../send/skips';
import { hostOf } from '../n8n/host';
import { cleanUpBefore, isN8n1, openReplyWebhook } from './webhook';

/** n8n sets its timer up to 70 seconds before a wait ends; the rest is for asking. */
const setBeforeMs = 80_000;
const marginMs = 2_000;

type Wait = { executionId: string; untilMs: number };

/** n8n keeps it with the execution, also while that waits. */
const waits = (context: IExecuteFunctions) =>
	context.getContext('flow') as { kudosityWait?: Partial<Wait> };

/**
 * Pauses until the timer of an answered question has gone off: n8n's `WaitTracker` has one for each execution, which a
 * reply does not clear. Not on n8n 1, where it would restart an execution that is still running.
 *
 * @throws CancelledError when the user stops the run
 */
async function outlastEarlierWait(context: IExecuteFunctions, clock: Clock): Promise<void> {
	const { executionId, untilMs = 0 } = waits(context).kudosityWait ?? {};
	const leftMs = untilMs - clock.calendarNow();
	const isDue = leftMs > 0 && leftMs <= setBeforeMs && executionId === context.getExecutionId();
	if (isDue && !isN8n1(context)) await clock.sleep(leftMs + marginMs);
}

/**
 * Lets the execution wait. At the time limit, n8n does not call the node, but passes on the input of this call. It also
 * disables the node of this call, which is why that is a copy: waiting calls of an agent share the original.
 *
 * @returns what is output meanwhile, e.g. to the caller of a Webhook node that responds when the last node finishes: a
 * copy, as with an error output n8n empties the array that it is given
 */
async function suspend(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	untilMs: number,
): Promise<INodeExecutionData[]> {
	const call = context.getExecuteData();
	call.data = { main: [items] };
	call.node = { ...call.node };
	await context.putExecutionToWait(new Date(untilMs));
	waits(context).kudosityWait = { executionId: context.getExecutionId(), untilMs };
	return items.map((item) => ({ ...item, json: { ...item.json, timedOut: false } }));
}

/** An execution waits once: the first reply would continue it with all items. */
const tooMany = (count: number) =>
	new InputError(
		`This operation handles one item per run, but got ${count}. Nothing was sent`,
		'Put Loop Over Items with Batch Size 1 before this node to ask one after the other. To ask all at the same time, move it into a sub-workflow that the loop calls with Execute Sub-workflow, with Wait For Sub-Workflow Completion off',
	);

/** Why nobody can be asked here, whatever the question. */
function findRefusal(context: IExecuteFunctions, count: number): InputError | undefined {
	const { canWait, where, instead } = hostOf(context);
	if (!canWait) {
		// Nobody would be there to take the reply, and the webhook would stay. All in the message, for the model to read.
		const problem = `A question can't wait for its reply in ${where}, so nothing was sent`;
		return new InputError(`${problem}. ${instead}`, '');
	}
	return count > 1 ? tooMany(count) : undefined;
}

type QuestionResult = {
	results: Results;
	suspend?: (output: INodeExecutionData[]) => Promise<INodeExecutionData[]>;
};

/** Adds what the service says of the message. A reply from before `sentAt` does not answer the question. */
function withMessage({ question, ...opened }: Asked, message: Json): Asked {
	const sentMs = epochMsOf(String(message.created_at));
	const sentAt = Number.isNaN(sentMs) ? undefined : new Date(sentMs).toISOString();
	const { id, smartEncoding } = message;
	return {
		...opened,
		question: { ...question, sentAt },
		questionId: textOrNone(id),
		smartEncoding,
	};
}

/** Sends the question through the pipeline, as the action node sends every item. */
type Runner = {
	runItem(prepared: Prepared, dispatch?: Dispatch): Promise<Json[]>;
	/** Makes the request itself. */
	request(input: Input, reference?: string): Promise<Json>;
};

/** Asks one person. The reply webhook is made as the last thing before the request, when nothing else can refuse it. */
export async function ask(
	context: IExecuteFunctions,
	items: Prepared[],
	{ runner, clock, asks }: { runner: Runner; clock: Clock; asks: Asks<Input> },
): Promise<QuestionResult> {
	const [first] = items;
	const refusal = findRefusal(context, items.length);
	if (refusal || !first) {
		return { results: items.map(() => ({ status: 'rejected', reason: refusal })) };
	}
	// Read before the first request, and in a dry run, as fields are.
	const read = settleNow(() => {
		if ('error' in first) throw first.error;
		return readQuestionSettings(first.input as QuestionInput, hostOf(context).isReview);
	});
	if (read.status === 'rejected' || 'error' in first || first.isDry) {
		const checked = read.status === 'rejected' ? refused(first, read.reason) : first;
		const result = await settle(runner.runItem(checked));
		if (result.status === 'rejected') return { results: [result] };
		const value = result.value.map((record) => (skipIn(record) ? notAsked(record) : record));
		return { results: [{ status: 'fulfilled', value }] };
	}
	const settings = read.value;
	const pause = await settle(outlastEarlierWait(context, clock));
	if (pause.status === 'rejected') return { results: [pause] };
	const parties = asks.parties(first.input);
	const service = createSideService(context, clock);
	await cleanUpBefore(context, service, settings);

	let opened: Asked | undefined;
	const dispatch = async ({ input }: Attempt): Promise<Json> => {
		const asking = { settings, parties, events: asks.events };
		opened = await openReplyWebhook(context, service, asking).catch((error: unknown) => {
			throw new QuestionNotSentError(error);
		});
		return await runner.request(input, opened.question.reference);
	};
	const result = await settle(runner.runItem(first, dispatch));
	if (result.status === 'rejected') {
		// If the message may have arrived, its webhook stays, so that the reply does not go to an older question.
		if (opened && outcomeOf(result.reason) !== 'unknown') {
			// Also after Stop. `removeExpired` of a later run removes what is left.
			await removeWebhook(createCleanUpService(context), opened.webhookId).catch(() => undefined);
		}
		return { results: [result] };
	}
	const [message = {}] = result.value;
	// Not opened if an earlier try has sent the question, or its Deduplication Key was used before.
	if (!opened) return { results: [{ status: 'fulfilled', value: [notAsked(message)] }] };
	const asked = withMessage(opened, message);
	return {
		results: [{ status: 'fulfilled', value: [suspendedRecord(asked)] }],
		suspend: async (output) => await suspend(context, output, asked.untilMs),
	};
}
