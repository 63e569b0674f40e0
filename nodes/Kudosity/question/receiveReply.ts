import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { textOrNone } from '../api/endpoint';
import { getWebhooks } from '../api/endpoints/webhook';
import type { Service } from '../api/service';
import { readMedia } from '../events/media';
import { isBefore, newestBeside, type OpenQuestion, questionsAmong } from '../events/openQuestions';
import type { ReceivedEvent } from '../events/parse';
import {
	endsAllQuestions,
	classifyReply,
	classifyAsOlder,
	mayOptOut,
	readQuestion,
	type ReplyKind,
} from '../events/question';
import { type Asked, replyIdOf, replyIn, replyRecord } from '../events/replyRecord';
import { partiesOfReceived } from '../events/simplify';
import { readAsk } from '../events/tokens';
import { settle } from '../lib/async';
import { epochMsOf } from '../lib/time';
import { type Asks, findOperation, type Resource } from '../operation';
import { createNodeClock } from '../runtime/clock';
import { apiKeyOf } from '../runtime/credentials';
import {
	handleDelivery,
	itemWithFiles,
	mediaPrefix,
	onAnswered,
	refuse,
} from '../runtime/delivery';
import { createNodeService, patient, removeWebhook } from '../runtime/services';
import { answers, sentTimes } from './claims';
import { explainOnce } from './explain';

/** What `suspend` kept. Undefined if the delivery is for another question, e.g. of an earlier turn of a loop. */
const readSuspended = (context: IWebhookFunctions): Asked | undefined => {
	const records = context.evaluateExpression('{{ $input.all().map((item) => item.json) }}', 0);
	const [record] = Array.isArray(records) ? (records as unknown[]) : [];
	const { waitedUntil, ...fields } = (record ?? {}) as Record<string, unknown>;
	const { questionId, webhookId } = fields;
	const question = readQuestion(fields.question);
	const { ask } = context.getQueryData() as { ask?: unknown };
	const id = textOrNone(webhookId);
	return question && id !== undefined && question.ask === ask
		? {
				question,
				questionId: textOrNone(questionId),
				webhookId: id,
				untilMs: Date.parse(String(waitedUntil)),
				smartEncoding: fields.smartEncoding,
			}
		: undefined;
};

type Delivery = {
	context: IWebhookFunctions;
	service: Service;
	received: ReceivedEvent;
	nowMs: number;
};

/** The service waits for an answer, and the person, too. */
const maxLookMs = 5_000;

const unlessSlow = async <Value>(task: Promise<Value>): Promise<Value> => {
	const isSlow = createNodeClock(undefined)
		.sleep(maxLookMs)
		.then(() => {
			throw new Error('the webhooks of the account could not be read in time');
		});
	return await Promise.race([task, isSlow]);
};

/** The name of its webhook may not say it yet. */
const withSentTime = (question: OpenQuestion): OpenQuestion => ({
	...question,
	...sentTimes.get(question.webhookId),
});

const logEarly = (context: IWebhookFunctions, writtenMs: number, sentMs: number): void => {
	const [written, sent] = [writtenMs, sentMs].map((ms) => new Date(ms).toISOString());
	context.logger.info(
		`A reply of ${written} is no answer to the question, which Kudosity took at ${sent}`,
	);
};

/**
 * What a reply is to this question if others are open to the same person: the newest one whose message was out gets it.
 * Usually the event tells which that is, by the message that it quotes; otherwise the account's list of webhooks does.
 * If the list cannot be read in time, a reply that quotes nothing counts. One that quotes another message may be for a
 * newer question: undefined, so that the service delivers it again. An opt-out always counts.
 */
