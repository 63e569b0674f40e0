import { fieldsOf, type Webhook, type WebhookFilter } from '../api/endpoints/webhook';
import { type Identity, isOwn } from './identity';

export type WantedWebhook = {
	name: string;
	url: string;
	filter: WebhookFilter;
	/** If undefined, the webhook keeps its own limit, which may have been set by hand. */
	rateLimit?: number;
};

/** `keep`: nothing to write. `update`: the webhook gets the wanted settings and keeps its ID. */
export type Plan = ({ action: 'create' } | { action: 'keep' | 'update'; webhook: Webhook }) & {
	/** Other webhooks of our own, which are deleted because each would deliver events again. */
	extra: Webhook[];
};

const filterFields = ['event_type', 'sender', 'message_ref', 'status', 'campaign_id'] as const;

/**
 * Normalizes the values of a filter field. They combine with OR, so order and repetition don't matter; an empty list
 * equals none.
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

/** Plans one webhook. Of our own, the one with a stored ID stays, else one that needs no change, else the first. */
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
	// The ID decides, because Kudosity may list one webhook twice.
	const extra = own.filter(({ id }) => id !== webhook.id);
	return { action: isAsWanted(webhook, wanted) ? 'keep' : 'update', webhook, extra };
}
