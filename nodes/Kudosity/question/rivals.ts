import { randomUUID } from 'crypto';
import { getWebhooks, type ListedWebhook, type WebhookFilter } from '../api/endpoints/webhook';
import type { Service } from '../api/service';
import { type OpenQuestion, questionsAmong, rivalsOf } from '../events/openQuestions';
import { type AskToken, conversationDigest } from '../events/tokens';
import type { Parties } from '../fields/question';
import { lruMap, onFailure } from '../lib/async';
import { createUnstoppableClock } from '../n8n/clock';
import { accountOf } from '../n8n/credentials';
import { answers } from './claims';

const maxAgeMs = 5_000;

const { now } = createUnstoppableClock();

type Reading = { begunMs: number; webhooks: Promise<ListedWebhook[]> };

export const maxAccounts = 100;
const readings = lruMap<Reading>(maxAccounts);

/** The account's webhooks, less than five seconds old: one request for all who need them, also where it fails. */
function readRecent(service: Service, apiKey: string): Reading {
	const account = accountOf(apiKey);
	const known = readings.get(account);
	if (known && now() - known.begunMs < maxAgeMs) return known;
	const reading = { begunMs: now(), webhooks: service.call(getWebhooks) };
	readings.set(account, reading);
	reading.webhooks.catch(() => undefined);
	return reading;
}

export async function readWebhooks(service: Service, apiKey: string): Promise<ListedWebhook[]> {
	return await readRecent(service, apiKey).webhooks;
}

/** Questions of this process that a reading may lack. */
type Recent = OpenQuestion & { account: string; createdMs?: number };

const recents = new Map<string, Recent>();

/** What is older is in any reading that is still used. */
const maxRecentMs = 60_000;

/** The account's questions, with those of this process that the reading lacks. */
function questionsIn(webhooks: ListedWebhook[], { begunMs }: Reading, apiKey: string) {
	const nowMs = now();
	for (const [nonce, { createdMs = nowMs }] of recents) {
		if (nowMs - createdMs > maxRecentMs) recents.delete(nonce);
	}
	const account = accountOf(apiKey);
	const isUnread = ({ createdMs = Infinity }: Recent) => createdMs >= begunMs;
	const own = [...recents.values()].filter((each) => each.account === account && isUnread(each));
	return [...questionsAmong(webhooks, apiKey), ...own];
}

export async function readQuestions(service: Service, apiKey: string): Promise<OpenQuestion[]> {
	const reading = readRecent(service, apiKey);
	return questionsIn(await reading.webhooks, reading, apiKey);
}

type Asking = {
	parties: Parties;
	waitMs: number;
	/** What its webhook hears. */
	filterOf: (nonce: string) => WebhookFilter;
};

type Opening = {
	token: AskToken;
	filter: WebhookFilter;
	/** Whether other questions to the same person are open, or nobody knows. */
	hasOthers: boolean;
};

/** No `await` between looking for others and entering the question, so that of two at a time one sees the other. */
export async function openAmongRivals<Opened extends { webhookId: string }>(
	service: Service,
	apiKey: string,
	{ parties, waitMs, filterOf }: Asking,
	open: (opening: Opening) => Promise<Opened>,
): Promise<Opened> {
	const account = accountOf(apiKey);
	const reading = readRecent(service, apiKey);
	const listed = await reading.webhooks.catch(() => undefined);
	const nowMs = Date.now();
	const nonce = randomUUID();
	const person = conversationDigest(apiKey, parties.contact, parties.senders[0] ?? '');
	const others = questionsIn(listed ?? [], reading, apiKey);
	const isAnswered = (webhookId: string) => answers.wasClosedBefore(webhookId);
	const rivals = rivalsOf(others, parties, { apiKey, nowMs, isAnswered });
	const hasOthers = !listed || rivals.length > 0;
	// The newest also where another n8n's clock is ahead, or this one was set back.
	const askedMs = Math.max(nowMs, ...rivals.map((rival) => rival.askedMs + 1));
	const token = { nonce, person, askedMs, untilMs: nowMs + waitMs };
	const filter = filterOf(nonce);
	const recent = { ...token, webhookId: '', filter, account };
	recents.set(nonce, recent);
	const opening = open({ token, filter, hasOthers });
	const opened = await onFailure(opening, () => recents.delete(nonce));
	recents.set(nonce, { ...recent, webhookId: opened.webhookId, createdMs: now() });
	return opened;
}
