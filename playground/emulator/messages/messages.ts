import { randomBytes, randomUUID } from 'node:crypto';
import { SegmentedMessage } from 'sms-segments-calculator';
import { SHARED_NUMBER } from '../catalogue.ts';
import { sendDeliveryCallback } from '../events/callbacks.ts';
import { publish } from '../events/delivery.ts';
import { type Channel, type QuotedMessage, statusEvent } from '../events/events.ts';
import type { MessageExtras, OutboundMessage, TrackedLink } from '../model.ts';
import { nextNumber, type State } from '../state.ts';

interface SmsParts {
	parts: number;
	isGsm: boolean;
}

/** Most texts: every character is one GSM unit. */
const plainGsm = /^[\w .,:;!?'"()/+\-=@#%&*<>$\n\r]*$/;

/** How many SMS a text takes. Plain texts skip the library, whose time grows with the square of the length. */
export function smsParts(text: string): SmsParts {
	const { length } = text;
	if (plainGsm.test(text))
		return { parts: length <= 160 ? 1 : Math.ceil(length / 153), isGsm: true };
	const { segmentsCount, encodingName } = new SegmentedMessage(text);
	return { parts: segmentsCount, isGsm: encodingName === 'GSM-7' };
}

const code = () => randomBytes(6).toString('base64url');

function createLink(state: State, link: Pick<TrackedLink, 'kind' | 'url' | 'messageId'>): string {
	const created = { ...link, code: code(), hits: 0 };
	state.links.set(created.code, created);
	return `${state.baseUrl}/l/${created.code}`;
}

interface LinkRequest {
	messageId: string;
	text: string;
	trackLinks: boolean;
	/** v1: the target of `[tracked-link]`. */
	trackedLinkUrl?: string;
}

/** The text as sent: tracked links shortened, placeholders replaced with links to this emulator. */
function fillLinks(state: State, request: LinkRequest): string {
	const { messageId, text, trackLinks, trackedLinkUrl } = request;
	const shorten = (url: string) => createLink(state, { kind: 'click', url, messageId });
	const tracked = trackLinks ? text.replace(/https?:\/\/[^\s<>"]+/g, shorten) : text;
	const linked = trackedLinkUrl
		? tracked.replaceAll('[tracked-link]', () => shorten(trackedLinkUrl))
		: tracked;
	return linked.replace(/\[(?:opt-out-link|unsub-reply-link)\]/g, () =>
		createLink(state, { kind: 'optOut', url: '', messageId }),
	);
}

export const findLinks = (state: State, messageId: string): TrackedLink[] =>
	[...state.links.values()].filter((link) => link.messageId === messageId);

const optOutKey = (accountId: string, contact: string) => `${accountId} ${contact}`;

export const hasOptedOut = (state: State, accountId: string, contact: string) =>
	state.optOuts.has(optOutKey(accountId, contact));

/** Stops all messages to the contact and marks it as opted out in every list. */
export function recordOptOut(state: State, accountId: string, contact: string): void {
	state.optOuts.add(optOutKey(accountId, contact));
	for (const { members } of state.lists.values()) {
		const member = members.get(contact);
		if (member?.status === 'active') member.status = 'optout';
	}
}

interface OptedOutContact {
	accountId: string;
	contact: string;
}

export const optedOutContacts = (state: State): OptedOutContact[] =>
	[...state.optOuts].map((key) => {
		const end = key.lastIndexOf(' ');
		return { accountId: key.slice(0, end), contact: key.slice(end + 1) };
	});

/** In AUD per recipient; for SMS per part. */
const prices = { SMS: 0.079, MMS: 0.35, RCS: 0.1, WHATSAPP: 0.1 };

const toMoney = (amount: number) => Math.round(amount * 1000) / 1000;

export const getBalance = (state: State, { id }: { id: string }) =>
	state.balances.get(id) ?? state.settings.balance;

/** Charges an amount; a negative one is refunded. false = insufficient balance, nothing charged. */
export function debit(state: State, accountId: string, amount: number): boolean {
	const balance = getBalance(state, { id: accountId });
	if (amount > balance) return false;
	state.balances.set(accountId, toMoney(balance - amount));
	return true;
}

/** Charges for a message and returns the price. undefined = insufficient balance. */
function charge(state: State, message: OutboundMessage): number | undefined {
	const { accountId, channel, parts, recipients } = message;
	const cost = toMoney(prices[channel] * parts * recipients.length);
	return debit(state, accountId, cost) ? cost : undefined;
}

interface Submission {
	api: 'v1' | 'v2';
	channel: Channel;
	accountId: string;
	sender: string;
	recipients: string[];
	text: string;
	trackLinks?: boolean;
	/** The target of `[tracked-link]`. */
	trackedLinkUrl?: string | undefined;
	extras?: MessageExtras;
	sendAt?: Date;
}

/** Creates the record of an accepted message, without charging for it. */
export function createMessage(state: State, submission: Submission): OutboundMessage {
	const { extras, recipients, sendAt, trackLinks = false, trackedLinkUrl, ...rest } = submission;
	const { api, channel, text } = rest;
	const number = nextNumber(state);
	const id = api === 'v1' ? String(number) : randomUUID();
	const sentText = fillLinks(state, { messageId: id, text, trackLinks, trackedLinkUrl });
	const parts = channel === 'SMS' ? smsParts(sentText) : { parts: 1, isGsm: true };
	const at = new Date(Date.now() + state.settings.clockAheadMs).toISOString();
	return {
		...rest,
		...extras,
		id,
		number,
		direction: 'OUT',
		recipient: recipients[0] ?? '',
		recipients,
		sentText,
		track_links: trackLinks || Boolean(trackedLinkUrl),
		...parts,
		cost: 0,
		status: channel === 'RCS' || channel === 'WHATSAPP' ? 'QUEUED' : 'PENDING',
		statuses: {},
		history: [],
		optedOut: [],
		at,
		sendAt: sendAt?.toISOString() ?? at,
		updatedAt: at,
	};
}

const routing = (state: State, message: OutboundMessage) =>
	message.channel === 'SMS' && state.settings.routedVia
		? { routed_via: state.settings.routedVia }
		: {};

const references = ({ message_ref, campaign_id }: OutboundMessage) => ({
	...(message_ref !== undefined && { message_ref }),
	...(campaign_id !== undefined && { campaign_id }),
});

/** The message as quoted in events about one of its recipients. */
export const quote = (
	state: State,
	message: OutboundMessage,
	recipient: string,
): QuotedMessage => ({
	type: message.channel,
	id: message.id,
	message: message.sentText,
	recipient,
	sender: message.sender,
	...references(message),
	...(message.subject && { subject: message.subject }),
	...(message.content_urls && { content_urls: message.content_urls }),
	...routing(state, message),
});

const MAX_TIMER_MS = 2 ** 31 - 1;

interface StatusChange {
	status: string;
	description?: string | undefined;
	/** Default: all recipients. */
	recipient?: string | undefined;
}

const hasFailed = (status: string) => ['FAILED', 'REJECTED', 'UNDELIVERABLE'].includes(status);

/** A failed RCS or WhatsApp message is replaced by an SMS, once, if requested. */
function fallBack(state: State, message: OutboundMessage): void {
	const { sms_fallback: fallback, accountId, recipients, message_ref, id } = message;
	if (!fallback || !hasFailed(message.status) || state.fallbacks.has(id)) return;
	if (hasOptedOut(state, accountId, message.recipient)) return;
	state.fallbacks.add(id);
	submit(state, {
		api: 'v2',
		channel: 'SMS',
		accountId,
		sender: fallback.sender ?? SHARED_NUMBER,
		recipients,
		text: fallback.message,
		extras: { fallbackFor: id, ...(message_ref !== undefined && { message_ref }) },
	});
}

function recordStatus(
	{ settings }: State,
	message: OutboundMessage,
	{ status, recipient }: StatusChange,
): void {
	const at = new Date(Date.now() + settings.clockAheadMs).toISOString();
	message.updatedAt = at;
	message.history.push({ status, at });
	if (recipient === undefined) {
		message.status = status;
		message.statuses = {};
	} else message.statuses[recipient] = status;
}

/** Changes a message's status and notifies the webhooks, once per recipient. */
export function changeStatus(state: State, message: OutboundMessage, change: StatusChange): void {
	recordStatus(state, message, change);
	const { status, description } = change;
	for (const recipient of change.recipient ? [change.recipient] : message.recipients) {
		const body = {
			type: message.channel,
			id: message.id,
			sender: message.sender,
			recipient,
			...references(message),
			...routing(state, message),
			status,
			...(description !== undefined && { description }),
		};
		publish(state, message.accountId, statusEvent(body));
		sendDeliveryCallback(state, message, recipient);
	}
	fallBack(state, message);
	state.changes.notify();
}

const isReachable = ({ settings }: State, { channel, recipient }: OutboundMessage) =>
	(channel !== 'RCS' && channel !== 'WHATSAPP') || !settings.smsOnlyContacts.includes(recipient);

/** The automatic statuses of a message. Only RCS and WhatsApp report READ. */
function planStatuses(state: State, message: OutboundMessage): string[] {
	if (!isReachable(state, message)) return ['FAILED'];
	const isRead = message.channel === 'RCS' || message.channel === 'WHATSAPP';
	return isRead ? ['SENT', 'DELIVERED', 'READ'] : ['SENT', 'DELIVERED'];
}

/** Stores the message and schedules its statuses, starting at `sendAt`. */
export function acceptMessage(state: State, message: OutboundMessage): void {
	state.messages.add(message);
	state.messagesById.set(message.id, message);
	if (message.channel === 'RCS' || message.channel === 'WHATSAPP') {
		state.chatMessages[message.channel].push(message);
	}
	state.changes.notify();
	if (!state.settings.autoStatus) return;
	const waitMs = Math.max(0, Date.parse(message.sendAt) - Date.now());
	planStatuses(state, message).forEach((status, index) => {
		const delayMs = state.settings.statusDelaysMs[index];
		if (delayMs === undefined || waitMs + delayMs > MAX_TIMER_MS) return;
		state.timers.after(waitMs + delayMs, () => {
			if (message.status !== 'CANCELLED') changeStatus(state, message, { status });
		});
	});
}

/** Accepts and charges for a message. undefined = insufficient balance, nothing accepted. */
export function submit(state: State, submission: Submission): OutboundMessage | undefined {
	const message = createMessage(state, submission);
	const cost = charge(state, message);
	if (cost === undefined) return undefined;
	message.cost = cost;
	acceptMessage(state, message);
	return message;
}
