import { randomUUID } from 'crypto';
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import {
	createWebhook,
	type EventType,
	fieldsOf,
	getWebhooks,
	hasId,
	type ListedWebhook,
	type Webhook,
	type WebhookFilter,
} from '../api/endpoints/webhook';
import { InputError, outcomeOf } from '../api/errors';
import type { Service } from '../api/service';
import { optOutWordsFor, type Question } from '../events/question';
import { questionSuffix } from '../events/questionName';
import { conversationDigestOf, encodeQuestionToken } from '../events/questionToken';
import type { Asked } from '../events/replyRecord';
import type { Parties, QuestionSettings } from '../fields/question';
import { apiKeyOf, howToBeReached, isReachable } from '../n8n/credentials';
import { createCleanUpService, placeOf, webhookNameIn } from '../n8n/services';
import { forgetReading } from './accountQuestions';

/**
 * n8n 1 only verifies a resume URL's signature if this method is called. n8n 2.41 always verifies it and doesn't have
 * the method.
 */
type N8n1 = { setSignatureValidationRequired?: () => void };

type Asking = { settings: QuestionSettings; parties: Parties; events: EventType[] };

/** Creates the webhook that receives the reply. From then on, every process can see that the question is open. */
export async function openQuestion(
	context: IExecuteFunctions,
	service: Service,
	{ settings, parties, events }: Asking,
): Promise<Asked> {
	const { waitMs, matchBy, ...wording } = settings;
	const apiKey = await apiKeyOf(context);
	const nonce = randomUUID();
	const conversationDigest = conversationDigestOf(
		apiKey,
		parties.contact,
		parties.senders[0] ?? '',
	);
	const askedMs = Date.now();
	const untilMs = askedMs + waitMs;
	const token = { nonce, conversationDigest, askedMs, expiresMs: untilMs };
	const ask = encodeQuestionToken(apiKey, token);
	(context as N8n1).setSignatureValidationRequired?.();
	const url = replyUrl(context, { ask, ...wording });
	if (!(await isReachable(context, { connection: 'key', url }))) throw unreachable();
	const { id: webhookId } = await createOrFind(context, service, {
		name: webhookNameIn(placeOf(context), questionSuffix('until', untilMs)),
		url,
		filter: {
			event_type: events,
			sender: parties.senders,
			...(matchBy === 'thisMessage' && { message_ref: [nonce] }),
		},
	});
	forgetReading(apiKey);
	return { question: { ask, reference: nonce, ...parties, ...wording }, webhookId, untilMs };
}

/** Returns the URL at which n8n receives the reply. n8n's signature covers all parameters of the URL. */
export function replyUrl(
	context: IExecuteFunctions | IWebhookFunctions,
	{ ask, ...wording }: Pick<Question, 'ask'> & Parameters<typeof optOutWordsFor>[0],
): string {
	const words = optOutWordsFor(wording).join();
	return context.getSignedResumeUrl({ ask, ...(words !== '' && { words }) });
}

function unreachable(): InputError {
	return new InputError(
		"Kudosity can't deliver the reply to this n8n instance: its webhook URL is not a public https URL",
		howToBeReached,
	);
}

/**
 * Creates the webhook. If the service may have created it without confirming that, looks for a webhook with the same
 * URL. This also works after the user has stopped the execution, so no webhook is left behind.
 */
async function createOrFind(
	context: IExecuteFunctions,
	service: Service,
	settings: { name: string; url: string; filter: WebhookFilter },
): Promise<Webhook> {
	return await service.call(createWebhook, settings).catch(async (error: unknown) => {
		if (outcomeOf(error) === 'refused') throw error;
		const { call } = createCleanUpService(context);
		const webhooks = await call(getWebhooks).catch((): ListedWebhook[] => []);
		const found = webhooks.filter(hasId).find((each) => fieldsOf(each).url === settings.url);
		if (!found) throw error;
		return found;
	});
}
