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
import { isExpired } from '../events/openQuestions';
import { type Question, optOutWordsFor } from '../events/question';
import { questionSuffix } from '../events/questionName';
import type { Asked } from '../events/replyRecord';
import { conversationDigest, writeAsk } from '../events/tokens';
import type { Parties, QuestionSettings } from '../fields/question';
import { lruMap } from '../lib/async';
import { hourMs } from '../lib/time';
import { accountOf, apiKeyOf, howToBeReached, isReachable } from '../n8n/credentials';
import { createCleanUpService, placeOf, removeWebhook, webhookNameIn } from '../n8n/services';
import { forgetReading, readQuestions } from './accountQuestions';

/** n8n 1 verifies the signature of a resume URL only on request; n8n 2.41 always does, and lacks the call. */
type N8n1 = { setSignatureValidationRequired?: () => void };

export function isN8n1(context: IExecuteFunctions): boolean {
	return 'setSignatureValidationRequired' in context;
}

type Answerable = Pick<Question, 'ask'> & Parameters<typeof optOutWordsFor>[0];

/** Where n8n takes the reply: the same for the whole wait. */
export function replyUrl(
	context: IExecuteFunctions | IWebhookFunctions,
	{ ask, ...wording }: Answerable,
): string {
	const words = optOutWordsFor(wording).join();
	return context.getSignedResumeUrl({ ask, ...(words !== '' && { words }) });
}

type Asking = { settings: QuestionSettings; parties: Parties; events: EventType[] };

const unreachable = (): InputError =>
	new InputError(
		"Kudosity can't deliver the reply to this n8n: its webhook URL is not a public https URL",
		howToBeReached,
	);

/** A webhook whose creation was not answered is found by its URL, also after Stop, so that it can be removed. */
const createOrFind = async (
	context: IExecuteFunctions,
	service: Service,
	settings: { name: string; url: string; filter: WebhookFilter },
): Promise<Webhook> =>
	await service.call(createWebhook, settings).catch(async (error: unknown) => {
		if (outcomeOf(error) === 'refused') throw error;
		const { call } = createCleanUpService(context);
		const webhooks = await call(getWebhooks).catch((): ListedWebhook[] => []);
		const found = webhooks.filter(hasId).find((each) => fieldsOf(each).url === settings.url);
		if (!found) throw error;
		return found;
	});

/** Creates the webhook that receives the reply. From then on, every process can see that the question is open. */
export async function openReplyWebhook(
	context: IExecuteFunctions,
	service: Service,
	{ settings, parties, events }: Asking,
): Promise<Asked> {
	const { waitMs, matchBy, ...wording } = settings;
	const key = await apiKeyOf(context);
	const nonce = randomUUID();
	const person = conversationDigest(key, parties.contact, parties.senders[0] ?? '');
	const askedMs = Date.now();
	const untilMs = askedMs + waitMs;
	const ask = writeAsk(key, { nonce, person, askedMs, untilMs });
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
	forgetReading(key);
	return { question: { ask, reference: nonce, ...parties, ...wording }, webhookId, untilMs };
}

const lastCleanUps = lruMap<number>(100);

/** At most once an hour for each account, in each process. */
function isDue(apiKey: string, nowMs: number): boolean {
	const account = accountOf(apiKey);
	if (nowMs - (lastCleanUps.get(account) ?? -Infinity) < hourMs) return false;
	lastCleanUps.set(account, nowMs);
	return true;
}

async function removeExpired(context: IExecuteFunctions, service: Service): Promise<void> {
	const nowMs = Date.now();
	const key = await apiKeyOf(context);
	if (!isDue(key, nowMs)) return;
	const questions = await readQuestions(service, key);
	// At most 50, because the run waits meanwhile. The next one removes the others.
	const leftovers = questions.filter((each) => isExpired(each, nowMs)).slice(0, 50);
	await Promise.allSettled(
		leftovers.map(async ({ webhookId }) => await removeWebhook(service, webhookId)),
	);
}

const cutShort =
	"'Timeout Workflow' may end this execution before a reply arrives. Turn it off in the workflow settings, or set it to longer than all waits combined";

/** n8n caps the setting here by default; no node can read EXECUTIONS_TIMEOUT_MAX, which changes the cap. */
const maxTimeoutSeconds = 3600;

/** Warns of a wait that n8n would cut short, and removes expired webhooks. Never fails: the question is asked anyway. */
export async function cleanUpBefore(
	context: IExecuteFunctions,
	service: Service,
	{ waitMs }: Pick<QuestionSettings, 'waitMs'>,
): Promise<void> {
	const { executionTimeout = 0 } = context.getWorkflowSettings();
	const timeoutMs = Math.min(executionTimeout, maxTimeoutSeconds) * 1000;
	if (executionTimeout > 0 && timeoutMs <= waitMs) {
		context.addExecutionHints({ message: cutShort, location: 'outputPane' });
	}
	await removeExpired(context, service).catch(() => undefined);
}
