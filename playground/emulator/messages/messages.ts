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

/** Most texts: one unit of the GSM alphabet for each character. */
const plainGsm = /^[\w .,:;!?'"()/+\-=@#%&*<>$\n\r]*$/;

/** How many SMS a text takes. The library takes a time that grows with the square of the length. */
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
	/** v1: what `[tracked-link]` leads to. */
	trackedLinkUrl?: string;
}

/** The text as it goes out: links shortened when tracked, placeholders replaced by links of this emulator. */
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

/** From now on nothing is sent to the contact, who counts as opted out in every list. */
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

/** In AUD to one recipient; for SMS each part. */
const prices = { SMS: 0.079, MMS: 0.35, RCS: 0.1, WHATSAPP: 0.1 };

const toMoney = (amount: number) => Math.round(amount * 1000) / 1000;

export const getBalance = (state: State, { id }: { id: string }) =>
	state.balances.get(id) ?? state.settings.balance;

/** Takes an amount; false = not enough money, nothing taken. A negative amount is given back. */
export function debit(state: State, accountId: string, amount: number): boolean {
	const balance = getBalance(state, { id: accountId });
	if (amount > balance) return false;
	state.balances.set(accountId, toMoney(balance - amount));
	return true;
}

/** Takes the price of a message and returns it; undefined = not enough money. */
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
	/** What `[tracked-link]` leads to. */
	trackedLinkUrl?: string | undefined;
	extras?: MessageExtras;
	sendAt?: Date;
}

/** The record of a message at the moment the service takes it; it costs nothing yet. */
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

/** The message as events quote it, seen from one of its recipients. */
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
	/** One of several; without it, all of them. */
	recipient?: string | undefined;
}

const hasFailed = (status: string) => ['FAILED', 'REJECTED', 'UNDELIVERABLE'].includes(status);

/** RCS and WhatsApp send an SMS instead, once, if they were asked to. */
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

function recordStatus(message: OutboundMessage, { status, recipient }: StatusChange): void {
	const at = new Date().toISOString();
	message.updatedAt = at;
	message.history.push({ status, at });
	if (recipient === undefined) {
		message.status = status;
		message.statuses = {};
	} else message.statuses[recipient] = status;
}

/** Moves a message on and tells the webhooks, once for each recipient. */
export function changeStatus(state: State, message: OutboundMessage, change: StatusChange): void {
	recordStatus(message, change);
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

/** What becomes of a message by itself: READ is told by RCS and WhatsApp only. */
function planStatuses(state: State, message: OutboundMessage): string[] {
	if (!isReachable(state, message)) return ['FAILED'];
	const isRead = message.channel === 'RCS' || message.channel === 'WHATSAPP';
	return isRead ? ['SENT', 'DELIVERED', 'READ'] : ['SENT', 'DELIVERED'];
}

/** Keeps the message and lets its status advance by itself, from `sendAt` on. */
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

/** Takes a message and its price; undefined = not enough money, nothing taken. */
export function submit(state: State, submission: Submission): OutboundMessage | undefined {
	const message = createMessage(state, submission);
	const cost = charge(state, message);
	if (cost === undefined) return undefined;
	message.cost = cost;
	acceptMessage(state, message);
	return message;
}
