import { randomUUID } from 'node:crypto';
import { withFractionDigits, wholeSeconds } from '../timestamps.ts';

export const eventTypes = [
	'LINK_HIT',
	'OPT_OUT',
	'MMS_INBOUND',
	'MMS_STATUS',
	'SMS_INBOUND',
	'SMS_STATUS',
	'RCS_STATUS',
	'RCS_INBOUND',
	'WHATSAPP_STATUS',
	'WHATSAPP_INBOUND',
] as const;
export type EventType = (typeof eventTypes)[number];

export const channels = ['SMS', 'MMS', 'RCS', 'WHATSAPP'] as const;
export type Channel = (typeof channels)[number];

interface StatusBody {
	type: Channel;
	id: string;
	message_ref?: string;
	sender: string;
	recipient: string;
	routed_via?: string;
	status: string;
	description?: string;
	campaign_id?: string;
}

/** A message as quoted in events: `last_message` and `source_message`. */
export interface QuotedMessage {
	type: Channel;
	id: string;
	message: string;
	message_ref?: string;
	recipient: string;
	sender: string;
	routed_via?: string;
	subject?: string;
	content_urls?: string[];
	campaign_id?: string;
}

export interface InboundBody {
	type: Channel;
	id: string;
	sender: string;
	recipient: string;
	message?: string;
	subject?: string;
	routed_via?: string;
	media?: Array<{ name: string; content: string }>;
	last_message?: QuotedMessage;
	content_type?: string;
	content?: Record<string, unknown>;
}

/** An event without `webhook_id` and `webhook_name`, which each webhook adds. */
export interface EventBody {
	event_type: EventType;
	timestamp: string;
	status?: StatusBody;
	mo?: InboundBody;
	link_hit?: { hits: number; url: string; source_message: QuotedMessage };
	opt_out?: { source: 'LINK_HIT' | 'SMS_INBOUND'; source_message: QuotedMessage };
}

/** Status events have whole seconds, others microseconds. Receivers get both formats. */
export const statusEvent = (status: StatusBody): EventBody => ({
	event_type: `${status.type}_STATUS`,
	timestamp: wholeSeconds(new Date()),
	status,
});

const preciseNow = () => withFractionDigits(new Date(), 6);

export const inboundEvent = (mo: InboundBody, at = new Date()): EventBody => ({
	event_type: `${mo.type}_INBOUND`,
	timestamp: withFractionDigits(at, 6),
	mo,
});

export const linkHitEvent = (link_hit: NonNullable<EventBody['link_hit']>): EventBody => ({
	event_type: 'LINK_HIT',
	timestamp: preciseNow(),
	link_hit,
});

export const optOutEvent = (opt_out: NonNullable<EventBody['opt_out']>): EventBody => ({
	event_type: 'OPT_OUT',
	timestamp: preciseNow(),
	opt_out,
});

export const inboundId = () => `mo-${randomUUID().slice(0, 18)}`;
