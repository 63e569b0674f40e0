import { randomInt } from 'node:crypto';
import type { OwnedNumber } from './catalogue.ts';
import type { EventType } from './events/events.ts';
import { createPoster, type Poster } from './events/poster.ts';
import type { WebhookFilter } from './events/webhookFilter.ts';
import type { ActiveFault, FaultKind } from './http/faults.ts';
import { createRateLimit, type RateLimitState } from './http/rateLimit.ts';
import type {
	Account,
	InboundMessage,
	Keyword,
	List,
	OutboundMessage,
	Registration,
	TrackedLink,
} from './model.ts';
import type { Settings } from './settings.ts';

/** A list that drops its oldest entries, in blocks so that adding stays cheap. */
interface BoundedLog<Entry> {
	add(entry: Entry): Entry;
	all(): readonly Entry[];
}

function createBoundedLog<Entry>(limit: number): BoundedLog<Entry> {
	const entries: Entry[] = [];
	const slack = Math.ceil(limit / 10);
	return {
		add(entry) {
			entries.push(entry);
			if (entries.length > limit + slack) entries.splice(0, entries.length - limit);
			return entry;
		},
		all: () => entries,
	};
}

/** Notifies listeners of changes, at most once per event loop turn. */
interface Changes {
	revision(): number;
	notify(): void;
	listen(listener: () => void): () => void;
}

function createChanges(): Changes {
	const listeners = new Set<() => void>();
	let revision = 0;
	let isAnnounced = false;
	const announce = () => {
		isAnnounced = false;
		for (const listener of [...listeners]) listener();
	};
	return {
		revision: () => revision,
		notify() {
			revision += 1;
			if (isAnnounced || listeners.size === 0) return;
			isAnnounced = true;
			setImmediate(announce);
		},
		listen(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}

/** Timers that are canceled together on reset or close, so that none outlives its state. */
interface Timers {
	after(delayMs: number, run: () => void): void;
	clear(): void;
}

function createTimers(): Timers {
	const pending = new Set<NodeJS.Timeout>();
	return {
		after(delayMs, run) {
			const timer = setTimeout(() => {
				pending.delete(timer);
				run();
			}, delayMs);
			pending.add(timer);
		},
		clear() {
			for (const timer of pending) clearTimeout(timer);
			pending.clear();
		},
	};
}

/** A request to the service. `status` is null until it is answered, or if it never is. */
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

export interface Webhook {
	id: string;
	accountId: string;
	name: string;
	url: string;
	filter: WebhookFilter | null;
	rate_limit: number;
	event_type?: string;
	createdAt: string;
	updatedAt: string;
	/** Earliest time of the next delivery, for webhooks with a `rate_limit`. */
	freeAtMs: number;
}

/** One attempt to deliver an event. */
export interface DeliveryEntry {
	id: number;
	at: string;
	webhookId: string | null;
	url: string;
	eventType: EventType | 'raw' | 'callback';
	/** 1 = first try. */
	attempt: number;
	/** The exact body posted. */
	payload: string;
	/** The receiver's status; null if it did not answer. */
	status: number | null;
	ok: boolean;
	error?: string;
	responseBody: string;
	durationMs: number;
}

/** All data of the emulator, lost when the process ends. */
export interface State {
	settings: Settings;
	/** Restored by a reset. */
	initialSettings: Settings;
	baseUrl: string;
	balances: Map<string, number>;
	rateLimits: Map<string, RateLimitState>;
	requests: BoundedLog<RequestEntry>;
	messages: BoundedLog<OutboundMessage>;
	messagesById: Map<string, OutboundMessage>;
	/** Oldest first, including the initial ones. */
	chatMessages: Record<'RCS' | 'WHATSAPP', OutboundMessage[]>;
	/** Messages replaced by a fallback SMS. */
	fallbacks: Set<string>;
	inbound: BoundedLog<InboundMessage>;
	webhooks: Map<string, Webhook>;
	deliveries: BoundedLog<DeliveryEntry>;
	faults: ActiveFault[];
	links: Map<string, TrackedLink>;
	optOuts: Set<string>;
	lists: Map<number, List>;
	/** In addition to those of the catalogue. */
	leasedNumbers: OwnedNumber[];
	/** By number. */
	numberOptions: Map<string, Record<string, string>>;
	keywords: Keyword[];
	emailSenders: Map<string, object>;
	registrations: Map<string, Registration>;
	/** Events held back to be delivered out of order, by webhook. */
	heldBack: Map<string, () => void>;
	sequence: number;
	/** The first of the numeric IDs that v1 assigns. */
	firstNumber: number;
	timers: Timers;
	changes: Changes;
	poster: Poster;
}

const LOG_LIMIT = 50_000;

/** State that survives a reset. */
type KeptState = Pick<State, 'baseUrl' | 'changes' | 'poster' | 'initialSettings'>;

const createKeptState = (initialSettings: Settings): KeptState => ({
	initialSettings,
	baseUrl: '',
	changes: createChanges(),
	poster: createPoster(),
});

export const createState = (settings: Settings, kept = createKeptState(settings)): State => ({
	settings,
	...kept,
	balances: new Map(),
	rateLimits: new Map(),
	requests: createBoundedLog(LOG_LIMIT),
	messages: createBoundedLog(LOG_LIMIT),
	messagesById: new Map(),
	chatMessages: { RCS: [], WHATSAPP: [] },
	fallbacks: new Set(),
	inbound: createBoundedLog(LOG_LIMIT),
	webhooks: new Map(),
	deliveries: createBoundedLog(LOG_LIMIT),
	faults: [],
	links: new Map(),
	optOuts: new Set(),
	lists: new Map(),
	leasedNumbers: [],
	numberOptions: new Map(),
	keywords: [],
	emailSenders: new Map(),
	registrations: new Map(),
	heldBack: new Map(),
	sequence: 0,
	firstNumber: randomInt(100_000_000, 800_000_000),
	timers: createTimers(),
});

export const nextSequence = (state: State) => (state.sequence += 1);

export const nextNumber = (state: State) => state.firstNumber + nextSequence(state);

export function getRateLimit(state: State, account: Account): RateLimitState {
	const known = state.rateLimits.get(account.id);
	if (known) return known;
	const created = createRateLimit();
	state.rateLimits.set(account.id, created);
	return created;
}
