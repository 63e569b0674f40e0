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
import { asksToStop } from './optOutText';
import { partiesOfReceived, plainNumber } from './simplify';

/**
 * A question that any n8n instance asked with this API key, as read from the question's webhook in the Kudosity
 * account.
 */
export type OpenQuestion = QuestionToken & {
	webhookId: string;
	/**
	 * When the service created the webhook, which is just before the message was sent. This is the service's own time,
	 * so questions from several n8n instances can be compared by it.
	 */
	createdMs: number;
	/**
	 * The webhook's filter. Once the question has ended, its `message_ref` holds a digest of the message that ended the
	 * question (see `closeQuestion`).
	 */
	filter: WebhookFilter;
	/** The expected answers that would count as an opt-out in any other message, e.g. CANCEL. */
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

/** Extra time before a webhook counts as expired, because n8n may end a wait up to a minute late, and clocks differ. */
export const graceMs = 10 * 60_000;

/** Whether the question's webhook is no longer needed, because the execution has continued or no longer exists. */
export function isExpired({ expiresMs }: OpenQuestion, nowMs: number): boolean {
	return expiresMs + graceMs < nowMs;
}

/** A received message, with the data that decides which question it answers. */
export type Message = {
	id: string;
	text: string;
	/** The person who wrote the message, as E.164 digits without the plus sign. */
	contact: string;
	/** Our number, to which the message was sent. */
	sender: string;
	eventType: unknown;
	/**
	 * The reference (`message_ref`) of the message in the event's `last_message`. Missing if the event quotes no
	 * message, or if that message has no reference.
	 */
	quoted?: string | null;
	hasQuote: boolean;
	/** When the message was written, in epoch milliseconds by the service's clock. NaN if the event doesn't say. */
	writtenMs: number;
};

/** Returns the event's message; undefined if the event isn't a received message. */
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
	/**
	 * Whether this process knows that another message ended the question. The question's webhook may not show this yet.
	 */
	hasEnded: (webhookId: string) => boolean;
};

/** Whether the question's webhook records that this message ended the question, as an answer or as an opt-out. */
function hasTaken({ nonce, filter }: OpenQuestion, { apiKey, message }: Reading): boolean {
	return filter.message_ref?.includes(messageDigestOf(apiKey, nonce, message.id)) ?? false;
}

/**
 * Whether the message answered the question. An opt-out doesn't count, even if it ended the question, because an
 * opt-out concerns more than one question.
 */
export function isAnswerTo(question: OpenQuestion, reading: Reading): boolean {
	return hasTaken(question, reading) && !asksToStop(reading.message.text, question.words);
}

/**
 * Whether the message may be for the question: the question is open, was asked of this person before the message was
 * written (unless the message quotes it), and its webhook receives the message.
 */
export function mayTake(question: OpenQuestion, reading: Reading): boolean {
	const { message, nowMs, hasEnded } = reading;
	// A message may be delivered late, so what counts is whether the question was open when it was written.
	const writtenMs = Math.min(message.writtenMs || nowMs, nowMs);
	return (
		question.expiresMs > writtenMs &&
		!hasEnded(question.webhookId) &&
		isAskedOf(question, reading) &&
		receives(question, message) &&
		(question.nonce === message.quoted || !isBefore(message.writtenMs, question.createdMs))
	);
}

/**
 * Finds the question that a message is for: the one that has already claimed the message, or else the one that the
 * message quotes, or else the one that was asked last.
 *
 * @param ownWebhookId - the webhook of a question to leave out. The result is then the other question that gets the
 * message instead, if any: one that has claimed the message, is quoted by the message, or was asked later
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

/** Whether a message was written before a time. Compares whole seconds, because events don't state fractions. */
export function isBefore(writtenMs: number, ms: number): boolean {
	return Math.floor(writtenMs / 1000) < Math.floor(ms / 1000);
}

/**
 * Whether the question was asked of the person who wrote the message. The token's digest includes only the sender of
 * the question's message, but the reply may go to the sender of its fallback SMS. Therefore, all senders in the
 * webhook's filter are tried, too.
 */
function isAskedOf(question: OpenQuestion, { apiKey, message }: Reading): boolean {
	const { conversationDigest, filter } = question;
	const senders = [message.sender, ...(filter.sender ?? []).map(plainNumber)];
	return senders.some(
		(sender) => conversationDigestOf(apiKey, message.contact, sender) === conversationDigest,
	);
}

/**
 * Whether the service delivers the message to the question's webhook: every field of the filter has to allow the
 * message. A field without values allows every message.
 */
function receives({ filter }: OpenQuestion, { sender, eventType, quoted }: Message): boolean {
	const allows = (values: string[] | undefined, value: unknown) =>
		!values?.length || values.some((each) => each === value);
	return (
		allows(filter.sender?.map(plainNumber), sender) &&
		allows(filter.event_type, eventType) &&
		allows(filter.message_ref, quoted)
	);
}

/**
 * Whether one question was asked later than another. If both webhooks were created in the same millisecond, the nonce
 * decides, so exactly one of the two is later.
 */
function isLater(one: OpenQuestion, other: OpenQuestion): boolean {
	return one.createdMs === other.createdMs
		? one.nonce > other.nonce
		: one.createdMs > other.createdMs;
}
