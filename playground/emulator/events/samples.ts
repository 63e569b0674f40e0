import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';
import { Refusal } from '../http/refusal.ts';
import type { DeliveryEntry, State } from '../state.ts';
import { sendEvent, sendRaw, type Target, webhooksFor } from './delivery.ts';
import {
	type Channel,
	type EventBody,
	type EventType,
	eventTypes,
	inboundEvent,
	inboundId,
	linkHitEvent,
	optOutEvent,
	type QuotedMessage,
	statusEvent,
} from './events.ts';

/** A valid image: one green pixel. */
const tinyPngBase64 =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk2M/wHwAEAQH/rU0a2AAAAABJRU5ErkJggg==';

/** One sample per kind of rich reply. The key in `content` is the kind in lower case. */
const richContents = {
	TEXT: { text: { message: 'Half past nine suits me' } },
	IMAGE: {
		image: { url: 'https://files.example.com/gate.jpg', name: 'gate.jpg', caption: 'The gate' },
	},
	VIDEO: { video: { url: 'https://files.example.com/walk.mp4', name: 'walk.mp4' } },
	AUDIO: { audio: { url: 'https://files.example.com/note.mp3', name: 'note.mp3' } },
	FILE: { file: { url: 'https://files.example.com/quote.pdf', name: 'quote.pdf' } },
	LOCATION: {
		location: { lat: -33.8568, long: 151.2153, name: 'Harbour', address: 'Bennelong Point' },
	},
	CONTACT: {
		contact: {
			emails: [{ email: 'robin@example.com', type: 'WORK' }],
			name: { formatted_name: 'Robin Reed', first_name: 'Robin', last_name: 'Reed' },
			phones: [{ phone: '61491578888', type: 'MOBILE' }],
		},
	},
	REPLY: { reply: { id: 'slot-2', title: 'Tuesday', description: 'Tuesday, 10 am' } },
	STICKER: { sticker: { url: 'https://files.example.com/wave.webp', name: 'wave.webp' } },
	BUTTON: { button: { text: 'Confirm', payload: 'confirm-17' } },
	REACTION: { reaction: { action: 'react', emoji: '👍' } },
} as const;
type ContentType = keyof typeof richContents;
export const contentTypes = Object.keys(richContents) as ContentType[];

const contact = '61491578888';
const ownNumber = '61491570006';

const sampleQuote = (type: Channel): QuotedMessage => ({
	type,
	id: randomUUID(),
	message: 'Your table for four is booked. Details: https://sho.example/k3Xq',
	message_ref: 'booking-4182',
	recipient: contact,
	sender: ownNumber,
});

const sampleStatus = (type: Channel, status: string) =>
	statusEvent({
		type,
		id: randomUUID(),
		message_ref: 'booking-4182',
		sender: type === 'RCS' ? 'PlaygroundAgent' : ownNumber,
		recipient: contact,
		status,
	});

const sampleRich = (type: Channel, contentType: ContentType) =>
	inboundEvent({
		type,
		id: randomUUID(),
		sender: contact,
		recipient: type === 'RCS' ? 'PlaygroundAgent' : ownNumber,
		content_type: contentType,
		content: richContents[contentType],
	});

const sampleText = (type: 'SMS' | 'MMS') =>
	inboundEvent({
		type,
		id: inboundId(),
		sender: contact,
		recipient: ownNumber,
		message: type === 'SMS' ? 'Yes please ' : 'Here is the receipt',
		...(type === 'MMS' && { media: [{ name: 'image-0.png', content: tinyPngBase64 }] }),
		last_message: sampleQuote('SMS'),
	});

