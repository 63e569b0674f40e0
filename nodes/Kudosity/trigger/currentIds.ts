import type { IWebhookFunctions } from 'n8n-workflow';
import { fieldsOf, getWebhooks, hasId, type Webhook } from '../api/endpoints/webhook';
import { lruMap } from '../lib/async';
import { minuteMs } from '../lib/time';
import { unlessSlow } from '../n8n/clock';
import { createNodeService } from '../n8n/services';
import { hasAddress, partOf, tokenOf } from './identity';
import { updateRegistration } from './storedRegistration';

type Delivered = {
	/** The webhook that the event names as its source; not among the stored ones. */
	webhookId: string;
	/** Of our webhooks. */
	storedIds: string[];
	/** The event's token, which is ours. */
	token: string;
	/** The trigger's URL in n8n, without token. */
	url: string;
	existing: Webhook[];
};

/**
 * The IDs of our webhooks when an event comes from one that is not stored. It replaces a stored one that is gone, or
 * joins them when it delivers the other part of the events. Otherwise it is extra: the stored one delivers the same
 * events.
 *
 * @returns undefined when ours is gone or lacks that part, but the event's webhook has another address: accept the
 * event so that nothing is lost, but do not store the ID, since stored webhooks may be changed and deleted
 */
export const resolveWebhookIds = ({
	webhookId,
	storedIds,
	token,
	url: ourUrl,
	existing,
}: Delivered): string[] | undefined => {
	const byId = new Map(existing.map((webhook) => [webhook.id, webhook]));
	const shown = (id: string) => {
		const { url, filter } = fieldsOf(byId.get(id) ?? { id });
		return { url, part: partOf(url), types: filter?.event_type ?? [] };
	};
	const present = storedIds.filter((id) => byId.has(id));
	const gone = storedIds.find((id) => !byId.has(id));
	const webhook = byId.get(webhookId);
	const { url, part, types } = shown(webhookId);
	const hasToken = url !== undefined && tokenOf(url) === token;
	const isExtra = present
		.map(shown)
		.some((ours) => ours.part === part || ours.types.some((type) => types.includes(type)));
	if (hasToken && isExtra) return storedIds;
	if (!hasToken && gone === undefined) return storedIds;
	if (webhook && !(hasToken && hasAddress(webhook, { url: ourUrl }))) return undefined;
	return gone === undefined
		? [...storedIds, webhookId]
		: storedIds.map((id) => (id === gone ? webhookId : id));
};

/** `existing` is undefined when the service did not answer. */
type Reading = { existing: Promise<Webhook[] | undefined>; untilMs: number };

/** Events can arrive in bursts, so the service is asked at most once a minute per unknown webhook. */
const readings = lruMap<Reading>(100);

const readOnce = async (context: IWebhookFunctions, ids: string): Reading['existing'] => {
	const known = readings.get(ids);
	if (known && known.untilMs > Date.now()) return await known.existing;
	const existing = unlessSlow(createNodeService(context).call(getWebhooks)).then(
		(webhooks) => webhooks.filter(hasId),
		() => undefined,
	);
	readings.set(ids, { existing, untilMs: Date.now() + minuteMs });
	return await existing;
};

/**
 * The IDs of the webhooks whose events this trigger accepts. n8n stores the static data of a workflow's nodes as one
 * text: an execution that started before the trigger was registered again restores the old IDs, and all events would
 * look foreign. So when an unknown webhook delivers, the account's list decides.
 *
 * @returns undefined when nothing is known; the token alone decides then, so that no event is lost
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
	if (!ids || ids.join() === storedIds.join()) return ids;
	context.logger.warn(
		'The stored Kudosity webhooks were out of date and were updated from the account',
		{ webhookIds: ids },
	);
	updateRegistration(context, { webhookIds: ids });
	return ids;
};
