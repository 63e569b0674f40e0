import { fieldsOf, hasId, type ListedWebhook, type WebhookFilter } from '../api/endpoints/webhook';
import { sentMsIn } from './questionName';
import { plainNumber } from './simplify';
import { type AskToken, personOf, queryParameter, readAsk } from './tokens';

export type OpenQuestion = AskToken & {
	webhookId: string;
	filter?: WebhookFilter;
	/** When the service took its message; Infinity if it has not yet, undefined if nobody needed to know. */
	sentMs?: number;
	/** Stop words that count as answers to it. */
	words?: string[];
};

/** Finds the webhooks of open questions, told by the signed token in their URL. */
export const questionsAmong = (webhooks: ListedWebhook[], apiKey: string): OpenQuestion[] =>
	webhooks.filter(hasId).flatMap((webhook) => {
		const { name, url, filter } = fieldsOf(webhook);
		const ask = readAsk(apiKey, queryParameter(url, 'ask'));
		const words = queryParameter(url, 'words')?.split(',');
		return ask ? [{ ...ask, webhookId: webhook.id, filter, sentMs: sentMsIn(name), words }] : [];
	});

/** n8n may end a wait up to a minute late, and clocks differ. */
const graceMs = 10 * 60_000;

/** Questions that ended minutes ago: their executions have continued or no longer exist. */
export const expired = (questions: OpenQuestion[], nowMs: number): OpenQuestion[] =>
	questions.filter(({ untilMs }) => untilMs + graceMs < nowMs);

/** Number of open questions that receive every reply to these senders (not those matched by message reference). */
export const countListeners = (
	questions: OpenQuestion[],
	{ senders, nowMs }: { senders: string[]; nowMs: number },
): number =>
	questions.filter(({ untilMs, filter }) => {
		if (untilMs < nowMs || filter?.message_ref?.length) return false;
		return filter?.sender?.some((sender) => senders.includes(sender)) ?? true;
	}).length;

/** A received message, as the questions that may be meant by it see it. */
export type Reply = {
	apiKey: string;
	nowMs: number;
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

/** Whether its filter lets the reply through. */
const hears = ({ filter = {} }: OpenQuestion, { sender, eventType, quoted }: Reply): boolean => {
	const { sender: senders, event_type: eventTypes, message_ref: references } = filter;
	return (
		(!senders?.length || senders.some((each) => plainNumber(each) === sender)) &&
		(!eventTypes?.length || eventTypes.some((each) => each === eventType)) &&
		(!references?.length || references.some((each) => each === quoted))
	);
};

/** Its address has the digest for one sender only, while a fallback SMS has another. */
const isAskedOf = (
	{ person, filter }: OpenQuestion,
	{ apiKey, contact, sender }: Pick<Reply, 'apiKey' | 'contact' | 'sender'>,
): boolean => {
	const senders = [sender, ...(filter?.sender ?? [])];
	return senders.some((each) => personOf(apiKey, contact, plainNumber(each)) === person);
};

const isLater = (one: AskToken, other: AskToken): boolean =>
	one.askedMs > other.askedMs || (one.askedMs === other.askedMs && one.nonce > other.nonce);

/** Whether other questions are open that may get the replies to a new one. */
export const hasRivals = (
	questions: OpenQuestion[],
	{ contact, senders }: { contact: string; senders: string[] },
	{ apiKey, nowMs, isAnswered }: Pick<Reply, 'apiKey' | 'nowMs' | 'isAnswered'>,
): boolean =>
	questions.some((question) => {
		const { untilMs, webhookId, filter } = question;
		if (untilMs <= nowMs || filter?.message_ref?.length || isAnswered(webhookId)) return false;
		const shared = senders.filter(
			(each) =>
				!filter?.sender?.length || filter.sender.some((other) => plainNumber(other) === each),
		);
		return shared.some((sender) => isAskedOf(question, { apiKey, contact, sender }));
	});

const secondOf = (ms: number): number => Math.floor(ms / 1000);

/** Whether a reply was written before a message was sent. In whole seconds: events have no more. */
export const isBefore = (writtenMs: number, sentMs = -Infinity): boolean =>
	sentMs === Infinity || secondOf(writtenMs) < secondOf(sentMs);

type Own = AskToken & {
	/** Whether the reply was written before its message was sent. */
	isEarly: boolean;
};

/**
 * The question beside `own` that gets the reply: the one whose message it quotes, or else the newest of those asked of
 * the same contact that are open, hear the reply, and whose message was out before it was written.
 */
export const newestBeside = (
	questions: OpenQuestion[],
	own: Own,
	reply: Reply,
): OpenQuestion | undefined => {
	const isQuoted = ({ nonce }: OpenQuestion) => nonce === reply.quoted;
	const others = questions.filter(
		(question) =>
			question.nonce !== own.nonce &&
			question.untilMs > reply.nowMs &&
			(isQuoted(question) || !isBefore(reply.writtenMs, question.sentMs)) &&
			!reply.isAnswered(question.webhookId) &&
			hears(question, reply) &&
			isAskedOf(question, reply),
	);
	const newest = others
		.filter((question) => own.isEarly || isLater(question, own))
		.toSorted((one, other) => (isLater(one, other) ? -1 : 1))[0];
	return others.find(isQuoted) ?? newest;
};
