import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { textOrNone } from '../api/endpoint';
import { getWebhooks } from '../api/endpoints/webhook';
import type { Service } from '../api/service';
import { readMedia } from '../events/media';
import { newestAfter, questionsAmong } from '../events/openQuestions';
import type { ReceivedEvent } from '../events/parse';
import {
	endsAllQuestions,
	classifyReply,
	classifyAsOlder,
	type Question,
	readQuestion,
	type ReplyKind,
} from '../events/question';
import { replyIdOf, replyIn, replyRecord } from '../events/replyRecord';
import { readAsk } from '../events/tokens';
import { type Asks, findOperation, type Resource } from '../operation';
import { createNodeClock } from '../runtime/clock';
import { apiKeyOf } from '../runtime/credentials';
import { itemWithFiles, mediaPrefix, onAnswered, handleDelivery } from '../runtime/delivery';
import { createNodeService, patient, removeWebhook } from '../runtime/services';
import { answers } from './claims';
import { explainOnce } from './explain';

export type Suspended = {
	question: Question;
	questionId?: string;
	webhookId: string;
	untilMs: number;
};

/** What `park` left. Undefined when the delivery is for another question, e.g. of an earlier turn of a loop. */
export const readSuspended = (context: IWebhookFunctions): Suspended | undefined => {
	const records = context.evaluateExpression('{{ $input.all().map((item) => item.json) }}', 0);
	const [record] = Array.isArray(records) ? (records as unknown[]) : [];
	const { waitedUntil, ...fields } = (record ?? {}) as Record<string, unknown>;
	const { question: parked, questionId, webhookId } = fields;
	const question = readQuestion(parked);
	const { ask } = context.getQueryData() as { ask?: unknown };
	const id = textOrNone(webhookId);
	return question && id !== undefined && question.ask === ask
		? {
				question,
				questionId: textOrNone(questionId),
				webhookId: id,
				untilMs: Date.parse(String(waitedUntil)),
			}
		: undefined;
};

type Newest = { context: IWebhookFunctions; service: Service; nowMs: number };

type Judged = { verdict: ReplyKind; received: ReceivedEvent };

/**
 * What a reply is to a question beside others that are open to this person: the newest gets it. Mostly the event says
 * so itself, by the latest message that it quotes; otherwise the account's list of webhooks does. When it cannot
 * be read, the reply counts, unless another question of this process got it.
 */
export const classifyAmongOpen = async (
	{ question: { reference, ask }, webhookId }: Suspended,
	{ verdict, received }: Judged,
	{ context, service, nowMs }: Newest,
): Promise<ReplyKind> => {
	const quoted = replyIn(received)?.last_message?.message_ref;
	if (endsAllQuestions(verdict) || quoted === reference) return verdict;
	const replyId = replyIdOf(received);
	const isAnswered = (other: string) => answers.wasClosedBefore(other, replyId);
	const look = async () => {
		const key = await apiKeyOf(context);
		const questions = questionsAmong(await service.call(getWebhooks), key);
		// Its webhook may be gone already, e.g. when somebody removed it.
		const own = questions.find((each) => each.webhookId === webhookId) ?? readAsk(key, ask);
		return own && newestAfter(questions, own, { nowMs, isAnswered, quoted });
	};
	const newest = await look().catch(() => undefined);
	if (answers.isTakenFrom(webhookId, replyId)) return { kind: 'other' };
	return newest ? classifyAsOlder(verdict, newest.words) : verdict;
};

/** The execution stays as it is, and the service does not try again. */
const waiting = { webhookResponse: { waiting: true } } satisfies IWebhookResponseData;

/** So long, processes to which the same reply comes can see that this question was open when it was written. */
const keptMs = 5_000;

const removeLater = async (service: Service, webhookId: string): Promise<void> => {
	await createNodeClock(undefined).sleep(keptMs);
	await removeWebhook(service, webhookId);
};

type Reply = { verdict: ReplyKind & { kind: 'answer' | 'optOut' }; received: ReceivedEvent };

const toItem = async (
	context: IWebhookFunctions,
	parked: Suspended,
	{ verdict, received }: Reply,
): Promise<INodeExecutionData> => {
	const record = replyRecord(parked, verdict, received);
	const item = await itemWithFiles(context, {
		files: readMedia(received.body),
		prefix: mediaPrefix,
		parseIssues: received.parseIssues,
		toJson: (media) => (media ? { ...record, media } : record),
	});
	return { ...item, pairedItem: { item: 0 } };
};

/** Goes on with the reply; only the first of several that arrive together does. */
const resume = async (
	context: IWebhookFunctions,
	parked: Suspended,
	{ nowMs, ...reply }: Reply & { nowMs: number },
): Promise<IWebhookResponseData> => {
	const { webhookId, untilMs } = parked;
	const claim = { replyId: replyIdOf(reply.received), isAnswer: reply.verdict.kind === 'answer' };
	if (!answers.claim(webhookId, claim)) return waiting;
	const service = createNodeService(context);
	onAnswered(context, (isTaken) => {
		// Whoever delivers it again is to be heard; a webhook that is left is swept by a later run.
		if (!isTaken) answers.release(webhookId);
		else void removeLater(service, webhookId).catch(() => undefined);
	});
	const item = await toItem(context, parked, reply).catch((error: unknown) => {
		answers.release(webhookId);
		throw error;
	});
	// The execution has gone on by itself meanwhile, and n8n 1 would let it go on again.
	if (nowMs < untilMs && untilMs <= Date.now()) return waiting;
	return { webhookResponse: { waiting: false }, workflowData: [[item]] };
};

const asksOf = (context: IWebhookFunctions, resources: Resource[]): Asks<never> | undefined => {
	const found = findOperation(resources, {
		resource: context.getNodeParameter('resource', undefined),
		operation: context.getNodeParameter('operation', undefined),
	});
	return found?.operation.asks;
};

const take = async (
	context: IWebhookFunctions,
	resources: Resource[],
	received: ReceivedEvent,
): Promise<IWebhookResponseData> => {
	const parked = readSuspended(context);
	if (!parked) return waiting;
	const judged = classifyReply(parked.question, received);
	if (judged.kind === 'other') return waiting;
	const service = createNodeService(context);
	const nowMs = Date.now();
	const verdict = await classifyAmongOpen(
		parked,
		{ verdict: judged, received },
		{ context, service, nowMs },
	);
	if (verdict.kind === 'other') return waiting;
	if (verdict.kind !== 'noMatch') {
		return await resume(context, parked, { verdict, received, nowMs });
	}
	const asks = asksOf(context, resources);
	onAnswered(context, () => {
		if (!asks) return;
		const speaking = createNodeService(context, patient);
		void explainOnce(speaking, parked, { received, say: asks.say }).catch(() => undefined);
	});
	return waiting;
};

/** Answers a delivery for an open question: the execution goes on with it, or stays as it is. */
export const receiveReply = async (
	context: IWebhookFunctions,
	resources: Resource[],
): Promise<IWebhookResponseData> =>
	await handleDelivery(context, {
		// n8n itself has checked the signature of the address.
		rightOf: async () => true,
		take: async (received) => await take(context, resources, received),
	});
