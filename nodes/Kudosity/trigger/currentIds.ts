import { type IWebhookFunctions, sleep } from 'n8n-workflow';
import { fieldsOf, getWebhooks, hasId, type Webhook } from '../api/endpoints/webhook';
import { lruMap } from '../lib/async';
import { createNodeService } from '../runtime/services';
import { hasAddress, partOf, tokenOf } from './identity';
import { replaceIds } from './storedRegistration';

type Delivered = {
	/** Of the webhook that an event says it comes from; none of those that are stored. */
	webhookId: string;
	/** The ids of our webhooks, as they are stored. */
	storedIds: string[];
	/** The token that the event came with, which is ours. */
	token: string;
	/** Ours, of n8n, without token. */
	url: string;
	/** What the account has. */
	existing: Webhook[];
};

/**
 * The ids of our webhooks when an event comes from one that is not stored. It is taken in place of a stored
 * one that is gone, and beside the stored ones when it delivers another part of the events. Otherwise it is a
 * surplus one, whose events come from the stored one as well.
 *
 * @returns undefined where ours is gone, or lacks that part, and the event came by a webhook that leads elsewhere:
 * nothing may be lost, and nothing of that webhook kept, since what is stored may be changed and deleted
 */
export const resolveWebhookIds = ({
	webhookId,
	storedIds,
	token,
	url: ourUrl,
	existing,
}: Delivered): string[] | undefined => {
	const byId = new Map(existing.map((webhook) => [webhook.id, webhook]));
	const urlOf = (id: string) => {
		const webhook = byId.get(id);
		return webhook && fieldsOf(webhook).url;
	};
	const present = storedIds.filter((id) => byId.has(id));
	const gone = storedIds.find((id) => !byId.has(id));
	const webhook = byId.get(webhookId);
	const url = urlOf(webhookId);
	const hasToken = url !== undefined && tokenOf(url) === token;
	if (hasToken && present.some((id) => partOf(urlOf(id)) === partOf(url))) return storedIds;
	if (!hasToken && gone === undefined) return storedIds;
	if (webhook && !(hasToken && hasAddress(webhook, { url: ourUrl }))) return undefined;
	return gone === undefined
		? [...storedIds, webhookId]
		: storedIds.map((id) => (id === gone ? webhookId : id));
};

/** None when the service cannot say. */
type Existing = Webhook[] | undefined;
type Reading = { existing: Promise<Existing>; untilMs: number };

const rememberedMs = 60_000;
const maxRemembered = 100;

/** Many events can come at once: the service is asked once a minute for each webhook that is not stored. */
const readings = lruMap<Reading>(maxRemembered);

const read = async (context: IWebhookFunctions): Promise<Existing> =>
	await createNodeService(context)
		.call(getWebhooks)
		.then(
			(webhooks) => webhooks.filter(hasId),
			() => undefined,
		);

/** The service waits for the delivery meanwhile, and would repeat it. */
const maxWaitMs = 5_000;

const noAnswer = async (): Promise<undefined> => {
	await sleep(maxWaitMs);
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
	const ids = resolveWebhookIds({ webhookId, storedIds, token, url, existing });
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
