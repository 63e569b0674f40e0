import type { Channel } from './events/events.ts';

/** The initial account. */
export const PLAYGROUND_API_KEY = 'playground-key';
export const PLAYGROUND_API_SECRET = 'playground-secret';

/**
 * The ID survives key rotation, so webhooks and messages stay with the account. An empty secret means that none is
 * set yet; v1 then refuses every call.
 */
export interface Account {
	id: string;
	apiKey: string;
	apiSecret: string;
}

export const playgroundAccount: Account = {
	id: 'playground',
	apiKey: PLAYGROUND_API_KEY,
	apiSecret: PLAYGROUND_API_SECRET,
};

/** Callback URLs of a message, called by GET. v1 only. */
export interface Callbacks {
	delivery?: string;
	reply?: string;
	linkHits?: string;
}

export interface SmsFallback {
	sender?: string;
	message: string;
}

/** Fields that only exist for some channels or one API. */
export interface MessageExtras {
	message_ref?: string;
	campaign_id?: string;
	/** MMS */
	subject?: string;
	content_urls?: string[];
	/** RCS and WhatsApp */
	content_type?: string;
	content?: object;
	sms_fallback?: SmsFallback;
	/** The message that this SMS replaces. */
	fallbackFor?: string;
	/** v1 */
	listId?: number;
	callbacks?: Callbacks;
}

/** An accepted message. On v1 it can have several recipients. */
export interface OutboundMessage extends MessageExtras {
	/** UUID on v2, `number` as text on v1. */
	id: string;
	/** The v1 ID. v1 reports also use it for v2 messages. */
	number: number;
	api: 'v1' | 'v2';
	direction: 'OUT';
	channel: Channel;
	accountId: string;
	sender: string;
	recipient: string;
	recipients: string[];
	/** As submitted. */
	text: string;
	/** As sent: links shortened, placeholders filled. */
	sentText: string;
	track_links: boolean;
	/** Per recipient. */
	parts: number;
	isGsm: boolean;
	/** For all recipients. */
	cost: number;
	status: string;
	/** Statuses of recipients that differ from `status`. */
	statuses: Record<string, string>;
	history: Array<{ status: string; at: string }>;
	/** Recipients who opted out because of this message. */
	optedOut: string[];
	at: string;
	sendAt: string;
	updatedAt: string;
}

export interface InboundMessage {
	id: string;
	/** The v1 ID. */
	number: number;
	api: 'v2';
	direction: 'IN';
	channel: Channel;
	status: string;
	parts: number;
	isGsm: boolean;
	accountId: string;
	sender: string;
	recipient: string;
	text: string;
	/** The latest message from this number to the contact, which may not be the one that was answered. */
	repliesTo: string | null;
	at: string;
}

export interface TrackedLink {
	code: string;
	kind: 'click' | 'optOut';
	url: string;
	messageId: string;
	hits: number;
}

export const statusFor = (message: OutboundMessage, recipient: string) =>
	message.statuses[recipient] ?? message.status;

export interface Member {
	msisdn: string;
	first_name: string | null;
	last_name: string | null;
	created_at: string;
	status: 'active' | 'optout' | 'deleted';
	/** Values by slot. */
	values: Record<string, string>;
}

/** Progress of an import, with the service's field names. */
export interface Import {
	status: 'in progress' | 'completed' | 'failed';
	importlength: number;
	completed: number;
	duplicates: number;
	skipped: number;
	optout: number;
	imported: number;
}

export interface List {
	id: number;
	name: string;
	created: string | null;
	/** Field names by slot, `field_1` to `field_10`. Slots may be unused. */
	fields: Record<string, string>;
	/** By number, including deleted members. */
	members: Map<string, Member>;
	import?: Import;
}

export interface Keyword {
	id: number;
	/** In upper case. */
	keyword: string;
	number: string;
	status: 'open' | 'closed';
	billing_date: string;
	settings: Record<string, string>;
}

export interface Verification {
	method: 'SMS';
	originating_sender: string;
	code: string;
	status: 'SENT' | 'CONFIRMED' | 'EXPIRED' | 'FAILED';
	expires_at: string;
	attempts_remaining: number;
}

export interface Registration {
	registration_id: string;
	accountId: string;
	sender: string;
	country: string;
	type: 'PERSONAL_MOBILE_NUMBER' | 'ALPHANUMERIC';
	status: 'PENDING_APPROVAL' | 'VERIFIED' | 'REJECTED' | 'CANCELLED';
	created_at: string;
	updated_at: string;
	child_account_id?: string;
	details?: object;
	verification?: Verification;
}
