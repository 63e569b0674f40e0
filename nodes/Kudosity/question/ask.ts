import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { textOrNone } from '../api/endpoint';
import { InputError, outcomeOf, QuestionNotSentError } from '../api/errors';
import { type Asked, notAsked, suspendedRecord } from '../events/replyRecord';
import type { Input } from '../fields/field';
import { type QuestionInput, readQuestionSettings, refuseUnclearNumbers } from '../fields/question';
import { type Clock, settle, settleNow } from '../lib/async';
import type { Json } from '../lib/json';
import { epochMsOf } from '../lib/time';
import type { Asks } from '../fields/operation';
import { createSideService, createCleanUpService, removeWebhook } from '../n8n/services';
import { type Attempt, type Dispatch, type Prepared, refused, type Results } from '../send/attempt';
import { skipIn } from '../send/skips';
import { hostOf } from '../n8n/host';
import { openQuestion } from './open';
import { prepare } from './prepare';
import { suspend, waitForEarlierTimer } from './wait';

type QuestionResult = {
	results: Results;
	suspend?: (output: INodeExecutionData[]) => Promise<INodeExecutionData[]>;
};

/** Sends the question through the same pipeline as all other items of the action node. */
type Runner = {
	runItem(prepared: Prepared, dispatch?: Dispatch): Promise<Json[]>;
	/** Makes the actual request to the service. */
	request(input: Input, reference?: string): Promise<Json>;
};

/**
 * Asks one person: creates the webhook for the reply and sends the message. The result's `suspend` then lets the
 * execution wait for the reply.
 */
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
	// The settings are read like fields: before the first request, and also in a dry run.
	const read = settleNow(() => {
		if ('error' in first) throw first.error;
		const { isReview } = hostOf(context);
		const settings = readQuestionSettings(first.input as QuestionInput, isReview);
		// The message of a review quotes the agent's own text, which may ask somebody else for a number.
		if (!isReview) refuseUnclearNumbers(settings, asks.parties(first.input).sent ?? []);
		return settings;
	});
	if (read.status === 'rejected' || 'error' in first || first.isDry) {
		const checked = read.status === 'rejected' ? refused(first, read.reason) : first;
		const result = await settle(runner.runItem(checked));
		if (result.status === 'rejected') return { results: [result] };
		const value = result.value.map((record) => (skipIn(record) ? notAsked(record) : record));
		return { results: [{ status: 'fulfilled', value }] };
	}
	const settings = read.value;
	const pause = await settle(waitForEarlierTimer(context, clock));
	if (pause.status === 'rejected') return { results: [pause] };
	const parties = asks.parties(first.input);
	const service = createSideService(context, clock);
	await prepare(context, service, settings);

	let opened: Asked | undefined;
	// The webhook is created right before the request, after all other checks have passed.
	const dispatch = async ({ input }: Attempt): Promise<Json> => {
		const asking = { settings, parties, events: asks.events };
		opened = await openQuestion(context, service, asking).catch((error: unknown) => {
			throw new QuestionNotSentError(error);
		});
		return await runner.request(input, opened.question.reference);
	};
	const result = await settle(runner.runItem(first, dispatch));
	if (result.status === 'rejected') {
		// If the message may have arrived, the webhook is kept, because without it, the reply would go to an older
		// question.
		if (opened && outcomeOf(result.reason) !== 'unknown') {
			// The cleanup service also works after the user has stopped the execution. If the removal fails, a later
			// question deletes the expired webhook.
			await removeWebhook(createCleanUpService(context), opened.webhookId).catch(() => undefined);
		}
		return { results: [result] };
	}
	const [message = {}] = result.value;
	// No webhook was created, e.g. because an earlier attempt sent the question, or its Deduplication Key was used
	// before.
	if (!opened) return { results: [{ status: 'fulfilled', value: [notAsked(message)] }] };
	const asked = withMessage(opened, message);
	return {
		results: [{ status: 'fulfilled', value: [suspendedRecord(asked)] }],
		suspend: async (output) => await suspend(context, output, asked.untilMs),
	};
}

/**
 * Adds the service's data about the message. `sentAt` is needed because a reply from before that time doesn't answer
 * the question.
 */
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

/** Returns the reason why no question at all can be asked here; undefined if there is none. */
function findRefusal(context: IExecuteFunctions, count: number): InputError | undefined {
	const { canWait, where, instead } = hostOf(context);
	if (!canWait) {
		// Nothing would be waiting for the reply, and the webhook would be left behind. The error's message includes
		// the remedy, so a language model reads both.
		const problem = `'Send and Wait for Response' doesn't work in ${where}, so nothing was sent`;
		return new InputError(`${problem}. ${instead}`, '');
	}
	return count > 1 ? tooMany(count) : undefined;
}

/**
 * Creates the error for several items. An execution can only wait once, so the first reply would continue it with all
 * items.
 */
function tooMany(count: number): InputError {
	return new InputError(
		`This operation handles one item per run, but got ${count}. Nothing was sent`,
		'To ask recipients one at a time, put Loop Over Items with Batch Size 1 before this node. To ask all of them at the same time, move this node into a sub-workflow and call that workflow from the loop: use Execute Sub-workflow with Wait For Sub-Workflow Completion turned off',
	);
}
