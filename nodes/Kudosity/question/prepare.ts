import type { IExecuteFunctions } from 'n8n-workflow';
import type { Service } from '../api/service';
import { isExpired } from '../events/openQuestions';
import type { QuestionSettings } from '../fields/question';
import { lruMap } from '../lib/async';
import { hourMs } from '../lib/time';
import { accountOf, apiKeyOf } from '../n8n/credentials';
import { removeWebhook } from '../n8n/services';
import { readQuestions } from './accountQuestions';

/**
 * n8n's default maximum for Timeout Workflow. The environment variable EXECUTIONS_TIMEOUT_MAX changes it, but nodes
 * can't read that.
 */
const maxTimeoutSeconds = 3600;

/**
 * Warns about a wait that n8n would cut short, and deletes expired webhooks. Never throws, because the question can be
 * asked anyway.
 */
export async function prepare(
	context: IExecuteFunctions,
	service: Service,
	{ waitMs }: Pick<QuestionSettings, 'waitMs'>,
): Promise<void> {
	const { executionTimeout = 0 } = context.getWorkflowSettings();
	const timeoutMs = Math.min(executionTimeout, maxTimeoutSeconds) * 1000;
	if (executionTimeout > 0 && timeoutMs <= waitMs) {
		context.addExecutionHints({ message: cutShort, location: 'outputPane' });
	}
	await deleteExpired(context, service).catch(() => undefined);
}

const cutShort =
	"'Timeout Workflow' may end this execution before a reply arrives. Turn it off in the workflow settings, or make it longer than all waits combined";

/** When this process last looked for expired webhooks, in epoch milliseconds. Keyed by account. */
const looks = lruMap<number>(100);

/**
 * The maximum number of webhooks that one check deletes. The number is limited, because the execution waits for the
 * deletions. The next checks delete the other webhooks.
 */
const maxDeletions = 50;

/**
 * Deletes expired webhooks. Looks for them at most once an hour, unless some are left, so most questions don't cost an
 * extra request.
 */
async function deleteExpired(context: IExecuteFunctions, service: Service): Promise<void> {
	const nowMs = Date.now();
	const apiKey = await apiKeyOf(context);
	const account = accountOf(apiKey);
	if (nowMs - (looks.get(account) ?? -Infinity) < hourMs) return;
	looks.set(account, nowMs);
	const questions = await readQuestions(service, apiKey);
	const expired = questions.filter((each) => isExpired(each, nowMs));
	const deleted = await Promise.allSettled(
		expired
			.slice(0, maxDeletions)
			.map(async ({ webhookId }) => await removeWebhook(service, webhookId)),
	);
	// If there are more, the next question deletes them without waiting an hour.
	const isGoingWell = deleted.every(({ status }) => status === 'fulfilled');
	if (isGoingWell && expired.length > maxDeletions) looks.delete(account);
}
