import type { Webhook, WebhookFilter } from '../api/schemas/webhook.schema';
import { identityOf } from './webhookUrl';

export type WantedWebhook = { name: string; url: string; filter: WebhookFilter };

/** What to do so that exactly one webhook of ours exists, with the wanted settings. */
export type Plan = {
	/** `keep`: nothing to write. `update`: this webhook gets the wanted settings, and keeps its id. */
	target: { action: 'keep' | 'update'; webhook: Webhook } | { action: 'create' };
	/** Further webhooks with our own URL: each would deliver every event once more. */
	surplus: Webhook[];
};

const filterFields = ['event_type', 'sender', 'message_ref', 'status', 'campaign_id'] as const;

/** Values of a filter field combine with OR, so order and repetition mean nothing; empty is as absent. */
const asSet = (values: string[] | null | undefined): string =>
	JSON.stringify([...new Set(values ?? [])].sort());

const hasFilter = ({ filter }: Webhook, wanted: WebhookFilter): boolean =>
	filterFields.every((field) => asSet(filter?.[field]) === asSet(wanted[field]));

const isAsWanted = (webhook: Webhook, { name, url, filter }: WantedWebhook): boolean =>
	webhook.url === url && webhook.name === name && hasFilter(webhook, filter);

/** Those of the account's webhooks that have our own URL. All others are somebody else's. */
export const ownWebhooks = (existing: Webhook[], url: string): Webhook[] => {
	const own = identityOf(url);
	return existing.filter((webhook) => own !== undefined && identityOf(webhook.url) === own);
};

/**
 * Compares the account's webhooks with the wanted one. Of several of our own, the one that is known by its
 * id stays, then one that needs no change, then the first.
 */
export const planRegistration = (
	existing: Webhook[],
	wanted: WantedWebhook,
	knownId?: string,
): Plan => {
	const own = ownWebhooks(existing, wanted.url);
	const webhook =
		own.find(({ id }) => id === knownId) ??
		own.find((candidate) => isAsWanted(candidate, wanted)) ??
		own[0];
	if (!webhook) return { target: { action: 'create' }, surplus: [] };
	const action = isAsWanted(webhook, wanted) ? 'keep' : 'update';
	return { target: { action, webhook }, surplus: own.filter((other) => other !== webhook) };
};
