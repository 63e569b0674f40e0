import { fieldsOf, hasId, type ListedWebhook, type WebhookFilter } from '../api/endpoints/webhook';
import { plainNumber } from './simplify';
import { type AskToken, personOf, queryParameter, readAsk } from './tokens';

type OpenQuestion = AskToken & {
	webhookId: string;
	filter?: WebhookFilter;
	/** Stop words that count as answers to it. */
	words?: string[];
};

/** Finds the webhooks of open questions, told by the signed token in their URL. */
export const questionsAmong = (webhooks: ListedWebhook[], apiKey: string): OpenQuestion[] =>
	webhooks.filter(hasId).flatMap((webhook) => {
		const { url, filter } = fieldsOf(webhook);
		const ask = readAsk(apiKey, queryParameter(url, 'ask'));
		return ask
			? [{ ...ask, webhookId: webhook.id, filter, words: queryParameter(url, 'words')?.split(',') }]
			: [];
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
	{ apiKey, contact, sender }: Reply,
): boolean => {
	const senders = [sender, ...(filter?.sender ?? [])];
	return senders.some((each) => personOf(apiKey, contact, plainNumber(each)) === person);
};

const isLater = (one: AskToken, other: AskToken): boolean =>
	one.askedMs > other.askedMs || (one.askedMs === other.askedMs && one.nonce > other.nonce);

/** The newest question asked of the same contact after `own` that is still open and receives the reply. */
export const newestAfter = (
	questions: OpenQuestion[],
	own: AskToken,
	reply: Reply,
): OpenQuestion | undefined =>
	questions
		.filter(
			(question) =>
				question.nonce !== own.nonce &&
				isLater(question, own) &&
				question.untilMs > reply.nowMs &&
				!reply.isAnswered(question.webhookId) &&
				hears(question, reply) &&
				isAskedOf(question, reply),
		)
		.reduce<
			OpenQuestion | undefined
		>((newest, question) => (newest && isLater(newest, question) ? newest : question), undefined);
