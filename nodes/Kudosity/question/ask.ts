import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { textOrNone } from '../api/endpoint';
import { InputError, outcomeOf } from '../api/errors';
import type { Clock } from '../lib/async';
import { type Asked, notAsked, suspendedRecord } from '../events/replyRecord';
import { attempt as tryTo, type Input } from '../fields/field';
import { type QuestionInput, readQuestionSettings } from '../fields/question';
import { settle } from '../lib/async';
import type { Json } from '../lib/json';
import type { Asks } from '../operation';
import type { ItemRunner, Results } from '../runtime/itemRunner';
import { createSideService, createTidyingService, removeWebhook } from '../runtime/services';
import { isAgentSubNode } from '../send/agentTool';
import type { Attempt, Prepared } from '../send/attempt';
import { checksByItself, openReplyWebhook, cleanUpBefore } from './webhook';

/** n8n sets a timer up to 70 seconds before the end of a wait; the rest is for asking. */
const setBeforeMs = 80_000;
const marginMs = 2_000;

type Wait = { executionId: string; untilMs: number };

/** Kept with the execution, also while it waits. */
const waits = (context: IExecuteFunctions) =>
	context.getContext('flow') as { kudosityWait?: Partial<Wait> };

/** Keeps the end of a question's wait for the next question of the same execution. */
export const storeWait = (context: IExecuteFunctions, untilMs: number): void => {
	waits(context).kudosityWait = { executionId: context.getExecutionId(), untilMs };
};

/**
 * Pauses until the timer of an answered question has gone off, which would end the next one of the same execution:
 * n8n's `WaitTracker` has one timer for each execution, and a reply does not clear it. Not on n8n 1, which would start
 * again what still runs then.
 *
 * @throws CancelledError when the user stops the run
 */
export const outlastEarlierWait = async (
	context: IExecuteFunctions,
	clock: Clock,
): Promise<void> => {
	const { executionId, untilMs = 0 } = waits(context).kudosityWait ?? {};
	const leftMs = untilMs - clock.calendarNow();
	const isDue = leftMs > 0 && leftMs <= setBeforeMs && executionId === context.getExecutionId();
	if (isDue && checksByItself(context)) await clock.sleep(leftMs + marginMs);
};

/**
 * Lets the execution wait. When the time is over, n8n does not call the node: it passes on what is parked, by
 * default the input. It does so by switching off the node of this call, which is therefore a copy: an agent's calls
 * that wait for their turn share the other one.
 */
export const suspend = async (
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	untilMs: number,
): Promise<void> => {
	const call = context.getExecuteData();
	call.data = { main: [items] };
	call.node = { ...call.node };
	await context.putExecutionToWait(new Date(untilMs));
	storeWait(context, untilMs);
};

/** An execution waits once: with the first reply it would go on with all items. */
const tooMany = (count: number) =>
	new InputError(
		`One run asks one person, and there are ${count} items. Nothing was sent`,
		'Put Loop Over Items with Batch Size 1 before this node to ask one after the other, or move it into a workflow that Execute Sub-workflow runs once for each item, without waiting for completion, to ask all at once',
	);

const cannotWait = () =>
	new InputError(
		'This AI Agent cannot wait for a reply. Nothing was sent',
		'Use version 3 or later of the AI Agent node',
	);

/** Whether a person is to approve what an agent wants to do: n8n makes a node type of its own for it. */
const isReview = (context: IExecuteFunctions): boolean =>
	context.getNode().type.endsWith('HitlTool');

type Question = {
	results: Results;
	/** Nothing was even tried. */
	isRefused?: boolean;
	/** Lets the execution wait for the reply. */
	park?: (output: INodeExecutionData[]) => Promise<void>;
};

/** By the answer of the service, which the memory of the execution hands out again to a second try. */
const askedWith = new WeakMap<Json, Asked>();

/** Asks one person: the webhook is made before the message goes out, as the last thing before the request. */
export const ask = async (
	context: IExecuteFunctions,
	items: Prepared[],
	{ runner, clock, asks }: { runner: ItemRunner; clock: Clock; asks: Asks<Input> },
): Promise<Question> => {
	const [first] = items;
	const refusal = isAgentSubNode(context) ? cannotWait() : tooMany(items.length);
	if (isAgentSubNode(context) || !first || items.length > 1) {
		return { results: items.map(() => ({ status: 'rejected', reason: refusal })), isRefused: true };
	}
	// What no field can tell by itself is checked as fields are: before the first request, and in a dry run.
	const read = tryTo(() => {
		if ('error' in first) throw first.error;
		return readQuestionSettings(first.input as QuestionInput, isReview(context));
	});
	if ('error' in read || 'error' in first || first.isDry) {
		const { item, isDry } = first;
		const tried = 'error' in read ? { item, isDry, error: read.error } : first;
		const records = settle(runner.runItem(tried));
		const result = await records;
		if (result.status === 'rejected') return { results: [result], isRefused: true };
		const value = result.value.map((record) => (record.skipped ? notAsked(record) : record));
		return { results: [{ status: 'fulfilled', value }], isRefused: true };
	}
	const settings = read.value;
	const pause = await settle(outlastEarlierWait(context, clock));
	if (pause.status === 'rejected') return { results: [pause], isRefused: true };
	const parties = asks.parties(first.input);
	const service = createSideService(context, clock);
	await cleanUpBefore(context, service, { ...settings, senders: parties.senders });

	let opened: Asked | undefined;
	const dispatch = async ({ input }: Attempt): Promise<Json> => {
		const { events } = asks;
		opened = await openReplyWebhook(context, service, {
			settings,
			parties,
			events,
			nowMs: Date.now(),
		});
		return await runner.request(input, opened.question.reference);
	};
	const result = await settle(runner.runItem(first, dispatch));
	if (result.status === 'rejected') {
		// It may have arrived: then its webhook keeps the reply from an older question, until its time is over.
		if (opened && outcomeOf(result.reason) !== 'unknown') {
			// Nobody waits for the reply any more, also where the execution was stopped. A later run sweeps what is left.
			await removeWebhook(createTidyingService(context), opened.webhookId).catch(() => undefined);
		}
		return { results: [result] };
	}
	// What a former try of this run sent is asked again of nobody.
	const [message = {}] = result.value;
	if (opened) askedWith.set(message, { ...opened, questionId: textOrNone(message.id) });
	const asked = askedWith.get(message);
	const record = asked ? suspendedRecord(asked) : notAsked(message);
	return {
		results: [{ status: 'fulfilled', value: [record] }],
		park: asked && (async (output) => await suspend(context, output, asked.untilMs)),
	};
};
