import { fieldsOf, type Webhook } from '../api/schemas/webhook.schema';
import { hasAddress } from './ownership';
import { partOf, tokenOf } from './webhookUrl';

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
export const updatedIds = ({
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
