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
import { handleDelivery, itemWithFiles, mediaPrefix, onAnswered, refuse } from '../n8n/delivery';
import { closeQuestion } from './close';
import { explainOnce } from './explain';
import { claim, confirm, endingOf, isTakenByAnother, release } from './memory';
import { questionsFor } from './questionsFor';

type Delivery = { context: IWebhookFunctions; asked: Asked; received: ReceivedEvent };

/** Lets the execution keep waiting. The response is a success, so the service doesn't deliver the event again. */
const keepWaiting = { webhookResponse: { waiting: true } } satisfies IWebhookResponseData;

/** Handles an event at a question's webhook. The execution either continues with the reply or keeps waiting. */
export async function receiveReply(
	context: IWebhookFunctions,
	resources: Resource[],
): Promise<IWebhookResponseData> {
	return await handleDelivery(context, {
		// n8n has already verified the URL's signature.
		isAuthorized: async () => true,
		accept: async (received) => {
			const asked = readAsked(context);
			return asked ? await take({ context, asked, received }, resources) : keepWaiting;
		},
	});
}

/**
 * Reads the question that `suspend` stored. Returns undefined if the event is for another question, e.g. from an
 * earlier iteration of a loop.
 */
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
 * Decides what an event means for this question. Applies the rules in docs/questions.md, in the same order.
 *
 * @returns undefined if this can't be decided in time and a mistake might approve something; the service then has to
 * deliver the event again
 */
async function classify({ context, asked, received }: Delivery): Promise<ReplyKind | undefined> {
	const { question, webhookId } = asked;
	// Who: only the person who was asked can answer, and only by a message to the number that asked. STOP ends all
	// questions to that person.
	const reply = classifyReply(question, received);
	const message = messageIn(received);
	if (reply.kind === 'other' || !message || endsAllQuestions(reply)) return reply;
	// A reply that quotes the question's message is for this question, whenever it was written.
	if (message.quoted === question.reference) return reply;

	// When: a reply written before the question was sent can't answer it.
	const sentMs = epochMsOf(question.sentAt ?? '');
	if (isBefore(message.writtenMs, sentMs)) {
		logEarly(context, message.writtenMs, sentMs);
		return { kind: 'other' };
	}
	// Which: if several questions are open, the reply is for the one asked last.
	const found = await settle(unlessSlow(findOther(context, webhookId, message)));
	// Only once: a message answers one question, and another question may have claimed it during the lookup above.
	if (isTakenByAnother(webhookId, message.id)) return { kind: 'other' };
	if (found.status === 'rejected') {
		// The lookup failed. A reply that quotes another message is probably for another question, so it has to be
		// delivered again. Without a quote, Kudosity knows of no other message to this person, so the reply is
		// accepted. An opt-out always counts.
		return message.hasQuote && reply.kind !== 'optOut' ? undefined : reply;
	}
	const owner = found.value;
	return owner ? classifyAsOlder(reply, owner.words) : reply;
}

/** Finds the other question that gets the message instead of this one, if there is one. */
async function findOther(
	context: IWebhookFunctions,
	webhookId: string,
	message: Message,
): Promise<OpenQuestion | undefined> {
	const { questions, reading } = await questionsFor(context, message);
	return findOwner(questions, reading, webhookId);
}

function logEarly(context: IWebhookFunctions, writtenMs: number, sentMs: number): void {
	const [written, sent] = [writtenMs, sentMs].map((ms) => new Date(ms).toISOString());
	context.logger.info(
		`Ignored a reply written at ${written}, because the question was not sent until ${sent}`,
	);
}

/** Continues the execution with the reply. If several replies arrive together, only the first one counts. */
async function resume(
	{ context, asked, received }: Delivery,
	reply: ClosingReply,
): Promise<IWebhookResponseData> {
	const item = await toItem(context, asked, { reply, received });
	const { webhookId, untilMs } = asked;
	const isAnswer = reply.kind === 'answer';
	const messageId = messageIn(received)?.id;

	// There is no await from here on, so two replies can't both pass the checks.
	if (untilMs <= Date.now()) return keepWaiting;
	if (!claim(webhookId, { messageId, isAnswer })) {
		const ending = endingOf(webhookId);
		const isPending = ending?.messageId === messageId && ending?.isStored === false;
		return isPending ? refuse(context, 503, 'n8n has not continued with it yet') : keepWaiting;
	}
	onAnswered(context, (isStored) => {
		// If n8n didn't accept the reply, the service delivers it again, so the question is open again.
		if (!isStored) return release(webhookId);
		confirm(webhookId);
		// If this fails, a later question deletes the expired webhook.
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
