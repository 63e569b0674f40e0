import { z } from 'zod/v4';
import { idString, ifPossible } from './common.schema';

/** The ten event types of the service. */
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

/** Values of one field combine with OR, fields with AND. A field left out matches everything. */
const webhookFilterSchema = z.object({
	event_type: texts,
	sender: texts,
	message_ref: texts,
	status: texts,
	campaign_id: texts,
});
export type WebhookFilter = z.infer<typeof webhookFilterSchema>;

/** A webhook as the service keeps it. Its fields pass as they came: another program may have made it. */
export const webhookSchema = z.looseObject({ id: idString });
export type Webhook = z.infer<typeof webhookSchema>;

export const listedWebhookSchema = z.looseObject({ id: ifPossible(idString) });
export type ListedWebhook = z.infer<typeof listedWebhookSchema>;

const fieldsSchema = z.object({
	name: z.string().optional().catch(undefined),
	url: z.string().optional().catch(undefined),
	filter: webhookFilterSchema.optional().catch(undefined),
	/** Deliveries a second; 0 is the service's own default. */
	rate_limit: z.number().optional().catch(undefined),
});

/** What a webhook says of itself; a field of another type counts as absent. */
export const fieldsOf = (webhook: ListedWebhook): z.infer<typeof fieldsSchema> =>
	fieldsSchema.parse(webhook);

/** Whether anything can be done with it: without an id, it can only be shown. */
export const hasId = (webhook: ListedWebhook): webhook is Webhook =>
	typeof webhook.id === 'string' && webhook.id !== '';
