import type { IWebhookFunctions } from 'n8n-workflow';
import { replaceWebhook } from '../api/endpoints/webhook';
import type { Service } from '../api/service';
import { questionSuffix } from '../events/questionName';
import { decodeQuestionToken, encodeQuestionToken, messageDigestOf } from '../events/questionToken';
import type { Asked } from '../events/replyRecord';
import { settle } from '../lib/async';
import { minuteMs } from '../lib/time';
import { createUnstoppableClock } from '../n8n/clock';
import { accountOf, apiKeyOf } from '../n8n/credentials';
import { createNodeService, patient, placeOf, removeWebhook, webhookNameIn } from '../n8n/services';
import { replyUrl } from './open';

const clock = createUnstoppableClock();

/**
 * How long the webhook of a closed question is kept. The service has been seen to deliver an event again a minute
 * later.
 */
const keptMs = 10 * minuteMs;

/**
 * How long the webhook is kept if it couldn't be marked as closed. It is kept at all so that copies of the reply still
 * go to this question, and not for long, because the question still looks open to other processes, and would get
 * replies that are meant for older questions.
 */
const unmarkedKeptMs = 5_000;

/**
 * Closes a question whose execution has continued. The question's webhook is kept for ten more minutes, and its filter
 * is replaced with a digest of the message that ended the question. Every process can read this digest, so a late copy
 * of the message doesn't answer an older question. No event matches the new filter, so the webhook receives nothing in
 * that time.
 */
export async function closeQuestion(
	context: IWebhookFunctions,
	{ question, webhookId }: Asked,
	{ messageId, isAnswer }: { messageId?: string; isAnswer: boolean },
): Promise<void> {
	const service = createNodeService(context, patient);
	const apiKey = await apiKeyOf(context);
	const nowMs = Date.now();
	const token = decodeQuestionToken(apiKey, question.ask);
	const ask = token && encodeQuestionToken(apiKey, { ...token, expiresMs: nowMs + keptMs });
	const state = isAnswer ? 'answered' : 'ended';
	const settings = {
		id: webhookId,
		name: webhookNameIn(placeOf(context), questionSuffix(state, nowMs)),
		url: replyUrl(context, { ...question, ask: ask ?? question.ask }),
		filter: {
			event_type: ['OPT_OUT'],
			sender: question.senders,
			message_ref: [messageDigestOf(apiKey, question.reference, messageId)],
		},
	};
	const marked = await settle(service.call(replaceWebhook, settings));
	if (marked.status === 'fulfilled')
		return await removeLater(accountOf(apiKey), service, webhookId);
	await clock.sleep(unmarkedKeptMs);
	await removeWebhook(service, webhookId);
}

type Closed = {
	/**
	 * The service of the most recently closed question. Keeping one service per webhook would keep each execution's
	 * data in memory.
	 */
	service: Service;
	webhooks: Array<{ id: string; removeMs: number }>;
};

const closedOf = new Map<string, Closed>();

/** Deletes a webhook after ten minutes. Each account has one loop, which deletes its webhooks one after the other. */
async function removeLater(account: string, service: Service, id: string): Promise<void> {
	const known = closedOf.get(account);
	const closed = known ?? { service, webhooks: [] };
	closed.service = service;
	closed.webhooks.push({ id, removeMs: clock.now() + keptMs });
	if (known) return;
	closedOf.set(account, closed);
	for (let next; (next = closed.webhooks[0]); closed.webhooks.shift()) {
		await clock.sleep(Math.max(0, next.removeMs - clock.now()));
		await removeWebhook(closed.service, next.id).catch(() => undefined);
	}
	closedOf.delete(account);
}
