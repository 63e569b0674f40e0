import { fieldsOf, hasId, type ListedWebhook, type WebhookFilter } from '../api/endpoints/webhook';
import { epochMsOf } from '../lib/time';
import { type Ending, endingIn, sentMsIn } from './questionName';
import { plainNumber } from './simplify';
import { type AskToken, conversationDigest, endDigestOf, queryParameter, readAsk } from './tokens';

export type OpenQuestion = AskToken & {
	webhookId: string;
	filter?: WebhookFilter;
	/** When the service took its message; Infinity if it has not yet, undefined if nobody needed to know. */
	sentMs?: number;
	/** The answers to it that would opt a person out anywhere else. */
	words?: string[];
	/** How it ended, and when that was noted, NaN if unknown. Undefined while it is open. */
	ending?: Ending & { notedMs: number };
};

/** Finds the webhooks of open questions, told by the signed token in their URL. */
export function questionsAmong(webhooks: ListedWebhook[], apiKey: string): OpenQuestion[] {
	return webhooks.filter(hasId).flatMap((webhook) => {
		const { name, url, filter, updated_at: updatedAt = '' } = fieldsOf(webhook);
		const ask = readAsk(apiKey, queryParameter(url, 'ask'));
		if (!ask) return [];
		const words = queryParameter(url, 'words')?.split(',');
		const ended = endingIn(name);
		const ending = ended && { ...ended, notedMs: epochMsOf(updatedAt) };
		return [{ ...ask, webhookId: webhook.id, filter, sentMs: sentMsIn(name), words, ending }];
	});
}

/** n8n may end a wait up to a minute late, and clocks differ. */
export const graceMs = 10 * 60_000;

/** How long an answered question can still be seen: the service delivered a message again after a minute. */
export const endedKeptMs = 10 * 60_000;

/** Questions that ended minutes ago: their executions have continued or no longer exist. */
export function expired(questions: OpenQuestion[], nowMs: number): OpenQuestion[] {
	return questions.filter(
		({ untilMs, ending }) =>
			untilMs + graceMs < nowMs || (ending && ending.notedMs + endedKeptMs + graceMs < nowMs),
	);
}

/** A received message, as the questions that may be meant by it see it. */
export type Reply = {
	apiKey: string;
	nowMs: number;
	/** Of the message. */
	id: string;
	/** Whether this process knows that another message ended the question. */
	isAnswered: (webhookId: string) => boolean;
	/** E.164 digits without plus. */
	contact: string;
	/** Where it was sent to. */
	sender: string;
	eventType: unknown;
	/** The reference of the message that the reply quotes. */
	quoted?: string | null;
	/** NaN if the event does not say. */
	writtenMs: number;
};

const listensTo = (sender: string, { filter }: OpenQuestion): boolean =>
	!filter?.sender?.length || filter.sender.some((each) => plainNumber(each) === sender);

function hears(question: OpenQuestion, { sender, eventType, quoted }: Reply): boolean {
	const { event_type: eventTypes, message_ref: references } = question.filter ?? {};
	return (
		listensTo(sender, question) &&
		(!eventTypes?.length || eventTypes.some((each) => each === eventType)) &&
		(!references?.length || references.some((each) => each === quoted))
	);
}

/** Its address has the digest for one sender only, while a fallback SMS has another. */
function isAskedOf(
	{ person, filter }: OpenQuestion,
	{ apiKey, contact, sender }: Pick<Reply, 'apiKey' | 'contact' | 'sender'>,
): boolean {
	const senders = [sender, ...(filter?.sender ?? [])];
	return senders.some((each) => conversationDigest(apiKey, contact, plainNumber(each)) === person);
}

const isLater = (one: AskToken, other: AskToken): boolean =>
	one.askedMs > other.askedMs || (one.askedMs === other.askedMs && one.nonce > other.nonce);

/** The open questions that may get the replies to a new one. */
export function rivalsOf(
	questions: OpenQuestion[],
	{ contact, senders }: { contact: string; senders: string[] },
	{ apiKey, nowMs, isAnswered }: Pick<Reply, 'apiKey' | 'nowMs' | 'isAnswered'>,
): OpenQuestion[] {
	return questions.filter((question) => {
		const { untilMs, webhookId, filter } = question;
		if (untilMs <= nowMs || filter?.message_ref?.length || isAnswered(webhookId)) return false;
		return senders.some(
			(sender) => listensTo(sender, question) && isAskedOf(question, { apiKey, contact, sender }),
		);
	});
}

const secondOf = (ms: number): number => Math.floor(ms / 1000);

/** Whether a reply was written before a message was sent. In whole seconds: events have no more. */
export function isBefore(writtenMs: number, sentMs = -Infinity): boolean {
	return sentMs === Infinity || secondOf(writtenMs) < secondOf(sentMs);
}

const isQuoted = ({ nonce }: OpenQuestion, { quoted }: Reply): boolean => nonce === quoted;

/**
 * Whether a reply ended the question, or may be meant by it: it is open, was asked of the same contact, hears the
 * reply, and its message was out before that was written.
 */
export function mayTake(question: OpenQuestion, reply: Reply): boolean {
	const { ending, nonce, untilMs, sentMs, webhookId } = question;
	if (ending) return ending.digest === endDigestOf(reply.apiKey, nonce, reply.id);
	return (
		untilMs > reply.nowMs &&
		(isQuoted(question, reply) || !isBefore(reply.writtenMs, sentMs)) &&
		!reply.isAnswered(webhookId) &&
		hears(question, reply) &&
		isAskedOf(question, reply)
	);
}

/** The question that gets the reply: the one that took it, or whose message it quotes, or else the newest. */
export function newestFor(
	questions: OpenQuestion[],
	reply: Reply,
	isCandidate: (question: OpenQuestion) => boolean = () => true,
): OpenQuestion | undefined {
	const open = questions
		.filter((question) => mayTake(question, reply))
		.toSorted((one, other) => (isLater(one, other) ? -1 : 1));
	const own = open.find((each) => each.ending?.isAnswer || isQuoted(each, reply));
	return own ?? open.find(isCandidate);
}

/** The question beside `own` that gets the reply. One that is older than `own` only does where `own` came too late. */
export function newestBeside(
	questions: OpenQuestion[],
	own: AskToken & { isEarly: boolean },
	reply: Reply,
): OpenQuestion | undefined {
	const others = questions.filter((question) => question.nonce !== own.nonce);
	return newestFor(others, reply, (question) => own.isEarly || isLater(question, own));
}
