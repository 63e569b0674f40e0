import { getWebhooks } from '../api/endpoints/webhook';
import type { Service } from '../api/service';
import { type OpenQuestion, questionsAmong } from '../events/openQuestions';
import { lruMap } from '../lib/async';
import { createUnstoppableClock } from '../n8n/clock';
import { accountOf } from '../n8n/credentials';

/** Reads the questions of the account that any n8n has asked. */
export async function readQuestions(service: Service, apiKey: string): Promise<OpenQuestion[]> {
	return questionsAmong(await service.call(getWebhooks), apiKey);
}

const maxAgeMs = 5_000;

const { now } = createUnstoppableClock();

type Reading = { begunMs: number; questions: Promise<OpenQuestion[]> };

/** By account. A reading that failed stays as well, because a busy trigger would otherwise repeat it for each message. */
const readings = lruMap<Reading>(100);

/** For triggers, which look at each message. A question of another process may be missing for five seconds. */
export async function readRecently(service: Service, apiKey: string): Promise<OpenQuestion[]> {
	const account = accountOf(apiKey);
	const known = readings.get(account);
	if (known && now() - known.begunMs < maxAgeMs) return await known.questions;
	const questions = readQuestions(service, apiKey);
	readings.set(account, { begunMs: now(), questions });
	return await questions;
}

/** For when this process has asked a question, because the latest reading lacks it. */
export function forgetReading(apiKey: string): void {
	readings.delete(accountOf(apiKey));
}
