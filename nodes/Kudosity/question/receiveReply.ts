import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { textOrNone } from '../api/endpoint';
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
import { type Asked, replyIdOf, replyRecord } from '../events/replyRecord';
import { onFailure, settle } from '../lib/async';
import type { Json } from '../lib/json';
import { epochMsOf } from '../lib/time';
import type { Resource } from '../fields/operation';
import { unlessSlow } from '../n8n/clock';
import { apiKeyOf } from '../n8n/credentials';
import { handleDelivery, itemWithFiles, mediaPrefix, onAnswered, refuse } from '../n8n/delivery';
import { createNodeService } from '../n8n/services';
import { readQuestions } from './accountQuestions';
import { answers } from './claims';
import { closeQuestion } from './close';
import { explainOnce } from './explain';
import { readingOf } from './taken';

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
		const { replyId: messageId, isAnswer } = claim;
		// A later question deletes a webhook that is left.
		void closeQuestion(context, suspended, { messageId, isAnswer }).catch(() => undefined);
	});
	return { webhookResponse: { waiting: false }, workflowData: [[item]] };
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
	onAnswered(context, () => {
		void explainOnce(context, suspended, { received, resources }).catch(() => undefined);
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
