import type { IHookFunctions } from 'n8n-workflow';
import { getWebhooks, hasId } from '../api/endpoints/webhook';
import { ApiError, InputError, isTransient, NoAnswerError } from '../api/errors';
import { settle } from '../lib/async';
import { createNodeService, removeWebhook } from '../runtime/services';
import { isReachable } from '../runtime/credentials';
import { createNodeClock } from '../runtime/clock';
import { isOwn, readIdentity, warnOfOtherAccount } from './identity';
import { forgetRegistration, readRegistration } from './storedRegistration';

/** About 10 s in all with the retries of each request; n8n 2 allows 85 s for publishing and unpublishing. */
const pausesMs = [1_000, 3_000];

/** No attempt starts after this; requests that time out would otherwise block n8n for minutes. */
const maxWaitMs = 20_000;

/** Whether a retry could succeed. An error status may come from a gateway, but a rejected key stays rejected. */
const canWorkLater = (error: unknown): boolean =>
	isTransient(error) || (error instanceof ApiError && ![401, 403].includes(error.fields.status));

/** Tries to remove each of our webhooks, even when removing another one fails. */
const removeOwn = async (context: IHookFunctions): Promise<void> => {
	const identity = await readIdentity(context);
	const service = createNodeService(context);
	const existing = (await service.call(getWebhooks)).filter(hasId);
	const own = existing.filter((webhook) => isOwn(webhook, identity));
	const removals = own.map(async ({ id }) => await removeWebhook(service, id));
	const failed = (await Promise.allSettled(removals)).find(({ status }) => status === 'rejected');
	if (failed) throw (failed as PromiseRejectedResult).reason;
	warnOfOtherAccount(context, existing, identity);
};

const removeWithRetries = async (context: IHookFunctions): Promise<void> => {
	const clock = createNodeClock(undefined);
	const endsAtMs = clock.now() + maxWaitMs;
	for (const pauseMs of pausesMs) {
		const result = await settle(removeOwn(context));
		if (result.status === 'fulfilled') return;
		if (!canWorkLater(result.reason) || clock.now() > endsAtMs) throw result.reason;
		await clock.sleep(pauseMs);
	}
	await removeOwn(context);
};

/**
 * Whether the service can have no webhook of this trigger: none is known, and its address is never registered. n8n
 * calls `delete` after each of its five tries to publish, so that a request would keep the user waiting.
 */
const hasNone = async (context: IHookFunctions): Promise<boolean> => {
	if (readRegistration(context).ids.length > 0) return false;
	const url = context.getNodeWebhookUrl('default') ?? '';
	return !(await isReachable(context, { connection: 'key', url }).catch(() => true));
};

/** For the log, which must not contain the service's own texts. */
const reasonOf = (error: unknown): string => {
	if (error instanceof ApiError) return `Kudosity refused with status ${error.fields.status}`;
	if (error instanceof NoAnswerError) return 'Kudosity did not respond';
	if (error instanceof InputError) return error.message;
	return "Kudosity's response could not be read";
};

/**
 * Removes every webhook of this trigger; n8n 1 also calls it for triggers that were never registered. Never throws: n8n
 * 1 would skip the workflow's other triggers, and n8n 2 would treat a trigger that failed to activate as registered. So
 * it retries by itself and logs what is left; the next publishing takes that over.
 */
export const unregister = async (context: IHookFunctions): Promise<void> => {
	if (await hasNone(context)) return forgetRegistration(context);
	const { ids, isTest, isPending } = readRegistration(context);
	// n8n itself retries a failed activation, and nobody waits for the end of a test.
	const isRetried = !isTest && !isPending;
	const remove = isRetried ? removeWithRetries : removeOwn;
	const result = await settle(remove(context));
	if (result.status === 'fulfilled') return forgetRegistration(context);
	const left = ids.length > 0 ? ids.join(', ') : 'ID unknown';
	context.logger.warn(
		`A webhook of this trigger (${left}) may be left in your Kudosity account: ${reasonOf(result.reason)}. ${isTest ? 'Execute the trigger once more' : 'Publish and unpublish the workflow again'}, or delete it with Webhook → Delete`,
		{ webhookIds: ids },
	);
};
