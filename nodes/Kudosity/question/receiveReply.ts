import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { textOrNone } from '../api/endpoint';
import { sendNoticeBySms } from '../api/endpoints/sms';
import { readMedia } from '../events/media';
import {
	findOwner,
	isBefore,
	type Message,
	messageIn,
	type OpenQuestion,
} from '../events/openQuestions';
import type { ReceivedEvent } from '../events/parse';
import {
	endsAllQuestions,
	classifyReply,
	type ClosingReply,
	classifyAsOlder,
	readQuestion,
	type ReplyKind,
} from '../events/question';
import { explainedName, isExplained } from '../events/questionName';
import { type Asked, replyIdOf, replyIn, replyRecord } from '../events/replyRecord';
import { partiesOfReceived } from '../events/simplify';
import { onFailure, settle } from '../lib/async';
import type { Json } from '../lib/json';
import { epochMsOf } from '../lib/time';
import { type Asks, findOperation, type Resource } from '../fields/operation';
import { unlessSlow } from '../n8n/clock';
import { apiKeyOf } from '../n8n/credentials';
import { handleDelivery, itemWithFiles, mediaPrefix, onAnswered, refuse } from '../n8n/delivery';
import { createNodeService, patient } from '../n8n/services';
import { readQuestions } from './accountQuestions';
import { answers, explained } from './claims';
import { endQuestion } from './ending';
import { readingOf } from './taken';
import { renameOpen } from './webhook';

/** What `suspend` kept. Undefined if the delivery is for another question, e.g. of an earlier turn of a loop. */
function readSuspended(context: IWebhookFunctions): Asked | undefined {
	const records = context.evaluateExpression('{{ $input.all().map((item) => item.json) }}', 0);
	const [record] = Array.isArray(records) ? (records as unknown[]) : [];
	const { waitedUntil, questionId, smartEncoding, ...kept } = (record ?? {}) as Json;
	const question = readQuestion(kept.question);
	const webhookId = textOrNone(kept.webhookId);
	const { ask } = context.getQueryData() as { ask?: unknown };
	if (!question || question.ask !== ask || webhookId === undefined) return undefined;
	const untilMs = Date.parse(String(waitedUntil));
	return { question, questionId: textOrNone(questionId), webhookId, untilMs, smartEncoding };
}

type Delivery = { context: IWebhookFunctions; received: ReceivedEvent };

/** Finds the other question that gets the message, if there is one. */
async function findOther(
	context: IWebhookFunctions,
	webhookId: string,
	message: Message,
): Promise<OpenQuestion | undefined> {
	const apiKey = await apiKeyOf(context);
	const questions = await readQuestions(createNodeService(context), apiKey);
	return findOwner(questions, readingOf(message, apiKey), webhookId);
}

function logEarly(context: IWebhookFunctions, writtenMs: number, sentMs: number): void {
	const [written, sent] = [writtenMs, sentMs].map((ms) => new Date(ms).toISOString());
	context.logger.info(
		`A reply from ${written} was ignored, because the question was only sent at ${sent}`,
	);
}

/**
 * Decides what an event is to this question. These are the rules of docs/questions.md, in their order.
 *
 * @returns undefined if nobody can tell in time and a wrong answer might approve something: the service delivers it again
 */
async function classifyAmongOpen(
	reply: ReplyKind,
	{ question, webhookId }: Asked,
	{ context, received }: Delivery,
): Promise<ReplyKind | undefined> {
	const message = messageIn(received);
	if (!message || endsAllQuestions(reply)) return reply;
	if (message.quoted === question.reference) return reply;

	// When: nobody answers a question before it was sent.
	const sentMs = epochMsOf(question.sentAt ?? '');
	if (isBefore(message.writtenMs, sentMs)) {
		logEarly(context, message.writtenMs, sentMs);
		return { kind: 'other' };
	}
	// Which: of several open questions, the one asked last.
	const found = await settle(unlessSlow(findOther(context, webhookId, message)));
	// Once: one message answers one question.
	if (answers.isTakenFrom(webhookId, message.id)) return { kind: 'other' };
	if (found.status === 'rejected') {
		return message.hasQuote && reply.kind !== 'optOut' ? undefined : reply;
	}
	const owner = found.value;
	return owner ? classifyAsOlder(reply, owner.words) : reply;
}

/** The execution keeps waiting, and the service does not deliver the event again. */
const keepWaiting = { webhookResponse: { waiting: true } } satisfies IWebhookResponseData;

type Closing = { reply: ClosingReply; received: ReceivedEvent };

