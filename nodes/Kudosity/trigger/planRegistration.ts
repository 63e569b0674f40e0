import { fieldsOf, type Webhook, type WebhookFilter } from '../api/endpoints/webhook';
import { type Identity, isOwn, partOf } from './identity';

export type WantedWebhook = {
	name: string;
	url: string;
	filter: WebhookFilter;
	/** Undefined leaves the webhook's own limit, which may have been set by hand. */
	rateLimit?: number;
};

/** `keep`: nothing to write. `update`: the webhook gets the wanted settings and keeps its ID. */
export type Step =
	| { action: 'create'; wanted: WantedWebhook }
	| { action: 'keep' | 'update'; wanted: WantedWebhook; webhook: Webhook };

export type Plan = {
	/** One per wanted webhook. */
	steps: Step[];
	/** Other webhooks of our own: each would deliver every event again. */
	extra: Webhook[];
};

const filterFields = ['event_type', 'sender', 'message_ref', 'status', 'campaign_id'] as const;

/** Values of a filter field combine with OR, so order and repetition don't matter; empty equals absent. */
const asSet = (values: string[] | undefined): string =>
	JSON.stringify([...new Set(values ?? [])].sort());

const isAsWanted = (webhook: Webhook, { name, url, filter, rateLimit }: WantedWebhook): boolean => {
	const has = fieldsOf(webhook);
	return (
		has.url === url &&
		has.name === name &&
		(rateLimit === undefined || (has.rate_limit ?? 0) === rateLimit) &&
		filterFields.every((field) => asSet(has.filter?.[field]) === asSet(filter[field]))
	);
};

/** Prefers the webhook with a known ID, then one that needs no change, then the first. */
const pickExisting = (
	candidates: Webhook[],
	wanted: WantedWebhook,
	ids: string[],
): Webhook | undefined =>
	candidates.find(({ id }) => ids.includes(id)) ??
	candidates.find((candidate) => isAsWanted(candidate, wanted)) ??
	candidates[0];

const hasPartOf =
	(wanted: WantedWebhook) =>
	(webhook: Webhook): boolean =>
		partOf(fieldsOf(webhook).url) === partOf(wanted.url);

/** First matches webhooks registered for the same part, so that two never swap settings, then any other of our own. */
export const planRegistration = (
	existing: Webhook[],
	allWanted: WantedWebhook[],
	identity: Identity,
): Plan => {
	// By ID: one that is listed twice is not an extra one.
	const own = existing.filter((webhook) => isOwn(webhook, identity));
	const left = new Map(own.map((webhook) => [webhook.id, webhook]));
	const matched = new Map<WantedWebhook, Webhook>();
	const match = (wanted: WantedWebhook, candidates: Webhook[]) => {
		const webhook = pickExisting(candidates, wanted, identity.ids);
		if (!webhook) return;
		matched.set(wanted, webhook);
		left.delete(webhook.id);
	};
	for (const wanted of allWanted) match(wanted, [...left.values()].filter(hasPartOf(wanted)));
	for (const wanted of allWanted) if (!matched.has(wanted)) match(wanted, [...left.values()]);
	const steps = allWanted.map((wanted): Step => {
		const webhook = matched.get(wanted);
		if (!webhook) return { action: 'create', wanted };
		return { action: isAsWanted(webhook, wanted) ? 'keep' : 'update', wanted, webhook };
	});
	return { steps, extra: [...left.values()] };
};
