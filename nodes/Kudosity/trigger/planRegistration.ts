import { fieldsOf, type Webhook, type WebhookFilter } from '../api/endpoints/webhook';
import { type Identity, isOwn } from './identity';

export type WantedWebhook = {
	name: string;
	url: string;
	filter: WebhookFilter;
	/**
	 * Maximum events per second. If undefined, the webhook keeps its current limit, which may have been set by hand.
	 */
	rateLimit?: number;
};

/** `keep`: nothing needs to be written. `update`: the webhook gets the wanted settings and keeps its ID. */
export type Plan = ({ action: 'create' } | { action: 'keep' | 'update'; webhook: Webhook }) & {
	/** The trigger's other webhooks. They are deleted, because each of them would deliver the events again. */
	extra: Webhook[];
};

const filterFields = ['event_type', 'sender', 'message_ref', 'status', 'campaign_id'] as const;

/**
 * Normalizes the values of a filter field. They are combined with OR, so order and duplicates don't matter. An empty
 * list equals a missing one.
 */
const asSet = (values: string[] | undefined): string =>
	JSON.stringify([...new Set(values ?? [])].sort());

function isAsWanted(webhook: Webhook, { name, url, filter, rateLimit }: WantedWebhook): boolean {
	const has = fieldsOf(webhook);
	return (
		has.url === url &&
		has.name === name &&
		(rateLimit === undefined || (has.rate_limit ?? 0) === rateLimit) &&
		filterFields.every((field) => asSet(has.filter?.[field]) === asSet(filter[field]))
	);
}

/**
 * Plans the registration, after which the trigger has a single webhook. Of the trigger's own webhooks, the one with a
 * stored ID is kept, or else one that needs no change, or else the first one.
 */
export function planRegistration(
	existing: Webhook[],
	wanted: WantedWebhook,
	identity: Identity,
): Plan {
	const own = existing.filter((webhook) => isOwn(webhook, identity));
	const webhook =
		own.find(({ id }) => identity.ids.includes(id)) ??
		own.find((each) => isAsWanted(each, wanted)) ??
		own[0];
	if (!webhook) return { action: 'create', extra: [] };
	// IDs are compared, because Kudosity may list the same webhook twice.
	const extra = own.filter(({ id }) => id !== webhook.id);
	return { action: isAsWanted(webhook, wanted) ? 'keep' : 'update', webhook, extra };
}
