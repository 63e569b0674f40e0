import type { IWebhookFunctions } from 'n8n-workflow';
import { replaceWebhook } from '../api/endpoints/webhook';
import type { Service } from '../api/service';
import { endedKeptMs } from '../events/openQuestions';
import type { ReceivedEvent } from '../events/parse';
import { endedSuffix } from '../events/questionName';
import { type Asked, replyIdOf } from '../events/replyRecord';
import { endDigestOf } from '../events/tokens';
import { settle } from '../lib/async';
import { epochMsOf } from '../lib/time';
import { createUnstoppableClock } from '../n8n/clock';
import { accountOf, apiKeyOf } from '../n8n/credentials';
import { createNodeService, patient, placeOf, removeWebhook, webhookNameIn } from '../n8n/services';
import { replyUrl } from './webhook';

const clock = createUnstoppableClock();

type Left = {
	/** Of the latest question: each service keeps its execution in memory. */
	service: Service;
	webhooks: Array<{ id: string; endMs: number }>;
};

const leftOf = new Map<string, Left>();

/** Removes a webhook after ten minutes, one after the other for each account. */
async function removeLater(account: string, service: Service, id: string): Promise<void> {
	const known = leftOf.get(account);
	const left = known ?? { service, webhooks: [] };
	left.service = service;
	left.webhooks.push({ id, endMs: clock.now() + endedKeptMs });
	if (known) return;
	leftOf.set(account, left);
	for (let next; (next = left.webhooks[0]); left.webhooks.shift()) {
		await clock.sleep(Math.max(0, next.endMs - clock.now()));
		await removeWebhook(left.service, next.id).catch(() => undefined);
	}
	leftOf.delete(account);
}

/**
 * Notes in the webhook's name which message ended the question, for those to whom it comes late, and removes the
 * webhook later. Until then it hears nothing: no message has that digest for its reference.
 */
export async function endQuestion(
	context: IWebhookFunctions,
	{ question, webhookId }: Asked,
	{ received, isAnswer }: { received: ReceivedEvent; isAnswer: boolean },
): Promise<void> {
	const service = createNodeService(context, patient);
	const apiKey = await apiKeyOf(context);
	const digest = endDigestOf(apiKey, question.reference, replyIdOf(received));
	// An odd time is none.
	const endedMs = epochMsOf(received.event?.timestamp ?? '') || Date.now();
	const settings = {
		id: webhookId,
		name: webhookNameIn(placeOf(context), endedSuffix({ isAnswer, digest }, endedMs)),
		url: replyUrl(context, question),
		filter: { event_type: ['OPT_OUT'], sender: question.senders, message_ref: [digest] },
	};
	const noted = await settle(service.call(replaceWebhook, settings));
	if (noted.status === 'fulfilled') return await removeLater(accountOf(apiKey), service, webhookId);
	// Meanwhile, other processes that get the same reply can see at least that this question was open.
	await clock.sleep(5_000);
	await removeWebhook(service, webhookId);
}
