import type { Channel } from '../events/events.ts';

/** Where a message tells about itself, by GET; v1 only. */
export interface Callbacks {
	delivery?: string;
	reply?: string;
	linkHits?: string;
}

export interface SmsFallback {
	sender?: string;
	message: string;
}

/** What only some channels or one of the APIs know of a message. */
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

/** One accepted message; v1 can address several recipients with one. */
export interface OutboundMessage extends MessageExtras {
	/** UUID on v2, `number` as text on v1. */
	id: string;
	/** As v1 names it, in its reports also the messages of v2. */
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
	/** For one recipient. */
	parts: number;
	isGsm: boolean;
	/** For all recipients. */
	cost: number;
	status: string;
	/** Where single recipients differ from `status`. */
	statuses: Record<string, string>;
	history: Array<{ status: string; at: string }>;
	/** Who opted out because of this message. */
	optedOut: string[];
	at: string;
	sendAt: string;
	updatedAt: string;
}

export interface InboundMessage {
	id: string;
	/** As v1 names it. */
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
	/** The latest message to the contact from this number; it need not be the one that was answered. */
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
