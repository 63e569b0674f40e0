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
import { type Asked, replyRecord } from '../events/replyRecord';
import { settle } from '../lib/async';
import type { Json } from '../lib/json';
import { epochMsOf } from '../lib/time';
import type { Resource } from '../fields/operation';
import { unlessSlow } from '../n8n/clock';
import { apiKeyOf } from '../n8n/credentials';
import { handleDelivery, itemWithFiles, mediaPrefix, onAnswered, refuse } from '../n8n/delivery';
import { createNodeService } from '../n8n/services';
import { readQuestions } from './accountQuestions';
import { closeQuestion } from './close';
import { explainOnce } from './explain';
import { claim, confirm, endingOf, isTakenByAnother, readingOf, release } from './memory';

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
	if (isTakenByAnother(webhookId, message.id)) return { kind: 'other' };
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

/** Lets the execution continue with the reply. Of several that arrive together, only the first one does. */
async function resume(
	context: IWebhookFunctions,
	asked: Asked,
	{ reply, received }: Closing,
): Promise<IWebhookResponseData> {
	const item = await toItem(context, asked, { reply, received });
	const { webhookId, untilMs } = asked;
	const isAnswer = reply.kind === 'answer';
	const messageId = messageIn(received)?.id;

	// Nothing is awaited from here on, so two replies cannot both pass.
	if (untilMs <= Date.now()) return keepWaiting;
	if (!claim(webhookId, { messageId, isAnswer })) {
		const ending = endingOf(webhookId);
		const isPending = ending?.messageId === messageId && ending?.isStored === false;
		return isPending ? refuse(context, 503, 'n8n has not continued with it yet') : keepWaiting;
	}
	onAnswered(context, (isStored) => {
		// If n8n did not take it, the service delivers it again.
		if (!isStored) return release(webhookId);
		confirm(webhookId);
		// A later question deletes a webhook that is left.
		void closeQuestion(context, asked, { messageId, isAnswer }).catch(() => undefined);
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
	const reply = await classifyAmongOpen(direct, suspended, { context, received });
	if (!reply) return refuse(context, 503, 'could not check whether another question is newer');
	if (reply.kind === 'other') return keepWaiting;
	if (reply.kind !== 'noMatch') {
		return await resume(context, suspended, { reply, received });
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
