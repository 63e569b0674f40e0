import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../../api/clock';
import { InputError, outcomeOf } from '../../api/errors';
import type { Json } from '../../api/json';
import { settle } from '../../api/mapConcurrently';
import { textOrNone } from '../../api/schemas/common.schema';
import { notAsked, parkedRecord, type Asked } from '../../events/replyRecord';
import {
	questionSettingsOf,
	type QuestionInput,
	type QuestionSettings,
} from '../../fields/questionSettings';
import { attempt } from '../../fields/refusal';
import type { Ask, Request } from '../../sending/itemSender';
import { isSubNode } from '../../sending/agentTool';
import { createItemRunner, type ItemRunner, type Running } from '../itemRunner';
import { createSideService, createTidyingService } from '../nodeService';
import type { Asks } from '../operation';
import type { Prepared } from '../readItems';
import { removeWebhook } from '../removeWebhook';
import type { Ran } from '../runItems';
import { outlastEarlierWait } from './earlierWait';
import { openHook } from './hook';
import { tidyUp } from './tidyUp';

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

const refuseAll = (prepared: Prepared[], reason: InputError): Ran => ({
	results: prepared.map(() => ({ status: 'rejected', reason })),
	remembersAnswers: false,
});

/** Nobody waits for the reply any more, also where the execution was stopped. A later run sweeps what is left. */
const giveUp = async (context: IExecuteFunctions, { webhookId }: Asked): Promise<void> =>
	await removeWebhook(createTidyingService(context), webhookId).catch(() => undefined);

/** Nothing is sent, so there is nothing to wait for. */
const tryOut = async (prepared: Prepared, { runItem }: ItemRunner): Promise<Ran> => {
	const tried = async () =>
		(await runItem(prepared, 0)).map((record) => (record.skipped ? notAsked(record) : record));
	return { results: [await settle(tried())], remembersAnswers: false };
};

/** By the answer of the service, which the memory of the execution hands out again to a second try. */
const askedWith = new WeakMap<Json, Asked>();

type Question = Request & { settings: QuestionSettings };

/** What no field can tell by itself is checked as fields are: before the first request, and in a dry run. */
const withSettings = (
	context: IExecuteFunctions,
	prepared: Prepared,
): Question | Exclude<Prepared, Request> => {
	if ('error' in prepared) return prepared;
	const read = attempt(() =>
		questionSettingsOf(prepared.input as QuestionInput, isReview(context)),
	);
	return 'error' in read
		? { error: read.error, isDry: prepared.isDry }
		: { ...prepared, settings: read.value };
};

/** Opens the hook, and then sends. What a former try of this run sent is asked again of nobody. */
const ask = async (
	context: IExecuteFunctions,
	prepared: Question,
	{ runner, clock, asks }: { runner: ItemRunner; clock: Clock; asks: Asks<never> },
): Promise<Ran> => {
	const { settings } = prepared;
	const pause = await settle(outlastEarlierWait(context, clock));
	if (pause.status === 'rejected') return { results: [pause], remembersAnswers: false };
	const parties = asks.parties(prepared.input as never);
	const service = createSideService(context, clock);
	await tidyUp(context, service, { ...settings, senders: parties.senders });
	let opened: Asked | undefined;
	const send: Ask = async (input) => {
		const { events } = asks;
		opened = await openHook(context, service, { settings, parties, events, nowMs: Date.now() });
		return await runner.send(input, { reference: opened.question.reference });
	};
	const result = await settle(runner.runItem(prepared, 0, send));
	const remembersAnswers = runner.remembersAnswers();
	if (result.status === 'rejected') {
		// It may have arrived: then its webhook keeps the reply from an older question, until its time is over.
		if (opened && outcomeOf(result.reason) !== 'unknown') await giveUp(context, opened);
		return { results: [result], remembersAnswers };
	}
	const [message = {}] = result.value;
	if (opened) askedWith.set(message, { ...opened, questionId: textOrNone(message.id) });
	const asked = askedWith.get(message);
	const record = asked ? parkedRecord(asked) : notAsked(message);
	const results: Ran['results'] = [{ status: 'fulfilled', value: [record] }];
	return { results, remembersAnswers, untilMs: asked?.untilMs };
};

/**
 * Asks one person, and says until when the execution has to wait for the reply.
 *
 * @returns the one result, or the same refusal for each of several items, which would lose replies
 */
export const askItems = async (
	context: IExecuteFunctions,
	prepared: Prepared[],
	{ asks, ...running }: Running & { asks: Asks<never> },
): Promise<Ran> => {
	const [first] = prepared;
	if (isSubNode(context)) return refuseAll(prepared, cannotWait());
	if (prepared.length !== 1 || !first) return refuseAll(prepared, tooMany(prepared.length));
	const runner = createItemRunner(context, running);
	const question = withSettings(context, first);
	if (question.isDry || 'error' in question) return await tryOut(question, runner);
	return await ask(context, question, { runner, clock: running.clock, asks });
};
