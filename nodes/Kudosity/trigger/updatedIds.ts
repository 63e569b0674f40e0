import { fieldsOf, type Webhook } from '../api/schemas/webhook.schema';
import { partOf, tokenOf } from './webhookUrl';

type Delivered = {
	/** Of the webhook that an event says it comes from; none of those that are stored. */
	webhookId: string;
	/** The ids of our webhooks, as they are stored. */
	storedIds: string[];
	/** The token that the event came with, which is ours. */
	token: string;
	/** What the account has. */
	existing: Webhook[];
};

/**
 * The ids of our webhooks when an event comes from one that is not stored. It is taken in place of a stored
 * one that is gone, and beside the stored ones when it delivers another part of the events. Otherwise it is a
 * surplus one, whose events come from the stored one as well.
 *
 * @returns undefined where a webhook of somebody else's passes events on, and ours is gone: nothing may be lost,
 * and nothing of that webhook kept, since what is stored may be changed and deleted
 */
export const updatedIds = ({
	webhookId,
	storedIds,
	token,
	existing,
}: Delivered): string[] | undefined => {
	const byId = new Map(existing.map((webhook) => [webhook.id, webhook]));
	const urlOf = (id: string) => {
		const webhook = byId.get(id);
		return webhook && fieldsOf(webhook).url;
	};
	const present = storedIds.filter((id) => byId.has(id));
	const url = urlOf(webhookId);
	const isOwn = url !== undefined && tokenOf(url) === token;
	if (isOwn && present.some((id) => partOf(urlOf(id)) === partOf(url))) return storedIds;
	const gone = storedIds.find((id) => !byId.has(id));
	if (gone !== undefined && url !== undefined && !isOwn) return undefined;
	if (gone !== undefined) return storedIds.map((id) => (id === gone ? webhookId : id));
	return isOwn ? [...storedIds, webhookId] : storedIds;
};