const classifyAmongOpen = async (
	reply: ReplyKind,
	{ question: { reference, ask, sentAt = '' }, webhookId }: Asked,
	{ context, service, received, nowMs }: Delivery,
): Promise<ReplyKind | undefined> => {
	const message = replyIn(received);
	const quoted = message?.last_message?.message_ref;
	if (!message || endsAllQuestions(reply) || quoted === reference) return reply;
	const writtenMs = epochMsOf(received.readable?.timestamp ?? '');
	const sentMs = epochMsOf(sentAt);
	const isEarly = isBefore(writtenMs, sentMs);
	const replyId = replyIdOf(received);
	const isAnswered = (other: string) => answers.wasClosedBefore(other, replyId);
	const { event_type: eventType } = received.body;
	const parties = partiesOfReceived(message);
	const look = async () => {
		const apiKey = await apiKeyOf(context);
		const questions = questionsAmong(await service.call(getWebhooks), apiKey);
		// Its webhook may be gone, e.g. because somebody deleted it.
		const own = questions.find((each) => each.webhookId === webhookId) ?? readAsk(apiKey, ask);
		const seen = { apiKey, nowMs, isAnswered, ...parties, eventType, quoted, writtenMs };
		return own && newestBeside(questions.map(withSentTime), { ...own, isEarly }, seen);
	};
	if (isEarly && !mayOptOut(reply)) {
		logEarly(context, writtenMs, sentMs);
		return { kind: 'other' };
	}
	const looked = await settle(unlessSlow(look()));
	if (answers.isTakenFrom(webhookId, replyId)) return { kind: 'other' };
	const newest = looked.status === 'fulfilled' ? looked.value : undefined;
	if (isEarly || newest) {
		const asOlder = classifyAsOlder(reply, newest?.words);
		if (isEarly && asOlder.kind === 'other') logEarly(context, writtenMs, sentMs);
		return asOlder;
	}
	const quotesAnother = Boolean(message.last_message ?? message.unreadQuote);
	const isUnsure = looked.status === 'rejected' && quotesAnother && reply.kind !== 'optOut';
	return isUnsure ? undefined : reply;
};

/** The execution goes on waiting, and the service does not deliver the event again. */
const keepWaiting = { webhookResponse: { waiting: true } } satisfies IWebhookResponseData;

/** Meanwhile, other processes that get the same reply can still see that this question was open. */
const keptMs = 5_000;

const removeLater = async (service: Service, webhookId: string): Promise<void> => {
	await createNodeClock(undefined).sleep(keptMs);
	await removeWebhook(service, webhookId);
};

type Closing = {
	reply: ReplyKind & { kind: 'answer' | 'optOut' };
	received: ReceivedEvent;
};

const toItem = async (
	context: IWebhookFunctions,
	suspended: Asked,
	{ reply, received }: Closing,
): Promise<INodeExecutionData> => {
	const record = replyRecord(suspended, reply, received);
	const item = await itemWithFiles(context, {
		files: readMedia(received.body),
		prefix: mediaPrefix,
		parseIssues: received.parseIssues,
		toJson: (media) => (media ? { ...record, media } : record),
	});
	return { ...item, pairedItem: { item: 0 } };
};

/** Lets the execution go on with the reply; of several that arrive together, only the first one does. */
const resume = async (
	context: IWebhookFunctions,
	suspended: Asked,
	{ nowMs, reply, received }: Closing & { nowMs: number },
): Promise<IWebhookResponseData> => {
	const { webhookId, untilMs } = suspended;
	const claim = { replyId: replyIdOf(received), isAnswer: reply.kind === 'answer' };
	if (!answers.claim(webhookId, claim)) return keepWaiting;
	const service = createNodeService(context);
	onAnswered(context, (isTaken) => {
		// If n8n did not take it, the service delivers it again. A later run removes a webhook that is left.
		if (!isTaken) answers.release(webhookId);
		else void removeLater(service, webhookId).catch(() => undefined);
	});
	const item = await toItem(context, suspended, { reply, received }).catch((error: unknown) => {
		answers.release(webhookId);
		throw error;
	});
	// The wait ended while the reply was read: n8n 1 would let the execution go on a second time.
	if (nowMs < untilMs && untilMs <= Date.now()) return keepWaiting;
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
	const suspended = readSuspended(context);
	if (!suspended) return keepWaiting;
	const direct = classifyReply(suspended.question, received);
	if (direct.kind === 'other') return keepWaiting;
	const service = createNodeService(context);
	const nowMs = Date.now();
	const delivery = { context, service, received, nowMs };
	const reply = await classifyAmongOpen(direct, suspended, delivery);
	if (!reply) return refuse(context, 503, 'whether another question is newer could not be read');
	if (reply.kind === 'other') return keepWaiting;
	if (reply.kind !== 'noMatch') {
		return await resume(context, suspended, { reply, received, nowMs });
	}
	const asks = asksOf(context, resources);
	onAnswered(context, () => {
		if (!asks) return;
		const patientService = createNodeService(context, patient);
		void explainOnce(patientService, suspended, { received, notify: asks.notify }).catch(
			() => undefined,
		);
	});
	return keepWaiting;
};

/** Handles a delivery for an open question: the execution goes on with the reply, or keeps waiting. */
export const receiveReply = async (
	context: IWebhookFunctions,
	resources: Resource[],
): Promise<IWebhookResponseData> =>
	await handleDelivery(context, {
		// n8n has verified the signature of the URL.
		authorize: async () => true,
		accept: async (received) => await take(context, resources, received),
	});
