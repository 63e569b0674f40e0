import { fieldsOf, hasId, type ListedWebhook, type WebhookFilter } from '../api/endpoints/webhook';
import { epochMsOf } from '../lib/time';
import type { ReceivedEvent } from './parse';
import {
	conversationDigestOf,
	decodeQuestionToken,
	messageDigestOf,
	queryParameter,
	type QuestionToken,
} from './questionToken';
import { asksToStop } from './replyText';
import { partiesOfReceived, plainNumber } from './simplify';

/** A question of any n8n with the same API key. It is its webhook. */
export type OpenQuestion = QuestionToken & {
	webhookId: string;
	/** When the service created the webhook, just before the message. All n8ns share this clock. */
	createdMs: number;
	/** What the webhook receives. Once the question has ended, it has a digest of the message that ended it. */
	filter: WebhookFilter;
	/** The answers to it that would opt a person out anywhere else. */
	words: string[];
};

/** Finds the questions among the account's webhooks by the signed token in their URLs. */
export function questionsAmong(webhooks: ListedWebhook[], apiKey: string): OpenQuestion[] {
	return webhooks.filter(hasId).flatMap((webhook) => {
		const { url, filter = {}, created_at: createdAt = '' } = fieldsOf(webhook);
		const token = decodeQuestionToken(apiKey, queryParameter(url, 'ask'));
		if (!token) return [];
		const createdMs = epochMsOf(createdAt) || token.askedMs;
		const words = queryParameter(url, 'words')?.split(',') ?? [];
		return [{ ...token, webhookId: webhook.id, createdMs, filter, words }];
	});
}

/** n8n may end a wait up to a minute late, and clocks differ. */
export const graceMs = 10 * 60_000;

/** Whether nobody needs the webhook any more: the execution has continued or no longer exists. */
export function isExpired({ expiresMs }: OpenQuestion, nowMs: number): boolean {
	return expiresMs + graceMs < nowMs;
}

/** A received message, as far as it matters which question it answers. */
export type Message = {
	id: string;
	text: string;
	/** E.164 digits without plus. */
	contact: string;
	/** Our number that the message came to. */
	sender: string;
	eventType: unknown;
	/** The reference of the message that it quotes. */
	quoted?: string | null;
	hasQuote: boolean;
	/** By the clock of the service. NaN if the event does not say. */
	writtenMs: number;
};

/** Undefined if the event is not a received message. */
export function messageIn({ body, event }: ReceivedEvent): Message | undefined {
	if (event?.payload.kind !== 'inbound') return undefined;
	const { inbound, words: text } = event.payload;
	const { id, last_message: quote } = inbound;
	return {
		id,
		text,
		...partiesOfReceived(inbound),
		eventType: body.event_type,
		quoted: quote?.message_ref,
		hasQuote: Boolean(quote),
		writtenMs: epochMsOf(event.timestamp ?? ''),
	};
}

export type Reading = {
	message: Message;
	apiKey: string;
	nowMs: number;
	/** Whether this process knows, before the account says so, that another message ended the question. */
	hasEnded: (webhookId: string) => boolean;
};

/** Whether the message ended the question, as an answer or an opt-out. */
function hasTaken({ nonce, filter }: OpenQuestion, { apiKey, message }: Reading): boolean {
	return filter.message_ref?.includes(messageDigestOf(apiKey, nonce, message.id)) ?? false;
}

/** Whether the message answered the question. An opt-out that ended it is for everybody. */
export function isAnswerTo(question: OpenQuestion, reading: Reading): boolean {
	return hasTaken(question, reading) && !asksToStop(reading.message.text, question.words);
}

/** Whether the message may be for the question: it is open, was asked of this person before, and receives the message. */
export function mayTake(question: OpenQuestion, reading: Reading): boolean {
	const { message, nowMs, hasEnded } = reading;
	return (
		question.expiresMs > nowMs &&
		!hasEnded(question.webhookId) &&
		isAskedOf(question, reading) &&
		receives(question, message) &&
		(question.nonce === message.quoted || !isBefore(message.writtenMs, question.createdMs))
	);
}

/**
 * Finds the question that a message is for: the one that took it, or whose message it quotes, or the one asked last. To
 * a question that asks for itself, only another one counts, and of those that are not quoted only one that was asked
 * later.
 */
export function findOwner(
	questions: OpenQuestion[],
	reading: Reading,
	ownWebhookId?: string,
): OpenQuestion | undefined {
	const own = questions.find(({ webhookId }) => webhookId === ownWebhookId);
	const others = questions.filter((each) => each !== own);
	const taker = others.find((each) => hasTaken(each, reading));
	if (taker) return taker;
	const open = others.filter((each) => mayTake(each, reading));
	const quoted = open.find(({ nonce }) => nonce === reading.message.quoted);
	const later = open.filter((each) => !own || isLater(each, own));
	return quoted ?? later.toSorted((one, other) => (isLater(one, other) ? -1 : 1))[0];
}

/** Whether a message was written before a time. Events have whole seconds only. */
export function isBefore(writtenMs: number, ms: number): boolean {
	return Math.floor(writtenMs / 1000) < Math.floor(ms / 1000);
}

/** The token's digest is of one sender only, while the fallback SMS of an RCS has another, which the filter names. */
function isAskedOf(question: OpenQuestion, { apiKey, message }: Reading): boolean {
	const { conversationDigest, filter } = question;
	const senders = [message.sender, ...(filter.sender ?? []).map(plainNumber)];
	return senders.some(
		(sender) => conversationDigestOf(apiKey, message.contact, sender) === conversationDigest,
	);
}

/** The service delivers what every field of a filter allows. A field without values allows everything. */
function receives({ filter }: OpenQuestion, { sender, eventType, quoted }: Message): boolean {
	const allows = (values: string[] | undefined, value: unknown) =>
		!values?.length || values.some((each) => each === value);
	return (
		allows(filter.sender?.map(plainNumber), sender) &&
		allows(filter.event_type, eventType) &&
		allows(filter.message_ref, quoted)
	);
}

/** The nonce decides if the service created both webhooks in the same millisecond, so that exactly one is later. */
function isLater(one: OpenQuestion, other: OpenQuestion): boolean {
	return one.createdMs === other.createdMs
		? one.nonce > other.nonce
		: one.createdMs > other.createdMs;
}
