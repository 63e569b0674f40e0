import { getWebhooks } from '../api/endpoints/webhook';
import type { Service } from '../api/service';
import { type OpenQuestion, questionsAmong } from '../events/openQuestions';
import { lruMap } from '../lib/async';
import { createUnstoppableClock } from '../n8n/clock';
import { accountOf } from '../n8n/credentials';

/** Reads the account's questions, no matter which n8n instance asked them. */
export async function readQuestions(service: Service, apiKey: string): Promise<OpenQuestion[]> {
	return questionsAmong(await service.call(getWebhooks), apiKey);
}

const maxAgeMs = 5_000;

const { now } = createUnstoppableClock();

type Reading = { begunMs: number; questions: Promise<OpenQuestion[]> };

/**
 * The latest readings, keyed by account. Failed readings are cached, too, because a busy trigger would otherwise repeat
 * them for each message.
 */
const readings = lruMap<Reading>(100);

/**
 * Returns the account's questions, which are cached for five seconds, because a trigger calls this for each message. A
 * question that another process has just asked may be missing.
 */
export async function readRecently(service: Service, apiKey: string): Promise<OpenQuestion[]> {
	const account = accountOf(apiKey);
	const known = readings.get(account);
	if (known && now() - known.begunMs < maxAgeMs) return await known.questions;
	const questions = readQuestions(service, apiKey);
	readings.set(account, { begunMs: now(), questions });
	return await questions;
}

/** Clears the cache. Called when this process has asked a question, because the cached list lacks it. */
export function forgetReading(apiKey: string): void {
	readings.delete(accountOf(apiKey));
}
