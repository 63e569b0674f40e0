import type { Emission, EmissionOutcome } from './emission.ts';
import type { ActiveFault, FaultRule } from './faults.ts';
import type { Settings } from './settings.ts';
import type {
	DeliveryEntry,
	InboundMessage,
	OptedOutContact,
	OutboundMessage,
	RequestEntry,
	TrackedLink,
	Webhook,
} from './state.ts';
import type { LogName } from './waiting.ts';

export type {
	ActiveFault,
	DeliveryEntry,
	Emission,
	EmissionOutcome,
	FaultRule,
	InboundMessage,
	OptedOutContact,
	OutboundMessage,
	RequestEntry,
	Settings,
	TrackedLink,
	Webhook,
};

/** A webhook as the control interface shows it. */
export type ShownWebhook = Omit<Webhook, 'createdAt' | 'updatedAt'> & {
	createdAt: string;
	updatedAt: string;
};

/** `since` takes ISO times, `bodyIncludes` looks into the body of a request or delivery. */
interface AnyWanted {
	since?: string;
	bodyIncludes?: string;
}
/** `path` means this path and everything below it. */
export type WantedRequest = AnyWanted &
	Partial<Pick<RequestEntry, 'method' | 'path' | 'status'>> & {
		fault?: string;
		accountId?: string;
	};
export type WantedMessage = AnyWanted &
	Partial<
		Pick<
			OutboundMessage,
			'api' | 'channel' | 'sender' | 'recipient' | 'text' | 'message_ref' | 'status'
		>
	>;
export type WantedInbound = AnyWanted &
	Partial<Pick<InboundMessage, 'sender' | 'recipient' | 'text'>>;
export type WantedDelivery = AnyWanted &
	Partial<Pick<DeliveryEntry, 'webhookId' | 'url' | 'eventType' | 'attempt' | 'status' | 'ok'>>;
export type WantedWebhook = Partial<Pick<Webhook, 'name' | 'url'>>;

export interface Waiting {
	/** 1 unless told. */
	count?: number;
	/** 5000 unless told. */
	timeoutMs?: number;
}

interface Overview {
	service: string;
	note: string;
	revision: number;
	counts: Record<string, number>;
	settings: Settings;
}

interface Call {
	method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	query?: object;
	body?: unknown;
}

export interface InboundRequest {
	from: string;
	to: string;
	text?: string;
	channel?: 'SMS' | 'MMS' | 'RCS';
	media?: Array<{ name: string; content: string }>;
	accountId?: string;
}

function queryText(query: object): string {
	const text = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		if (value !== undefined) text.set(name, String(value));
	}
	return text.toString();
}

/** A typed client of the control interface. Every method rejects when the emulator refuses. */
export function createControl(url: string) {
	async function call<Answer>(path: string, { method = 'GET', query = {}, body }: Call = {}) {
		const response = await fetch(`${url}/control${path}?${queryText(query)}`, {
			method,
			...(body !== undefined && {
				body: JSON.stringify(body),
				headers: { 'content-type': 'application/json' },
			}),
		});
		const answer: unknown = await response.json();
		if (response.ok) return answer as Answer;
		const reason = `${method} /control${path} answered ${response.status}`;
		throw new Error(`${reason}: ${JSON.stringify(answer).slice(0, 2000)}`);
	}

	const wait = <Entry>(name: LogName) =>
		async function waitForEntries(wanted: object = {}, waiting: Waiting = {}): Promise<Entry[]> {
			const query = { ...wanted, ...waiting, for: name };
			return (await call<{ found: Entry[] }>('/wait', { query })).found;
		};
	const post = <Answer>(path: string, body: unknown = {}) =>
		call<Answer>(path, { method: 'POST', body });
	const action = (messageId: string, name: string) =>
		`/messages/${encodeURIComponent(messageId)}/${name}`;

	return {
		overview: () => call<Overview>(''),
		/** Forgets everything and goes back to the settings of the start, changed by these. */
		reset: (settings: Partial<Settings> = {}) => post<Overview>('/reset', settings),
		settings: (settings: Partial<Settings>) =>
			call<Settings>('/settings', { method: 'PATCH', body: settings }),

		addFault: (...rules: FaultRule[]) => post<ActiveFault[]>('/faults', rules),
		faults: () => call<ActiveFault[]>('/faults'),
		clearFaults: () => call<ActiveFault[]>('/faults', { method: 'DELETE' }),

		requests: (wanted: WantedRequest = {}) => call<RequestEntry[]>('/requests', { query: wanted }),
		/** One entry for each message that was accepted: what the caller pays for. */
		messages: (wanted: WantedMessage = {}) =>
			call<OutboundMessage[]>('/messages', { query: wanted }),
		message: (id: string) =>
			call<OutboundMessage & { links: TrackedLink[] }>(`/messages/${encodeURIComponent(id)}`),
		inboundMessages: (wanted: WantedInbound = {}) =>
			call<InboundMessage[]>('/inbound', { query: wanted }),
		deliveries: (wanted: WantedDelivery = {}) =>
			call<DeliveryEntry[]>('/deliveries', { query: wanted }),
		optOuts: () => call<OptedOutContact[]>('/opt-outs'),
		webhooks: (wanted: WantedWebhook = {}) => call<ShownWebhook[]>('/webhooks', { query: wanted }),

		waitForRequests: wait<RequestEntry>('requests') as Waiter<WantedRequest, RequestEntry>,
		waitForMessages: wait<OutboundMessage>('messages') as Waiter<WantedMessage, OutboundMessage>,
		waitForInbound: wait<InboundMessage>('inbound') as Waiter<WantedInbound, InboundMessage>,
		waitForDeliveries: wait<DeliveryEntry>('deliveries') as Waiter<WantedDelivery, DeliveryEntry>,
		waitForWebhooks: wait<ShownWebhook>('webhooks') as Waiter<WantedWebhook, ShownWebhook>,

		/** Sends an event, or any raw body, that nothing caused. */
		emit: (emission: Emission) => post<EmissionOutcome>('/events', emission),
		/** A recipient answers; STOP opts out. `from` picks a recipient of a v1 message with several. */
		reply: (messageId: string, text: string, from?: string) =>
			post<InboundMessage>(action(messageId, 'reply'), { text, from }),
		/** A recipient follows the opt-out link. */
		optOut: (messageId: string, from?: string) =>
			post<{ optedOut: string }>(action(messageId, 'opt-out'), { from }),
		/** A recipient follows the first tracked link. */
		click: (messageId: string) => post<{ hits: number }>(action(messageId, 'click')),
		/** Moves a message to any status, with its event. */
		setStatus: (messageId: string, status: string, description?: string) =>
			post<OutboundMessage>(action(messageId, 'status'), { status, description }),
		/** A text, or an MMS, out of the blue. */
		inbound: (inbound: InboundRequest) => post<InboundMessage>('/inbound', inbound),
	};
}

/** Resolves with the matching entries once there are `count` of them; rejects when time is up. */
type Waiter<Wanted, Entry> = (wanted?: Wanted, waiting?: Waiting) => Promise<Entry[]>;

export type Control = ReturnType<typeof createControl>;
