import { sleep, type IWebhookFunctions } from 'n8n-workflow';
import { getWebhooks } from '../api/endpoints/webhook';
import { newestMap } from '../api/newestMap';
import { hasId, type Webhook } from '../api/schemas/webhook.schema';
import { createNodeService } from '../runtime/nodeService';
import { replaceIds } from './storedRegistration';
import { updatedIds } from './updatedIds';

/** None when the service cannot say. */
type Existing = Webhook[] | undefined;
type Reading = { existing: Promise<Existing>; untilMs: number };

const rememberedMs = 60_000;
const mostRemembered = 100;

/** Many events can come at once: the service is asked once a minute for each webhook that is not stored. */
const readings = newestMap<Reading>(mostRemembered);

const read = async (context: IWebhookFunctions): Promise<Existing> =>
	await createNodeService(context)
		.call(getWebhooks)
		.then(
			(webhooks) => webhooks.filter(hasId),
			() => undefined,
		);

/** The service waits for the delivery meanwhile, and would repeat it. */
const longestMs = 5_000;

const noAnswer = async (): Promise<undefined> => {
	await sleep(longestMs);
	return undefined;
};

const readOnce = async (context: IWebhookFunctions, ids: string): Promise<Existing> => {
	const known = readings.get(ids);
	if (known && known.untilMs > Date.now()) return await known.existing;
	const existing = Promise.race([read(context), noAnswer()]);
	readings.set(ids, { existing, untilMs: Date.now() + rememberedMs });
	return await existing;
};

const hasSame = (ids: string[], others: string[]): boolean => ids.join() === others.join();

/**
 * The ids whose events this trigger takes. n8n keeps what all nodes of a workflow store as one text, and the
 * last writer wins: an execution that began before the trigger was registered anew brings earlier ids back,
 * and all events would seem to be another's. So where an event comes from a webhook that is not stored, the
 * account's webhooks tell. None when the service cannot say: the token alone decides then, as nothing may be
 * lost.
 */
export const currentIds = async (
	context: IWebhookFunctions,
	{ storedIds, webhookId, token }: { storedIds: string[]; webhookId?: string; token: string },
): Promise<string[] | undefined> => {
	if (storedIds.length === 0) return undefined;
	if (webhookId === undefined || storedIds.includes(webhookId)) return storedIds;
	const existing = await readOnce(context, [...storedIds, webhookId].join());
	if (!existing) return undefined;
	const url = context.getNodeWebhookUrl('default') ?? '';
	const ids = updatedIds({ webhookId, storedIds, token, url, existing });
	if (!ids || hasSame(ids, storedIds)) return ids;
	context.logger.warn(
		'The stored Kudosity webhooks are out of date; what the account has is stored',
		{
			webhookIds: ids,
		},
	);
	replaceIds(context, ids);
	return ids;
};
