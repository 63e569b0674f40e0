import type { IExecuteFunctions } from 'n8n-workflow';
import { getWebhooks } from '../../api/endpoints/webhook';
import type { Service } from '../../api/service';
import { countHearing, expired, questionsAmong } from '../../events/openQuestions';
import { accountOf } from '../accounts';
import { apiKeyOf } from '../credentials';
import { removeWebhook } from '../removeWebhook';

const hourMs = 3_600_000;

/** Whoever asks waits meanwhile; the next sweep takes the others. */
const mostRemoved = 50;

const lastSweepMs = new Map<string, number>();

/** Whether it is this run's turn: at most once an hour for each key, in each process. */
const isDue = (apiKey: string, nowMs: number): boolean => {
	for (const [account, ms] of lastSweepMs) if (nowMs - ms >= hourMs) lastSweepMs.delete(account);
	const account = accountOf(apiKey);
	if (lastSweepMs.has(account)) return false;
	lastSweepMs.set(account, nowMs);
	return true;
};

type Look = { senders: string[]; nowMs: number };

/**
 * Removes the webhooks of questions whose time is over and whose execution could not do it: it was stopped, or
 * nobody answered. Never fails, as it must not stop a question from being asked.
 *
 * @returns how many open questions get each reply to `senders`; 0 when it did not look
 */
export const sweep = async (
	context: IExecuteFunctions,
	service: Service,
	{ senders, nowMs }: Look,
): Promise<number> => {
	const clean = async (): Promise<number> => {
		const key = await apiKeyOf(context);
		if (!isDue(key, nowMs)) return 0;
		const questions = questionsAmong(await service.call(getWebhooks), key);
		const left = expired(questions, nowMs).slice(0, mostRemoved);
		await Promise.allSettled(
			left.map(async ({ webhookId }) => await removeWebhook(service, webhookId)),
		);
		return countHearing(questions, { senders, nowMs });
	};
	return await clean().catch(() => 0);
};
