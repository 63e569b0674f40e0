import type { EventBody } from './events.ts';
import { nextSequence, type DeliveryEntry, type State, type Webhook } from '../state.ts';
import { matchesFilter } from './webhookFilter.ts';

/** The target of a delivery. A bare URL has no `webhook`. */
export interface Target {
	url: string;
	webhook?: Webhook;
}

interface Parcel extends Target {
	payload: string;
	eventType: DeliveryEntry['eventType'];
	/** Set for a v1 callback: a GET with the data in the query. */
	signature?: string;
}

const SWAP_WINDOW_MS = 250;

function sortKeys(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sortKeys);
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
	entries.sort(([a], [b]) => (a < b ? -1 : 1));
	return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}

/** The JSON to post: keys in alphabetical order, absent fields left out. */
const serializeEvent = (event: unknown): string => JSON.stringify(sortKeys(event));

/** Makes and records one attempt. If a reset happens meanwhile, the record is dropped with the old state. */
async function attempt(state: State, parcel: Parcel, number: number): Promise<DeliveryEntry> {
	const { timers } = state;
	const at = new Date().toISOString();
	const timeoutMs = state.settings.deliveryTimeoutMs;
	const { url, payload, signature } = parcel;
	const outcome = await state.poster.post({ url, payload, signature, timeoutMs });
	const entry: DeliveryEntry = {
		id: nextSequence(state),
		at,
		webhookId: parcel.webhook?.id ?? null,
		url,
		eventType: parcel.eventType,
		attempt: number,
		payload,
		status: outcome.status,
		ok: outcome.status !== null && outcome.status >= 200 && outcome.status < 300,
		...(outcome.error && { error: outcome.error }),
		responseBody: outcome.body,
		durationMs: outcome.durationMs,
	};
	if (state.timers !== timers) return entry;
	state.deliveries.add(entry);
	state.changes.notify();
	const retryDelayMs = state.settings.retryDelaysMs[number - 1];
	if (!entry.ok && retryDelayMs !== undefined && isStillWanted(state, parcel)) {
		timers.after(retryDelayMs, () => void attempt(state, parcel, number + 1));
	}
	return entry;
}

const isStillWanted = (state: State, { webhook }: Parcel) =>
	!webhook || state.webhooks.has(webhook.id);

async function deliver(state: State, parcel: Parcel): Promise<DeliveryEntry[]> {
	const first = await attempt(state, parcel, 1);
	return state.settings.duplicateEvents ? [first, await attempt(state, parcel, 1)] : [first];
}

const pause = (state: State, delayMs: number) =>
	new Promise<void>((resolve) => state.timers.after(delayMs, resolve));

/** Enforces the webhook's `rate_limit` (deliveries per second, 0 = no limit). */
async function waitForTurn(state: State, { webhook }: Parcel): Promise<void> {
	if (!webhook || webhook.rate_limit === 0) return;
	const nowMs = Date.now();
	const turnMs = Math.max(nowMs, webhook.freeAtMs);
	webhook.freeAtMs = turnMs + 1000 / webhook.rate_limit;
	if (turnMs > nowMs) await pause(state, turnMs - nowMs);
}

/** Holds every other event back until the next one is delivered or the window has passed. */
async function waitForSwap(state: State, { url }: Parcel): Promise<() => void> {
	const release = state.heldBack.get(url);
	if (release) {
		state.heldBack.delete(url);
		return release;
	}
	await new Promise<void>((resolve) => {
		state.heldBack.set(url, resolve);
		state.timers.after(SWAP_WINDOW_MS, () => {
			if (state.heldBack.get(url) === resolve) state.heldBack.delete(url);
			resolve();
		});
	});
	return () => {};
}

async function dispatch(state: State, parcel: Parcel): Promise<DeliveryEntry[]> {
	await waitForTurn(state, parcel);
	const releaseEarlier = state.settings.shuffle ? await waitForSwap(state, parcel) : () => {};
	const entries = await deliver(state, parcel);
	releaseEarlier();
	return entries;
}

const addressTo = (event: EventBody, webhook?: Webhook) => ({
	webhook_id: webhook?.id ?? '00000000-0000-4000-8000-000000000000',
	webhook_name: webhook?.name ?? 'Playground',
	...event,
});

export const sendEvent = (state: State, event: EventBody, target: Target) =>
	dispatch(state, {
		...target,
		eventType: event.event_type,
		payload: serializeEvent(addressTo(event, target.webhook)),
	});

/** Posts any body unchanged. A string can be broken JSON. */
export const sendRaw = (state: State, raw: unknown, target: Target) =>
	dispatch(state, {
		...target,
		eventType: 'raw',
		payload: typeof raw === 'string' ? raw : JSON.stringify(raw),
	});

interface Callback {
	/** Includes the data in its query. */
	url: string;
	/** The signed data. */
	payload: string;
	signature: string;
}

/** Does not wait for the answer. */
export const sendCallback = (state: State, callback: Callback) =>
	void dispatch(state, { ...callback, eventType: 'callback' });

const wantsEvent = (webhook: Webhook, event: EventBody) =>
	(!webhook.event_type || webhook.event_type === event.event_type) &&
	matchesFilter(webhook.filter, event);

/** The webhooks that want an event. Default: those of all accounts. */
export const webhooksFor = (state: State, event: EventBody, accountId?: string): Webhook[] =>
	[...state.webhooks.values()].filter(
		(webhook) =>
			(accountId === undefined || webhook.accountId === accountId) && wantsEvent(webhook, event),
	);

/** Sends an event to every webhook of the account that wants it. Does not wait for answers. */
export function publish(state: State, accountId: string, event: EventBody): void {
	for (const webhook of webhooksFor(state, event, accountId)) {
		void sendEvent(state, event, { webhook, url: webhook.url });
	}
}
