import { z } from 'zod/v4';
import { count, idString, ifPossible, read, remove, replace, send, anyObject } from '../endpoint';
import { wholeList } from '../lists';

export const eventTypes = [
	'LINK_HIT',
	'MMS_INBOUND',
	'MMS_STATUS',
	'OPT_OUT',
	'RCS_INBOUND',
	'RCS_STATUS',
	'SMS_INBOUND',
	'SMS_STATUS',
	'WHATSAPP_INBOUND',
	'WHATSAPP_STATUS',
] as const;
export type EventType = (typeof eventTypes)[number];

const texts = z.array(z.string()).optional().catch(undefined);

/**
 * A webhook's filter. Values of the same field are combined with OR, fields with AND. A field that is left out matches
 * everything.
 */
const webhookFilterSchema = z.object({
	event_type: texts,
	sender: texts,
	message_ref: texts,
	status: texts,
	campaign_id: texts,
});
export type WebhookFilter = z.infer<typeof webhookFilterSchema>;

/** A webhook as stored by the service. Its fields are not checked, because another program may have created it. */
export const webhookSchema = z.looseObject({ id: idString });
export type Webhook = z.infer<typeof webhookSchema>;

export const listedWebhookSchema = z.looseObject({ id: ifPossible(idString) });
export type ListedWebhook = z.infer<typeof listedWebhookSchema>;

const fieldsSchema = z.object({
	name: z.string().optional().catch(undefined),
	url: z.string().optional().catch(undefined),
	filter: webhookFilterSchema.optional().catch(undefined),
	/** Deliveries per second; 0 is the service's default. */
	rate_limit: count.optional().catch(undefined),
	created_at: z.string().optional().catch(undefined),
});

/** Returns a webhook's known fields. A field of the wrong type counts as missing. */
export function fieldsOf(webhook: ListedWebhook): z.infer<typeof fieldsSchema> {
	return fieldsSchema.parse(webhook);
}

/** Whether a webhook has an ID. Without one, it can only be displayed. */
export function hasId(webhook: ListedWebhook): webhook is Webhook {
	return typeof webhook.id === 'string' && webhook.id !== '';
}

const collection = '/v2/webhook';
const one = `${collection}/{id}`;

/**
 * All webhooks of the account. Malformed ones are returned unchanged. If there are none, the service responds with
 * `{}`.
 */
export const getWebhooks = wholeList({
	path: collection,
	records: 'webhooks',
	record: () => listedWebhookSchema,
});

export const getWebhook = read({ path: one, answer: () => webhookSchema });

/**
 * Creates a webhook. This is a `send`, because a retry could create a second webhook, which would deliver every event
 * twice.
 */
export const createWebhook = send({ path: collection, answer: () => webhookSchema });

/** Replaces the whole record. Fields that are left out are reset to the service's defaults. */
export const replaceWebhook = replace({ path: one, answer: () => webhookSchema });

export const deleteWebhook = remove({ path: one, answer: anyObject });

/** The values to match. In an update, an empty list removes the filter. */
export type FilterFields = {
	sender?: string[];
	messageRef?: string[];
	status?: string[];
	campaignId?: string[];
};

type WebhookChanges = {
	name?: string;
	url?: string;
	/** An empty list leaves the event types unchanged. */
	eventTypes: EventType[];
	filters: FilterFields;
	rateLimit?: number;
};

function isFilled(values: unknown): boolean {
	return Array.isArray(values) ? values.length > 0 : values !== undefined && values !== null;
}

/** Drops empty lists, because the service doesn't document whether they match nothing or everything. */
function filledOnly(filter: WebhookFilter): WebhookFilter {
	return Object.fromEntries(Object.entries(filter).filter(([, values]) => isFilled(values)));
}

function distinct(values?: string[]) {
	return values && [...new Set(values)];
}

function toFilter(eventTypes: EventType[], filters: FilterFields): WebhookFilter {
	return {
		event_type: eventTypes,
		sender: distinct(filters.sender),
		message_ref: distinct(filters.messageRef),
		status: distinct(filters.status),
		campaign_id: distinct(filters.campaignId),
	};
}

export function webhookFilter(eventTypes: EventType[], filters: FilterFields): WebhookFilter {
	return filledOnly(toFilter(eventTypes, filters));
}

function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}

/**
 * Returns a webhook's current filter. An old webhook may have a single, deprecated event type instead. That type is
 * preserved, because the webhook would get every event without it.
 */
function keptFilter({ filter, event_type: single }: Webhook): WebhookFilter {
	const kept: WebhookFilter = isObject(filter) ? filter : {};
	const hasTypes = isFilled(kept.event_type);
	const isOld = !hasTypes && typeof single === 'string' && single !== '';
	return isOld ? { ...kept, event_type: [single] } : kept;
}

function changedFilter(webhook: Webhook, { eventTypes, filters }: WebhookChanges) {
	// An empty list removes a filter, but leaves the event types as they are.
	const changes = Object.entries(toFilter(eventTypes, filters)).filter(
		([name, values]) => isFilled(values) || (values && name !== 'event_type'),
	);
	return filledOnly({ ...keptFilter(webhook), ...Object.fromEntries(changes) });
}

/** Builds the whole record for an update, because the service resets fields that are left out. */
export function changedSettings(webhook: Webhook, changes: WebhookChanges) {
	const filter = changedFilter(webhook, changes);
	const kept = fieldsOf(webhook);
	return {
		// The name must have 2 to 100 characters. Every event includes it as `webhook_name`.
		name: changes.name ?? kept.name ?? '',
		url: changes.url ?? kept.url ?? '',
		...(Object.keys(filter).length > 0 ? { filter } : {}),
		rate_limit: changes.rateLimit ?? kept.rate_limit,
		// This field is deprecated, but is preserved if it is set.
		...(webhook.is_sandbox === true && { is_sandbox: true }),
	};
}
