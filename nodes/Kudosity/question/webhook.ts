import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import {
	createWebhook,
	type EventType,
	fieldsOf,
	getWebhooks,
	hasId,
	type Webhook,
	type WebhookFilter,
} from '../api/endpoints/webhook';
import { InputError, outcomeOf, QuestionNotSentError } from '../api/errors';
import type { Service } from '../api/service';
import { countListeners, expired, questionsAmong } from '../events/openQuestions';
import { stopWordsFor } from '../events/question';
import type { Asked } from '../events/replyRecord';
import { personOf, writeAsk } from '../events/tokens';
import type { Parties, QuestionSettings } from '../fields/question';
import { accountOf, apiKeyOf, howToBeReached, requireReachable } from '../runtime/credentials';
import {
	createTidyingService,
	type Place,
	removeWebhook,
	webhookNameIn,
} from '../runtime/services';

/** n8n 1 checks the signature of a resume URL only where it is told to; n8n 2.41 always does, and lacks the call. */
type N8n1 = { setSignatureValidationRequired?: () => void };

/** Whether this is no n8n 1. */
export const checksByItself = (context: IExecuteFunctions): boolean =>
	!('setSignatureValidationRequired' in context);

/** Lets n8n refuse whoever calls without the signature. */
export const requireSignature = (context: IExecuteFunctions): void =>
	(context as N8n1).setSignatureValidationRequired?.();

/** The time in UTC, to the minute. */
const minuteOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

/**
 * n8n keeps nothing of what a node does while it goes on waiting. The name of the webhook does, for all
 * processes and after a restart.
 */
const mark = ', explained)';

/** Says until when the webhook is needed, and leaves room for the mark. */
export const questionName = (place: Place, untilMs: number): string =>
	webhookNameIn(place, ` (question until ${minuteOf(untilMs)} UTC${mark}`).slice(0, -mark.length) +
	')';

export const explainedName = (name: string): string => name.replace(/\)$/, mark);

export const isExplained = (name: string): boolean => name.endsWith(mark);

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
export const openReplyWebhook = async (...args: Parameters<typeof open>): Promise<Asked> =>
	await open(...args).catch((error: unknown) => {
		throw new QuestionNotSentError(error);
	});

const hourMs = 3_600_000;

/** Whoever asks waits meanwhile; the next sweep takes the others. */
const maxRemoved = 50;

const lastCleanUpMs = new Map<string, number>();

/** Whether it is this run's turn: at most once an hour for each key, in each process. */
const isDue = (apiKey: string, nowMs: number): boolean => {
	for (const [account, ms] of lastCleanUpMs)
		if (nowMs - ms >= hourMs) lastCleanUpMs.delete(account);
	const account = accountOf(apiKey);
	if (lastCleanUpMs.has(account)) return false;
	lastCleanUpMs.set(account, nowMs);
	return true;
};

type Look = { senders: string[]; nowMs: number };

/**
 * Removes the webhooks of questions whose time is over and whose execution could not do it: it was stopped, or
 * nobody answered. Never fails, as it must not stop a question from being asked.
 *
 * @returns how many open questions get each reply to `senders`; 0 when it did not look
 */
export const removeExpired = async (
	context: IExecuteFunctions,
	service: Service,
	{ senders, nowMs }: Look,
): Promise<number> => {
	const clean = async (): Promise<number> => {
		const key = await apiKeyOf(context);
		if (!isDue(key, nowMs)) return 0;
		const questions = questionsAmong(await service.call(getWebhooks), key);
		const left = expired(questions, nowMs).slice(0, maxRemoved);
		await Promise.allSettled(
			left.map(async ({ webhookId }) => await removeWebhook(service, webhookId)),
		);
		return countListeners(questions, { senders, nowMs });
	};
	return await clean().catch(() => 0);
};

/** From here on, n8n notices what each reply costs it. */
const many = 50;

const hintOf = (count: number) =>
	`n8n gets each reply to this sender ${count + 1} times, once for each question that is open on it. With so many, take the replies with a Kudosity Trigger and a data table, as the example “Ask thousands of people” does, or, for SMS, choose 'This Message' in Options > Match Replies By`;

type Planned = Pick<QuestionSettings, 'matchBy' | 'waitMs'> & Pick<Parties, 'senders'>;

const cutShort =
	'The Timeout Workflow setting can be shorter than the wait: outside queue mode, n8n then stops the workflow instead of going on. Make it longer than all waits of an execution together (an hour is the most, unless EXECUTIONS_TIMEOUT_MAX is set), or switch it off';

/** What n8n makes of a longer setting, unless its EXECUTIONS_TIMEOUT_MAX, which no node can read, is another. */
const maxTimeoutSeconds = 3600;

/** Sweeps before a question, and tells its user of a wait that n8n cuts short, and of replies that many others get. */
export const cleanUpBefore = async (
	context: IExecuteFunctions,
	service: Service,
	{ matchBy, senders, waitMs }: Planned,
): Promise<void> => {
	const { executionTimeout = 0 } = context.getWorkflowSettings();
	const timeoutMs = Math.min(executionTimeout, maxTimeoutSeconds) * 1000;
	if (executionTimeout > 0 && timeoutMs <= waitMs) {
		context.addExecutionHints({ message: cutShort, location: 'outputPane' });
	}
	const count = await removeExpired(context, service, { senders, nowMs: Date.now() });
	if (count < many || matchBy === 'message') return;
	context.addExecutionHints({ message: hintOf(count), location: 'outputPane' });
};
