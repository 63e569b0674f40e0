import { z } from 'zod/v4';
import { idString } from '../api/endpoint';
import { type EventType, eventTypes } from '../api/endpoints/webhook';
import { lazy } from '../lib/async';
import { isJson, type Json } from '../lib/json';

const kinds = {
	LINK_HIT: 'linkHit',
	MMS_INBOUND: 'inbound',
	MMS_STATUS: 'status',
	OPT_OUT: 'optOut',
	RCS_INBOUND: 'inbound',
	RCS_STATUS: 'status',
	SMS_INBOUND: 'inbound',
	SMS_STATUS: 'status',
	WHATSAPP_INBOUND: 'inbound',
	WHATSAPP_STATUS: 'status',
} as const satisfies Record<EventType, string>;
type Kinds = typeof kinds;

export type EventKind = Kinds[EventType];
export type EventTypeOf<Kind extends EventKind> = {
	[Type in EventType]: Kinds[Type] extends Kind ? Type : never;
}[EventType];

export function kindOf(eventType: unknown): EventKind | undefined {
	const known = eventTypes.find((type) => type === eventType);
	return known && kinds[known];
}

/** Returns the channel in the type of a message event, e.g. SMS in SMS_INBOUND. */
export function channelOf(eventType: unknown): string | undefined {
	return String(eventType).split('_')[0];
}

const file = z.looseObject({ url: z.string() });

/** The schemas of rich content by kind. A message's `content` has the data under the kind's name in lower case. */
const shapes = {
	TEXT: z.looseObject({ message: z.string() }),
	IMAGE: file,
	VIDEO: file,
	AUDIO: file,
	FILE: file,
	LOCATION: z.looseObject({ lat: z.number(), long: z.number() }),
	CONTACT: z.looseObject({
		emails: z.array(z.looseObject({ email: z.string() })).nullable(),
		name: z.looseObject({}).nullable(),
		phones: z.array(z.looseObject({ phone: z.string() })).nullable(),
	}),
	REPLY: z.looseObject({ id: z.string() }),
	STICKER: file,
	BUTTON: z.looseObject({ text: z.string() }),
	REACTION: z.looseObject({ action: z.string() }),
};

const contentTypes = Object.keys(shapes) as Array<keyof typeof shapes>;

/** Returns the kind of rich content; undefined if it is unknown. */
function contentTypeOf(contentType: string | null | undefined) {
	return contentTypes.find((type) => type === contentType?.toUpperCase());
}

type RichMessage = { content_type?: string | null; content?: Json | null };

/** Checks `content` against the schema for its `content_type`. Unknown kinds pass. */
function checkContent(message: RichMessage, context: z.RefinementCtx<RichMessage>): void {
	const { content_type: contentType, content } = message;
	const known = contentTypeOf(contentType);
	if (known === undefined) return;
	const key = known.toLowerCase();
	for (const issue of shapes[known].safeParse(content?.[key]).error?.issues ?? []) {
		const path = ['content', key, ...issue.path];
		context.addIssue({ code: 'custom', message: issue.message, path });
	}
}

