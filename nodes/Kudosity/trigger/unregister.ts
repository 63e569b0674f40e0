import type { IHookFunctions } from 'n8n-workflow';
import { getWebhooks, hasId } from '../api/endpoints/webhook';
import { ApiError, InputError, isTransient, NoAnswerError } from '../api/errors';
import { createNodeService, removeWebhook } from '../runtime/services';
import { createNodeClock } from '../runtime/clock';
import { isOwn, readIdentity, warnOfOtherAccount } from './identity';
import { forgetRegistration, readRegistration } from './storedRegistration';

/** With the repeats of each request about 10 s in all; n8n 2 gives publishing and unpublishing 85 s. */
const pausesMs = [1_000, 3_000];

/** After this no further try begins: a service that lets requests time out would hold n8n for minutes. */
const maxWaitMs = 20_000;

/** Whether it can work later: also after what a gateway says meanwhile. A key that is refused stays so. */
const canWorkLater = (error: unknown): boolean =>
	isTransient(error) || (error instanceof ApiError && ![401, 403].includes(error.fields.status));

/** Removes what is ours: one that cannot be removed does not keep the others. */
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

const removeWithRepeats = async (context: IHookFunctions): Promise<void> => {
	const clock = createNodeClock(undefined);
	const endsAtMs = clock.now() + maxWaitMs;
	for (const pauseMs of pausesMs) {
		const error = await removeOwn(context).then(
			() => undefined,
			(reason: unknown) => ({ reason }),
		);
		if (!error) return;
		if (!canWorkLater(error.reason) || clock.now() > endsAtMs) throw error.reason;
		await clock.sleep(pauseMs);
	}
	await removeOwn(context);
};

/** For the log, which never holds what the service says. */
const reasonOf = (error: unknown): string => {
	if (error instanceof ApiError) return `Kudosity refused with status ${error.fields.status}`;
	if (error instanceof NoAnswerError) return 'Kudosity did not answer';
	if (error instanceof InputError) return error.message;
	return 'the answer of Kudosity could not be read';
};

/**
 * Removes every webhook of this trigger, and nothing else: n8n 1 also calls it for triggers that were never
 * registered. It never throws. Nobody must be unable to unpublish a workflow, and an error makes n8n 1 leave
 * the workflow's other triggers as they are, and n8n 2 take a trigger whose activation failed for registered.
 * So it repeats by itself, and the log names what is left, which the next publishing takes over.
 */
export const unregister = async (context: IHookFunctions): Promise<void> => {
	const { ids, isTest, isPending } = readRegistration(context);
	// n8n itself repeats an activation that failed, and nobody waits for the end of a test.
	const isRepeated = !isTest && !isPending;
	const remove = isRepeated ? removeWithRepeats : removeOwn;
	const error = await remove(context).then(
		() => undefined,
		(reason: unknown) => ({ reason }),
	);
	if (!error) return forgetRegistration(context);
	const left = ids.length > 0 ? ids.join(', ') : 'ID unknown';
	context.logger.warn(
		`A webhook of this trigger (${left}) may be left in the Kudosity account: ${reasonOf(error.reason)}. ${isTest ? 'Execute the trigger once more' : 'Publish and unpublish the workflow again'}, or delete it with Webhook → Delete`,
		{ webhookIds: ids },
	);
};
