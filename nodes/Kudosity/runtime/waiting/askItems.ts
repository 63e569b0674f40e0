import type { IExecuteFunctions } from 'n8n-workflow';
import { InputError, outcomeOf } from '../../api/errors';
import type { Json } from '../../api/json';
import { settle } from '../../api/mapConcurrently';
import { textOrNone } from '../../api/schemas/common.schema';
import type { Service } from '../../api/service';
import { notAsked, parkedRecord, type Asked } from '../../events/replyRecord';
import type { Input } from '../../fields/field';
import { questionSettingsOf, type QuestionInput } from '../../fields/questionSettings';
import { isSubNode } from '../../sending/tool';
import { createItemRunner, type Running } from '../itemRunner';
import { createNodeService } from '../nodeService';
import type { Asks } from '../operation';
import type { Prepared } from '../readItems';
import { removeWebhook } from '../removeWebhook';
import type { Ran } from '../runItems';
import { openHook } from './hook';
import { tidyUp } from './tidyUp';

type AskingRun = Running & { asks: Asks<never> };

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

const referenceOf = ({ message_ref: reference }: Json): string | undefined =>
	typeof reference === 'string' && reference !== '' ? reference : undefined;

/** Opens the hook, and then sends. What a former try of this run sent is asked again of nobody. */
const createQuestion = (context: IExecuteFunctions, running: AskingRun, service: Service) => {
	const runner = createItemRunner(context, running);
	let asked: Asked | undefined;
	const open = async (input: Input, reference?: string): Promise<Asked> => {
		const { events, parties } = running.asks;
		return await openHook(context, service, {
			settings: questionSettingsOf(input as QuestionInput, isReview(context)),
			parties: parties(input as never),
			events,
			reference,
			nowMs: Date.now(),
		});
	};
	const send = async (input: Input): Promise<Json[]> => {
		asked = await open(input);
		const [message = {}] = await runner.performAs(asked.question.reference)(input);
		asked.questionId = textOrNone(message.id);
		return [{ ...message, asked }];
	};
	return {
		remembersAnswers: () => runner.remembersAnswers(),
		ask: async (prepared: Prepared): Promise<{ record: Json; untilMs?: number }> => {
			const [message = {}] = await runner.runItem(prepared, 0, send);
			if (message.skipped === true || !('input' in prepared)) return { record: notAsked(message) };
			const known = (message.asked as Asked | undefined) ?? asked;
			const question = known ?? (await open(prepared.input, referenceOf(message)));
			question.questionId ??= textOrNone(message.id);
			return { record: parkedRecord(question), untilMs: question.untilMs };
		},
		/** Nobody waits for the reply any more. What cannot be removed now, a later run sweeps. */
		giveUp: async () => {
			if (asked) await removeWebhook(service, asked.webhookId).catch(() => undefined);
		},
	};
};

/** Nothing is sent, so there is nothing to wait for. */
const tryOut = async (
	context: IExecuteFunctions,
	prepared: Prepared,
	running: AskingRun,
): Promise<Ran> => {
	const { runItem } = createItemRunner(context, running);
	const tried = async () =>
		(await runItem(prepared, 0)).map((record) => (record.skipped ? notAsked(record) : record));
	return { results: [await settle(tried())], remembersAnswers: false };
};

/**
 * Asks one person, and says until when the execution has to wait for the reply.
 *
 * @returns the one result, or the same refusal for each of several items, which would lose replies
 */
export const askItems = async (
	context: IExecuteFunctions,
	prepared: Prepared[],
	running: AskingRun,
): Promise<Ran> => {
	const [first] = prepared;
	if (isSubNode(context)) return refuseAll(prepared, cannotWait());
	if (prepared.length !== 1 || !first) return refuseAll(prepared, tooMany(prepared.length));
	if (first.isDry) return await tryOut(context, first, running);
	const service = createNodeService(context);
	if (!('error' in first)) {
		const { senders } = running.asks.parties(first.input as never);
		const { options } = first.input as QuestionInput;
		await tidyUp(context, service, { senders, options });
	}
	const { ask, giveUp, remembersAnswers } = createQuestion(context, running, service);
	const result = await settle(ask(first));
	if (result.status === 'rejected') {
		// It may have arrived: then its webhook keeps the reply from an older question, until its time is over.
		if (outcomeOf(result.reason) !== 'unknown') await giveUp();
		return { results: [result], remembersAnswers: remembersAnswers() };
	}
	const { record, untilMs } = result.value;
	const results: Ran['results'] = [{ status: 'fulfilled', value: [record] }];
	return { results, remembersAnswers: remembersAnswers(), untilMs };
};
