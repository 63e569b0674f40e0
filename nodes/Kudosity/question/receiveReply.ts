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

type Delivery = { context: IWebhookFunctions; asked: Asked; received: ReceivedEvent };

/** The execution keeps waiting, and the service does not deliver the event again. */
const keepWaiting = { webhookResponse: { waiting: true } } satisfies IWebhookResponseData;

/** Handles an event at the webhook of a question: the execution continues with the reply, or keeps waiting. */
export async function receiveReply(
	context: IWebhookFunctions,
	resources: Resource[],
): Promise<IWebhookResponseData> {
	return await handleDelivery(context, {
		// n8n has verified the signature of the URL.
		isAuthorized: async () => true,
		accept: async (received) => {
			const asked = readAsked(context);
			return asked ? await take({ context, asked, received }, resources) : keepWaiting;
		},
	});
}

/** Reads what `suspend` stored. Undefined if the event is for another question, e.g. of an earlier turn of a loop. */
function readAsked(context: IWebhookFunctions): Asked | undefined {
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

async function take(delivery: Delivery, resources: Resource[]): Promise<IWebhookResponseData> {
	const { context, asked, received } = delivery;
	const reply = await classify(delivery);
	if (!reply) return refuse(context, 503, 'could not check whether another question is newer');
	if (reply.kind === 'other') return keepWaiting;
	if (reply.kind !== 'noMatch') return await resume(delivery, reply);
	onAnswered(context, () => {
		void explainOnce(context, asked, { received, resources }).catch(() => undefined);
	});
	return keepWaiting;
}

/**
 * Decides what an event is to this question. These are the rules of docs/questions.md, in their order.
 *
 * @returns undefined if nobody can tell in time and a wrong answer might approve something: the service delivers it again
 */
async function classify({ context, asked, received }: Delivery): Promise<ReplyKind | undefined> {
	const { question, webhookId } = asked;
	// Who: only the person who was asked, and only to the number that asked. STOP ends all questions to that person.
	const reply = classifyReply(question, received);
	const message = messageIn(received);
	if (reply.kind === 'other' || !message || endsAllQuestions(reply)) return reply;
	// A reply that quotes the question's message is for this question, whenever it was written.
	if (message.quoted === question.reference) return reply;

	// When: nobody answers a question before it was sent.
	const sentMs = epochMsOf(question.sentAt ?? '');
	if (isBefore(message.writtenMs, sentMs)) {
		logEarly(context, message.writtenMs, sentMs);
		return { kind: 'other' };
	}
	// Which: of several open questions, the one asked last.
	const found = await settle(unlessSlow(findOther(context, webhookId, message)));
	// Once: one message answers one question. Another one may have taken it during the look.
	if (isTakenByAnother(webhookId, message.id)) return { kind: 'other' };
	if (found.status === 'rejected') {
		// A reply that quotes another message is probably for another question. Without any quote, Kudosity knows of no
		// other message to this person.
		return message.hasQuote && reply.kind !== 'optOut' ? undefined : reply;
	}
	const owner = found.value;
	return owner ? classifyAsOlder(reply, owner.words) : reply;
}

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
		`Ignored a reply written at ${written}, because the question was not sent until ${sent}`,
	);
}

/** Lets the execution continue with the reply. Of several that arrive together, only the first one does. */
async function resume(
	{ context, asked, received }: Delivery,
	reply: ClosingReply,
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

async function toItem(
	context: IWebhookFunctions,
	asked: Asked,
	{ reply, received }: { reply: ClosingReply; received: ReceivedEvent },
): Promise<INodeExecutionData> {
	const record = replyRecord(asked, reply, received);
	const item = await itemWithFiles(context, {
		files: readMedia(received.body),
		prefix: mediaPrefix,
		parseIssues: received.parseIssues,
		toJson: (media) => (media ? { ...record, media } : record),
	});
	return { ...item, pairedItem: { item: 0 } };
}