async function toItem(
	context: IWebhookFunctions,
	suspended: Asked,
	{ reply, received }: Closing,
): Promise<INodeExecutionData> {
	const record = replyRecord(suspended, reply, received);
	const item = await itemWithFiles(context, {
		files: readMedia(received.body),
		prefix: mediaPrefix,
		parseIssues: received.parseIssues,
		toJson: (media) => (media ? { ...record, media } : record),
	});
	return { ...item, pairedItem: { item: 0 } };
}

/** Lets the execution continue with the reply; of several that arrive together, only the first one does. */
async function resume(
	context: IWebhookFunctions,
	suspended: Asked,
	{ nowMs, reply, received }: Closing & { nowMs: number },
): Promise<IWebhookResponseData> {
	const { webhookId, untilMs } = suspended;
	const claim = { replyId: replyIdOf(received), isAnswer: reply.kind === 'answer' };
	if (!answers.claim(webhookId, claim)) {
		const isPending = answers.isPending(webhookId, claim.replyId);
		return isPending ? refuse(context, 503, 'n8n has not continued with it yet') : keepWaiting;
	}
	const reading = toItem(context, suspended, { reply, received });
	const item = await onFailure(reading, () => answers.release(webhookId));
	// The wait ended while the reply was read: n8n 1 would continue the execution a second time.
	if (nowMs < untilMs && untilMs <= Date.now()) {
		answers.release(webhookId);
		return keepWaiting;
	}
	onAnswered(context, (isTaken) => {
		// If n8n did not take it, the service delivers it again.
		if (!isTaken) return answers.release(webhookId);
		answers.confirm(webhookId);
		const { isAnswer } = claim;
		// A later run removes a webhook that is left.
		void endQuestion(context, suspended, { received, isAnswer }).catch(() => undefined);
	});
	return { webhookResponse: { waiting: false }, workflowData: [[item]] };
}

/** A person who answers the SMS fallback of another channel gets the explanation by SMS. */
const bySms = ['SMS_INBOUND', 'MMS_INBOUND'];

/** Sends the explanation, unless it was or may have been sent before, or the question has been answered meanwhile. */
async function explainOnce(
	context: IWebhookFunctions,
	{ question, webhookId }: Asked,
	{ received, notify }: { received: ReceivedEvent; notify: Asks<never>['notify'] },
): Promise<void> {
	const { unexpectedReplyMessage: text, contact, reference } = question;
	if (text === undefined || !explained.add(webhookId, true)) return;
	// Noted in the name, which outlives this process.
	const rename = (name: string) => (isExplained(name) ? name : explainedName(name));
	// If that fails, nothing was sent, so that the next reply that does not match gets the explanation.
	const renaming = renameOpen(context, webhookId, rename);
	const isFirst = await onFailure(renaming, () => explained.delete(webhookId));
	if (!isFirst || answers.wasClosedBefore(webhookId)) return;
	const reply = replyIn(received);
	const sender = (reply && partiesOfReceived(reply).sender) ?? '';
	const isSms = bySms.some((type) => type === received.body.event_type);
	const service = createNodeService(context, patient);
	const message = { text, sender, recipient: contact, reference };
	await (isSms ? sendNoticeBySms : notify)(service, message);
}

function notifierOf(context: IWebhookFunctions, resources: Resource[]) {
	const found = findOperation(resources, {
		resource: context.getNodeParameter('resource', undefined),
		operation: context.getNodeParameter('operation', undefined),
	});
	return found?.operation.asks?.notify;
}

async function take(
	context: IWebhookFunctions,
	resources: Resource[],
	received: ReceivedEvent,
): Promise<IWebhookResponseData> {
	const suspended = readSuspended(context);
	if (!suspended) return keepWaiting;
	const direct = classifyReply(suspended.question, received);
	if (direct.kind === 'other') return keepWaiting;
	const nowMs = Date.now();
	const reply = await classifyAmongOpen(direct, suspended, { context, received });
	if (!reply) return refuse(context, 503, 'could not check whether another question is newer');
	if (reply.kind === 'other') return keepWaiting;
	if (reply.kind !== 'noMatch') {
		return await resume(context, suspended, { reply, received, nowMs });
	}
	const notify = notifierOf(context, resources);
	onAnswered(context, () => {
		if (notify) {
			void explainOnce(context, suspended, { received, notify }).catch(() => undefined);
		}
	});
	return keepWaiting;
}

/** Handles a delivery for an open question: the execution continues with the reply, or keeps waiting. */
export async function receiveReply(
	context: IWebhookFunctions,
	resources: Resource[],
): Promise<IWebhookResponseData> {
	return await handleDelivery(context, {
		// n8n has verified the signature of the URL.
		isAuthorized: async () => true,
		accept: async (received) => await take(context, resources, received),
	});
}