/** A plausible event of any type, with new IDs. `contentType` selects the kind of a rich reply. */
export function sampleEvent(eventType: EventType, contentType?: ContentType): EventBody {
	switch (eventType) {
		case 'LINK_HIT':
			return linkHitEvent({
				hits: 1,
				url: 'https://www.example.com/bookings/4182',
				source_message: sampleQuote('SMS'),
			});
		case 'OPT_OUT':
			return optOutEvent({ source: 'LINK_HIT', source_message: sampleQuote('SMS') });
		case 'SMS_INBOUND':
			return sampleText('SMS');
		case 'MMS_INBOUND':
			return sampleText('MMS');
		case 'RCS_INBOUND':
			return sampleRich('RCS', contentType ?? 'TEXT');
		case 'WHATSAPP_INBOUND':
			return sampleRich('WHATSAPP', contentType ?? 'REACTION');
		case 'SMS_STATUS':
			return sampleStatus('SMS', 'DELIVERED');
		case 'MMS_STATUS':
			return sampleStatus('MMS', 'SENT');
		case 'RCS_STATUS':
			return sampleStatus('RCS', 'READ');
		case 'WHATSAPP_STATUS':
			return sampleStatus('WHATSAPP', 'READ');
	}
}

export const emissionSchema = z.strictObject({
	event_type: z.enum(eventTypes).optional(),
	/** Kind of a rich reply, for RCS_INBOUND and WHATSAPP_INBOUND. */
	contentType: z.enum(contentTypes as [ContentType, ...ContentType[]]).optional(),
	/** Deep-merged into the sample. null removes a field. */
	overrides: z.record(z.string(), z.unknown()).optional(),
	/** Sent instead of an event: any JSON, or a string that is posted unchanged. */
	raw: z.unknown().optional(),
	/** A webhook ID or a URL. Default: every webhook that wants the event (raw: every webhook). */
	to: z.string().optional(),
	/** How many to send. Each has new IDs, unless overridden. */
	count: z.number().int().min(1).max(100_000).default(1),
	/** Whether to answer only after the first attempts, with their records. */
	wait: z.boolean().default(false),
});
export type Emission = z.input<typeof emissionSchema>;

export interface EmissionOutcome {
	/** Number of deliveries started. */
	started: number;
	/** With `wait`: one record per delivery, without retries. */
	deliveries: DeliveryEntry[];
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function mergeDeep(base: Fields, overrides: Fields): Fields {
	const merged = { ...base };
	for (const [name, value] of Object.entries(overrides)) {
		const current = merged[name];
		if (value === null) delete merged[name];
		else merged[name] = isFields(current) && isFields(value) ? mergeDeep(current, value) : value;
	}
	return merged;
}

function namedTarget(state: State, to: string): Target {
	const webhook = state.webhooks.get(to);
	if (webhook) return { webhook, url: webhook.url };
	if (/^https?:/.test(to) && URL.canParse(to)) return { url: to };
	throw new Refusal(404, { error: 'No such webhook, and no http address' });
}

function targetsFor(state: State, to: string | undefined, event?: EventBody): Target[] {
	if (to !== undefined) return [namedTarget(state, to)];
	const webhooks = event ? webhooksFor(state, event) : [...state.webhooks.values()];
	return webhooks.map((webhook) => ({ webhook, url: webhook.url }));
}

type Sending = Promise<DeliveryEntry[]>;

function emitOnce(state: State, emission: Emission): Sending[] {
	const { event_type: eventType, contentType, overrides = {}, raw, to } = emission;
	if (eventType === undefined) {
		return targetsFor(state, to).map((target) => sendRaw(state, raw, target));
	}
	const sample = sampleEvent(eventType, contentType);
	const event = mergeDeep({ ...sample }, overrides) as unknown as EventBody;
	return targetsFor(state, to, event).map((target) => sendEvent(state, event, target));
}

/** Sends events without a cause in the emulator. */
export async function emit(state: State, emission: Emission): Promise<EmissionOutcome> {
	const sendings = Array.from({ length: emission.count ?? 1 }, () =>
		emitOnce(state, emission),
	).flat();
	const deliveries = emission.wait ? (await Promise.all(sendings)).flat() : [];
	return { started: sendings.length, deliveries };
}
