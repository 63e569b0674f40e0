import { fieldsOf, hasId, type ListedWebhook, type WebhookFilter } from '../api/endpoints/webhook';
import { readAsk, textInUrl, type AskToken } from './tokens';

type OpenQuestion = AskToken & {
	webhookId: string;
	filter?: WebhookFilter;
	/** The stop words that are answers to it. */
	words?: string[];
};

/** The webhooks of questions among those of an account, each with what its address says. Never anybody else's. */
export const questionsAmong = (webhooks: ListedWebhook[], apiKey: string): OpenQuestion[] =>
	webhooks.filter(hasId).flatMap((webhook) => {
		const { url, filter } = fieldsOf(webhook);
		const ask = readAsk(apiKey, textInUrl(url, 'ask'));
		return ask
			? [{ ...ask, webhookId: webhook.id, filter, words: textInUrl(url, 'words')?.split(',') }]
			: [];
	});

/** n8n ends a wait up to a minute late, and clocks differ. */
const graceMs = 10 * 60_000;

/** Those whose time was over some minutes ago: whoever asked has gone on, or is no longer there. */
export const expired = (questions: OpenQuestion[], nowMs: number): OpenQuestion[] =>
	questions.filter(({ untilMs }) => untilMs + graceMs < nowMs);

/** How many open questions get each reply to these numbers. Those that are matched by their message get their own. */
export const countListeners = (
	questions: OpenQuestion[],
	{ senders, nowMs }: { senders: string[]; nowMs: number },
): number =>
	questions.filter(({ untilMs, filter }) => {
		if (untilMs < nowMs || filter?.message_ref?.length) return false;
		return filter?.sender?.some((sender) => senders.includes(sender)) ?? true;
	}).length;

type Reply = {
	nowMs: number;
	isAnswered: (webhookId: string) => boolean;
	/** The reference of the message that the reply quotes. */
	quoted?: string | null;
};

const receives = ({ filter }: OpenQuestion, { quoted }: Reply): boolean =>
	!filter?.message_ref?.length || filter.message_ref.some((reference) => reference === quoted);

const isLater = (one: AskToken, other: AskToken): boolean =>
	one.askedMs > other.askedMs || (one.askedMs === other.askedMs && one.nonce > other.nonce);

/** The last thing that the same person was asked later, that is still open, and gets the reply: it is for that. */
export const newestAfter = (
	questions: OpenQuestion[],
	own: AskToken,
	reply: Reply,
): OpenQuestion | undefined =>
	questions
		.filter(
			(question) =>
				question.nonce !== own.nonce &&
				question.person === own.person &&
				isLater(question, own) &&
				question.untilMs > reply.nowMs &&
				receives(question, reply) &&
				!reply.isAnswered(question.webhookId),
		)
		.reduce<
			OpenQuestion | undefined
		>((newest, question) => (newest && isLater(newest, question) ? newest : question), undefined);