/** Reads an event's webhook ID, which can be a string or an integer. Returns undefined for any other value. */
export function webhookIdOf(value: unknown): string | undefined {
	if (Number.isSafeInteger(value)) return String(value);
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether a message has content of an unknown kind, which may contain words that we can't read. */
export function hasUnknownContent({ content_type: contentType, content }: RichMessage): boolean {
	return !isNone(content) && contentTypeOf(contentType) === undefined;
}

type Message = { message?: string | null; content?: unknown };

/** Returns a text field of rich content. Returns undefined if the content is of another kind or is malformed. */
function textIn(content: unknown, kind: string, name: string): string | undefined {
	const part = isJson(content) ? content[kind] : undefined;
	const text = isJson(part) ? part[name] : undefined;
	return typeof text === 'string' ? text : undefined;
}

/** Returns a message's text. Rich messages have it inside their content. */
export function messageText({ message, content }: Message): string | undefined {
	return message ?? textIn(content, 'text', 'message');
}

/** Returns the text of a reply, or the label of the button or option that was selected. */
export function replyText({ message, content }: Message): string {
	return (
		message ||
		(textIn(content, 'text', 'message') ??
			textIn(content, 'button', 'text') ??
			textIn(content, 'reply', 'title') ??
			'')
	);
}

/** Optional text. Text that consists of digits can arrive as a number. */
const optionalText = idString.nullish();

/** A message that an event quotes. Its text is optional, because an MMS may have none. */
const quotedMessage = z.looseObject({
	id: idString,
	type: optionalText,
	sender: idString,
	recipient: idString,
	message: optionalText,
	message_ref: optionalText,
	routed_via: optionalText,
	campaign_id: optionalText,
});
export type QuotedMessage = z.infer<typeof quotedMessage>;

/** Whether a value is empty. If there is no quote, the service may send an object whose fields are all empty. */
const isNone = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	value === '' ||
	(typeof value === 'object' && Object.values(value).every(isNone));

const statusChange = z.looseObject({
	id: idString,
	type: z.string(),
	sender: idString,
	recipient: idString,
	status: z.string().min(1),
	message_ref: optionalText,
	routed_via: optionalText,
	description: optionalText,
	campaign_id: optionalText,
});
export type StatusChange = z.infer<typeof statusChange>;

const inbound = z
	.looseObject({
		id: idString,
		type: z.string(),
		sender: idString,
		recipient: idString,
		message: optionalText,
		subject: optionalText,
		routed_via: optionalText,
		/**
		 * Each file is checked when it is decoded (see `readMedia`), so a malformed file doesn't invalidate the event.
		 */
		media: z.array(z.unknown()).nullish(),
		last_message: z.preprocess((quote) => (isNone(quote) ? null : quote), quotedMessage.nullish()),
		content_type: optionalText,
		content: z.record(z.string(), z.unknown()).nullish(),
	})
	.superRefine(checkContent);
export type InboundMessage = z.infer<typeof inbound>;

const linkHit = z.looseObject({
	url: z.string(),
	hits: z.union([
		z.number().int(),
		z
			.string()
			.regex(/^\d{1,15}$/)
			.transform(Number),
	]),
	source_message: quotedMessage,
});

/** An opt-out. So far, `source` is LINK_HIT or SMS_INBOUND. Other values pass. */
const optOut = z.looseObject({ source: z.string(), source_message: quotedMessage });

/** The fields that all events share. Events from before June 2025 don't name a webhook. */
const envelope = <Type extends EventType>(type: Type) =>
	z.looseObject({
		event_type: z.literal(type),
		timestamp: z.string(),
		webhook_id: z.union([z.string(), z.number()]).nullish(),
		webhook_name: optionalText,
	});

const statusEvent = <Type extends EventType>(type: Type) =>
	envelope(type).extend({ status: statusChange });
const inboundEvent = <Type extends EventType>(type: Type) => envelope(type).extend({ mo: inbound });

/**
 * Creates the schema of an event. The schema requires the same fields as the service's own; anything else passes. It is
 * created on first use, because n8n loads all nodes at startup.
 */
export const eventSchema = lazy(() =>
	z.discriminatedUnion('event_type', [
		envelope('LINK_HIT').extend({ link_hit: linkHit }),
		inboundEvent('MMS_INBOUND'),
		statusEvent('MMS_STATUS'),
		envelope('OPT_OUT').extend({ opt_out: optOut }),
		inboundEvent('RCS_INBOUND'),
		statusEvent('RCS_STATUS'),
		inboundEvent('SMS_INBOUND'),
		statusEvent('SMS_STATUS'),
		inboundEvent('WHATSAPP_INBOUND'),
		statusEvent('WHATSAPP_STATUS'),
	]),
);
type CheckedEvent = z.infer<ReturnType<typeof eventSchema>>;

const isAbout = <Kind extends EventKind>(
	kind: Kind,
	event: CheckedEvent,
): event is Extract<CheckedEvent, { event_type: EventTypeOf<Kind> }> =>
	kindOf(event.event_type) === kind;

/** Picks the payload by the event type alone, because the service may add fields to any event later. */
function payloadOf(event: CheckedEvent) {
	if (isAbout('linkHit', event)) return { kind: 'linkHit', linkHit: event.link_hit } as const;
	if (isAbout('optOut', event)) return { kind: 'optOut', optOut: event.opt_out } as const;
	if (isAbout('inbound', event)) {
		return { kind: 'inbound', inbound: event.mo, words: replyText(event.mo) } as const;
	}
	return { kind: 'status', status: event.status } as const;
}

export function toEvent(event: CheckedEvent) {
	return {
		event_type: event.event_type,
		timestamp: event.timestamp,
		webhook_id: webhookIdOf(event.webhook_id),
		webhook_name: event.webhook_name,
		payload: payloadOf(event),
	};
}
export type KudosityEvent = ReturnType<typeof toEvent>;
