import {
	fieldsOf,
	hasId,
	type ListedWebhook,
	type WebhookFilter,
} from '../api/schemas/webhook.schema';
import { askIn, readAsk, type AskToken } from './askToken';

type OpenQuestion = AskToken & { webhookId: string; filter?: WebhookFilter };

/** The webhooks of questions among those of an account, each with what its address says. Never anybody else's. */
export const questionsAmong = (webhooks: ListedWebhook[], apiKey: string): OpenQuestion[] =>
	webhooks.filter(hasId).flatMap((webhook) => {
		const { url, filter } = fieldsOf(webhook);
		const ask = readAsk(apiKey, askIn(url));
		return ask ? [{ ...ask, webhookId: webhook.id, filter }] : [];
	});

/** n8n ends a wait up to a minute late, and clocks differ. */
const graceMs = 10 * 60_000;

/** Those whose time was over some minutes ago: whoever asked has gone on, or is no longer there. */
export const expired = (questions: OpenQuestion[], nowMs: number): OpenQuestion[] =>
	questions.filter(({ untilMs }) => untilMs + graceMs < nowMs);

/** How many open questions get each reply to these numbers. Those that are matched by their message get their own. */
export const countHearing = (
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

const hears = ({ filter }: OpenQuestion, { quoted }: Reply): boolean =>
	!filter?.message_ref?.length || filter.message_ref.some((reference) => reference === quoted);

/** Whether the same person was asked something later that is still open, and gets the reply: then it is for that. */
export const hasNewer = (questions: OpenQuestion[], own: AskToken, reply: Reply): boolean =>
	questions.some(
		(question) =>
			question.nonce !== own.nonce &&
			question.person === own.person &&
			(question.askedMs > own.askedMs ||
				(question.askedMs === own.askedMs && question.nonce > own.nonce)) &&
			question.untilMs > reply.nowMs &&
			hears(question, reply) &&
			!reply.isAnswered(question.webhookId),
	);
