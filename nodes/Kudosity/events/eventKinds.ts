import { eventTypes, type EventType } from '../api/schemas/webhook.schema';

/** What the events of each type are about. */
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

/** Undefined for a type that nobody knows. */
export const kindOf = (eventType: unknown): EventKind | undefined => {
	const known = eventTypes.find((type) => type === eventType);
	return known && kinds[known];
};

/** The channel that the type of an event about a message names. */
export const channelOf = (eventType: unknown): string | undefined =>
	String(eventType).split('_')[0];
