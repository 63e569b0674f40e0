import type { IExecuteFunctions } from 'n8n-workflow';
import type { Service } from '../api/service';
import { isExpired } from '../events/openQuestions';
import type { QuestionSettings } from '../fields/question';
import { lruMap } from '../lib/async';
import { hourMs } from '../lib/time';
import { accountOf, apiKeyOf } from '../n8n/credentials';
import { removeWebhook } from '../n8n/services';
import { readQuestions } from './accountQuestions';

/** n8n caps the setting here by default; no node can read EXECUTIONS_TIMEOUT_MAX, which changes the cap. */
const maxTimeoutSeconds = 3600;

/** Warns of a wait that n8n would cut short, and deletes expired webhooks. Never fails: the question is asked anyway. */
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
	"'Timeout Workflow' may end this execution before a reply arrives. Turn it off in the workflow settings, or set it to longer than all waits combined";

/** When this process last looked for expired webhooks, by account. */
const looks = lruMap<number>(100);

/** The run waits for the deletions. The next look continues with the others. */
const maxDeletions = 50;

/** Looks at most once an hour, so not every question costs a request more. */
async function deleteExpired(context: IExecuteFunctions, service: Service): Promise<void> {
	const nowMs = Date.now();
	const apiKey = await apiKeyOf(context);
	const account = accountOf(apiKey);
	if (nowMs - (looks.get(account) ?? -Infinity) < hourMs) return;
	looks.set(account, nowMs);
	const questions = await readQuestions(service, apiKey);
	const leftovers = questions.filter((each) => isExpired(each, nowMs)).slice(0, maxDeletions);
	await Promise.allSettled(
		leftovers.map(async ({ webhookId }) => await removeWebhook(service, webhookId)),
	);
}
