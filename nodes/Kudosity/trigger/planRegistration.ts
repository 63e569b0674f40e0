import { fieldsOf, type Webhook, type WebhookFilter } from '../api/endpoints/webhook';
import { type Identity, isOwn, partOf } from './identity';

export type WantedWebhook = {
	name: string;
	url: string;
	filter: WebhookFilter;
	/** Left out: whatever the webhook has, which may have been set by hand. */
	rateLimit?: number;
};

/** `keep`: nothing to write. `update`: this webhook gets the wanted settings, and keeps its id. */
export type Step =
	| { action: 'create'; wanted: WantedWebhook }
	| { action: 'keep' | 'update'; wanted: WantedWebhook; webhook: Webhook };

/** What to do so that exactly the wanted webhooks exist. */
export type Plan = {
	/** One for each wanted webhook. */
	steps: Step[];
	/** Further webhooks of our own: each would deliver events once more. */
	surplus: Webhook[];
};

const filterFields = ['event_type', 'sender', 'message_ref', 'status', 'campaign_id'] as const;

/** Values of a filter field combine with OR, so order and repetition mean nothing; empty is as absent. */
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

/** The one that is known by its id stays, then one that needs no change, then the first. */
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

/**
 * Compares the webhooks of the account with the wanted ones. A webhook that was registered for the same part
 * is taken first, so that the settings of the two are not swapped; then any other of our own.
 */
export const planRegistration = (
	existing: Webhook[],
	wanted: WantedWebhook[],
	identity: Identity,
): Plan => {
	const left = new Set(existing.filter((webhook) => isOwn(webhook, identity)));
	const taken = new Map<WantedWebhook, Webhook>();
	const take = (wish: WantedWebhook, candidates: Webhook[]) => {
		const webhook = pickExisting(candidates, wish, identity.ids);
		if (!webhook) return;
		taken.set(wish, webhook);
		left.delete(webhook);
	};
	for (const wish of wanted) take(wish, [...left].filter(hasPartOf(wish)));
	for (const wish of wanted) if (!taken.has(wish)) take(wish, [...left]);
	const steps = wanted.map((wish): Step => {
		const webhook = taken.get(wish);
		if (!webhook) return { action: 'create', wanted: wish };
		return { action: isAsWanted(webhook, wish) ? 'keep' : 'update', wanted: wish, webhook };
	});
	return { steps, surplus: [...left] };
};

/** Whether nothing has to be written. */
export const isUpToDate = ({ steps, surplus }: Plan): boolean =>
	surplus.length === 0 && steps.every(({ action }) => action === 'keep');

/** Whether none of our own exists. */
export const createsAll = ({ steps }: Plan): boolean =>
	steps.every(({ action }) => action === 'create');
