import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { createWebhook, getWebhooks } from '../../api/endpoints/webhook';
import { InputError, outcomeOf } from '../../api/errors';
import {
	fieldsOf,
	hasId,
	type EventType,
	type Webhook,
	type WebhookFilter,
} from '../../api/schemas/webhook.schema';
import type { Service } from '../../api/service';
import { personOf, writeAsk } from '../../events/askToken';
import { stopWordsFor } from '../../events/question';
import type { Asked } from '../../events/replyRecord';
import type { Parties, QuestionSettings } from '../../fields/questionSettings';
import { apiKeyOf } from '../credentials';
import { createTidyingService } from '../nodeService';
import { howToBeReached, requireReachable } from '../reachable';
import { NotAskedError } from './notAskedError';
import { questionName } from './questionName';
import { requireSignature } from './signature';

type Asking = {
	settings: QuestionSettings;
	parties: Parties;
	events: EventType[];
	nowMs: number;
};

const unreachable = (): InputError =>
	new InputError(
		'Kudosity cannot deliver the reply to this n8n: its webhook URL is no public https address',
		howToBeReached,
	);

type Settings = { name: string; url: string; filter: WebhookFilter };

const find = async (service: Service, url: string): Promise<Webhook | undefined> => {
	const webhooks = await service.call(getWebhooks);
	return webhooks.filter(hasId).find((webhook) => fieldsOf(webhook).url === url);
};

/**
 * One whose creation was not answered may be there all the same: its address is unique. It is looked for also where
 * the execution was stopped, so that it can be removed.
 */
const createOrFind = async (
	context: IExecuteFunctions,
	service: Service,
	settings: Settings,
): Promise<Webhook> =>
	await service.call(createWebhook, settings).catch(async (error: unknown) => {
		if (outcomeOf(error) === 'refused') throw error;
		const found = await find(createTidyingService(context), settings.url).catch(() => undefined);
		if (!found) throw error;
		return found;
	});

const open = async (
	context: IExecuteFunctions,
	service: Service,
	asking: Asking,
): Promise<Asked> => {
	const { settings, parties, events, nowMs } = asking;
	const { waitMs, matchBy, ...wording } = settings;
	const key = await apiKeyOf(context);
	const nonce = randomUUID();
	const untilMs = nowMs + waitMs;
	const person = personOf(key, parties.contact, parties.senders[0] ?? '');
	const ask = writeAsk(key, { nonce, person, askedMs: nowMs, untilMs });
	requireSignature(context);
	const words = stopWordsFor(wording).join();
	const url = context.getSignedResumeUrl({ ask, ...(words !== '' && { words }) });
	const place = { workflow: context.getWorkflow().name ?? '', node: context.getNode().name };
	const hook = {
		name: questionName(place, untilMs),
		url,
		filter: {
			event_type: events,
			sender: parties.senders,
			...(matchBy === 'message' && { message_ref: [nonce] }),
		},
	};
	await requireReachable(context, { connection: 'key', url }, unreachable);
	const { id: webhookId } = await createOrFind(context, service, hook);
	return { question: { ask, reference: nonce, ...parties, ...wording }, webhookId, untilMs };
};

/**
 * Makes the webhook by which the reply comes back, before the message goes out.
 *
 * @throws NotAskedError nothing was sent
 */
export const openHook = async (...args: Parameters<typeof open>): Promise<Asked> =>
	await open(...args).catch((error: unknown) => {
		throw new NotAskedError(error);
	});
