import type { Account } from './account.ts';
import { createBoundedLog, type BoundedLog } from './boundedLog.ts';
import { createChanges, type Changes } from './changes.ts';
import type { Channel, EventType } from './events.ts';
import type { ActiveFault, FaultKind } from './faults.ts';
import { createRateLimit, type RateLimitState } from './rateLimit.ts';
import { createPoster, type Poster } from './postEvent.ts';
import type { Settings } from './settings.ts';
import { createTimers, type Timers } from './timers.ts';
import type { WebhookFilter } from './webhookFilter.ts';

/** One request to the service. `status` is null while, or because, it was not answered. */
export interface RequestEntry {
	id: number;
	at: string;
	method: string;
	path: string;
	query: Record<string, unknown>;
	/** Credentials are masked. */
	headers: Record<string, unknown>;
	body: unknown;
	accountId?: string;
	status: number | null;
	durationMs: number | null;
	fault?: FaultKind;
}

/** One accepted message; v1 can address several recipients with one. */
export interface OutboundMessage {
	/** UUID on v2, the integer as text on v1. */
	id: string;
	api: 'v1' | 'v2';
	channel: Channel;
	accountId: string;
	sender: string;
	recipient: string;
	recipients: string[];
	/** As submitted. */
	text: string;
	/** As sent: links shortened, placeholders filled. */
	sentText: string;
	message_ref?: string;
	campaign_id?: string;
	track_links: boolean;
	parts: number;
	isGsm: boolean;
	status: string;
	history: Array<{ status: string; at: string }>;
	at: string;
	updatedAt: string;
}

export interface InboundMessage {
	id: string;
	channel: Channel;
	accountId: string;
	sender: string;
	recipient: string;
	text: string;
	at: string;
}

export interface Webhook {
	id: string;
	accountId: string;
	name: string;
	url: string;
	filter: WebhookFilter | null;
	rate_limit: number;
	event_type?: string;
	createdAt: Date;
	updatedAt: Date;
	/** Earliest time of the next delivery, for webhooks with a rate_limit. */
	freeAtMs: number;
}

/** One attempt to deliver one event. */
export interface DeliveryEntry {
	id: number;
	at: string;
	webhookId: string | null;
	url: string;
	eventType: EventType | 'raw';
	/** 1 = first try. */
	attempt: number;
	/** The exact body that was posted. */
	payload: string;
	/** What the receiver answered; null when it did not. */
	status: number | null;
	ok: boolean;
	error?: string;
	responseBody: string;
	durationMs: number;
}

export interface TrackedLink {
	code: string;
	kind: 'click' | 'optOut';
	url: string;
	messageId: string;
	hits: number;
}

/** Everything the emulator knows. All of it is lost when the process ends. */
export interface State {
	settings: Settings;
	baseUrl: string;
	balances: Map<string, number>;
	rateLimits: Map<string, RateLimitState>;
	requests: BoundedLog<RequestEntry>;
	messages: BoundedLog<OutboundMessage>;
	messagesById: Map<string, OutboundMessage>;
	/** Oldest first, with those that existed from the start. */
	rcsMessages: OutboundMessage[];
	inbound: BoundedLog<InboundMessage>;
	webhooks: Map<string, Webhook>;
	deliveries: BoundedLog<DeliveryEntry>;
	faults: ActiveFault[];
	links: Map<string, TrackedLink>;
	optOuts: Set<string>;
	/** Events held back to be delivered out of order, by webhook. */
	heldBack: Map<string, () => void>;
	sequence: number;
	timers: Timers;
	changes: Changes;
	poster: Poster;
}

const LOG_LIMIT = 50_000;

/** What outlives a reset. */
export type KeptState = Pick<State, 'baseUrl' | 'changes' | 'poster'>;

export const createKeptState = (): KeptState => ({
	baseUrl: '',
	changes: createChanges(),
	poster: createPoster(),
});

export const createState = (settings: Settings, kept = createKeptState()): State => ({
	settings,
	...kept,
	balances: new Map(),
	rateLimits: new Map(),
	requests: createBoundedLog(LOG_LIMIT),
	messages: createBoundedLog(LOG_LIMIT),
	messagesById: new Map(),
	rcsMessages: [],
	inbound: createBoundedLog(LOG_LIMIT),
	webhooks: new Map(),
	deliveries: createBoundedLog(LOG_LIMIT),
	faults: [],
	links: new Map(),
	optOuts: new Set(),
	heldBack: new Map(),
	sequence: 0,
	timers: createTimers(),
});

export const nextSequence = (state: State) => (state.sequence += 1);

export function rateLimitOf(state: State, account: Account): RateLimitState {
	const known = state.rateLimits.get(account.id);
	if (known) return known;
	const created = createRateLimit();
	state.rateLimits.set(account.id, created);
	return created;
}

const optOutKey = (accountId: string, contact: string) => `${accountId} ${contact}`;

export const hasOptedOut = (state: State, accountId: string, contact: string) =>
	state.optOuts.has(optOutKey(accountId, contact));

export const rememberOptOut = (state: State, accountId: string, contact: string) =>
	state.optOuts.add(optOutKey(accountId, contact));

export interface OptedOutContact {
	accountId: string;
	contact: string;
}

export const optedOutContacts = (state: State): OptedOutContact[] =>
	[...state.optOuts].map((key) => {
		const end = key.lastIndexOf(' ');
		return { accountId: key.slice(0, end), contact: key.slice(end + 1) };
	});
