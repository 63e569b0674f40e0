import { z } from 'zod/v4';
import { sendEvent, sendRaw, webhooksFor, type Target } from './delivery.ts';
import { eventTypes, type EventBody } from './events.ts';
import { Refusal } from '../http/refusal.ts';
import { contentTypes, sampleEvent, type ContentType } from './sampleEvents.ts';
import type { DeliveryEntry, State } from '../state.ts';

export const emissionSchema = z.strictObject({
	event_type: z.enum(eventTypes).optional(),
	/** Kind of a rich reply, for RCS_INBOUND and WHATSAPP_INBOUND. */
	contentType: z.enum(contentTypes as [ContentType, ...ContentType[]]).optional(),
	/** Merged into the sample, object by object; null takes a field away. */
	overrides: z.record(z.string(), z.unknown()).optional(),
	/** Instead of an event: any JSON, or a string that is posted as it stands. */
	raw: z.unknown().optional(),
	/** A webhook id or a URL; without it, every webhook that wants the event (raw: every webhook). */
	to: z.string().optional(),
	/** Fresh ids for each, unless overridden. */
	count: z.number().int().min(1).max(100_000).default(1),
	/** Whether to answer only when the first attempts were made, with their records. */
	wait: z.boolean().default(false),
});
export type Emission = z.input<typeof emissionSchema>;

export interface EmissionOutcome {
	/** How many deliveries were started. */
	started: number;
	/** With `wait`: one record for each delivery, retries not included. */
	deliveries: DeliveryEntry[];
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export function mergeDeep(base: Fields, overrides: Fields): Fields {
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

/** Sends events that nothing in the emulator caused. */
export async function emit(state: State, emission: Emission): Promise<EmissionOutcome> {
	const sendings = Array.from({ length: emission.count ?? 1 }, () =>
		emitOnce(state, emission),
	).flat();
	const deliveries = emission.wait ? (await Promise.all(sendings)).flat() : [];
	return { started: sendings.length, deliveries };
}
