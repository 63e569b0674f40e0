import { z } from 'zod/v4';
import { idString } from './common.schema';

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

const texts = z.array(z.string()).optional();

/** Values of one field combine with OR, fields with AND. A field left out matches everything. */
export const webhookFilterSchema = z.looseObject({
	event_type: texts,
	sender: texts,
	message_ref: texts,
	status: texts,
	campaign_id: texts,
});
export type WebhookFilter = z.infer<typeof webhookFilterSchema>;

/** A webhook as the service keeps it. `rate_limit` is in deliveries per second, 0 is its own default. */
export const webhookSchema = z.looseObject({
	id: idString,
	name: z.string().optional(),
	url: z.string().optional(),
	filter: webhookFilterSchema.nullish(),
	rate_limit: z.number().optional(),
});
export type Webhook = z.infer<typeof webhookSchema>;

/** The list is `{}` when the account has no webhooks. */
export const webhookListSchema = z.looseObject({ webhooks: z.array(webhookSchema).nullish() });

/** DELETE answers `{"message": "deleted"}`; the status says it all. */
export const webhookDeletedSchema = z.looseObject({});
