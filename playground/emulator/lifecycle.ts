import { publish } from './delivery.ts';
import {
	inboundEvent,
	inboundId,
	linkHitEvent,
	optOutEvent,
	statusEvent,
	type InboundBody,
	type QuotedMessage,
} from './events.ts';
import {
	rememberOptOut,
	type InboundMessage,
	type OutboundMessage,
	type State,
	type TrackedLink,
} from './state.ts';

const MAX_TIMER_MS = 2 ** 31 - 1;

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
	...routing(state, message),
});

export interface StatusChange {
	status: string;
	description?: string;
}

/** Moves a message on and tells the webhooks, once for each recipient. */
export function changeStatus(state: State, message: OutboundMessage, change: StatusChange): void {
	const at = new Date().toISOString();
	message.status = change.status;
	message.updatedAt = at;
	message.history.push({ status: change.status, at });
	for (const recipient of message.recipients) {
		const status = {
			type: message.channel,
			id: message.id,
			sender: message.sender,
			recipient,
			...references(message),
			...routing(state, message),
			...change,
		};
		publish(state, message.accountId, statusEvent(status));
	}
	state.changes.notify();
}

const automaticStatuses = ['SENT', 'DELIVERED', 'READ'] as const;

/** Keeps the message and lets its status advance by itself, from `sendAt` on. */
export function acceptMessage(state: State, message: OutboundMessage, sendAt = new Date()): void {
	state.messages.add(message);
	state.messagesById.set(message.id, message);
	if (message.channel === 'RCS') state.rcsMessages.push(message);
	state.changes.notify();
	if (!state.settings.autoStatus) return;
	const waitMs = Math.max(0, sendAt.getTime() - Date.now());
	automaticStatuses.forEach((status, index) => {
		const delayMs = state.settings.statusDelaysMs[index];
		const isReached = status !== 'READ' || message.channel === 'RCS';
		if (delayMs === undefined || !isReached || waitMs + delayMs > MAX_TIMER_MS) return;
		state.timers.after(waitMs + delayMs, () => changeStatus(state, message, { status }));
	});
}

export interface InboundText {
	accountId: string;
	channel: 'SMS' | 'MMS' | 'RCS';
	from: string;
	to: string;
	text: string;
	media?: Array<{ name: string; content: string }>;
}

const MMS_LOOK_BACK_MS = 72 * 3_600_000;

/** The latest message to this contact from this number, which need not be the one that was answered. */
function lastMessage(state: State, { accountId, channel, from, to }: InboundText) {
	const oldest = channel === 'MMS' ? new Date(Date.now() - MMS_LOOK_BACK_MS).toISOString() : '';
	return state.messages
		.all()
		.findLast(
			(message) =>
				message.accountId === accountId &&
				message.sender === to &&
				message.recipients.includes(from) &&
				message.at >= oldest,
		);
}

function inboundBody(state: State, inbound: InboundText, id: string): InboundBody {
	const { channel, from, to, text, media } = inbound;
	const parties = { type: channel, id, sender: from, recipient: to };
	if (channel === 'RCS') {
		return { ...parties, content_type: 'TEXT', content: { text: { message: text } } };
	}
	const last = lastMessage(state, inbound);
	const { routedVia } = state.settings;
	return {
		...parties,
		message: text,
		...(channel === 'SMS' && routedVia && { routed_via: routedVia }),
		...(media && { media }),
		...(last && { last_message: quote(state, last, from) }),
	};
}

function optOutByText(state: State, inbound: InboundText, id: string): void {
	const { accountId, channel, from, to, text } = inbound;
	rememberOptOut(state, accountId, from);
	const last = lastMessage(state, inbound);
	const source_message = last
		? quote(state, last, from)
		: { type: channel, id, message: text, sender: to, recipient: from };
	publish(state, accountId, optOutEvent({ source: 'SMS_INBOUND', source_message }));
}

const isStopWord = (text: string) => /^\s*stop\s*$/i.test(text);

/**
 * A text from a contact. STOP opts the contact out. By SMS it is sent both as OPT_OUT and as SMS_INBOUND,
 * whose documented sample reads "Stop"; RCS_INBOUND is documented for texts other than opt-out keywords.
 */
export function receiveText(state: State, inbound: InboundText): InboundMessage {
	const { accountId, channel, from, to, text } = inbound;
	const at = new Date().toISOString();
	const received = { id: inboundId(), channel, accountId, sender: from, recipient: to, text, at };
	state.inbound.add(received);
	const isOptOut = channel !== 'MMS' && isStopWord(text);
	if (channel !== 'RCS' || !isOptOut) {
		publish(state, accountId, inboundEvent(inboundBody(state, inbound, received.id)));
	}
	if (isOptOut) optOutByText(state, inbound, received.id);
	state.changes.notify();
	return received;
}

/** The contact follows the opt-out link of a message. */
export function optOutByLink(state: State, message: OutboundMessage, recipient: string): void {
	rememberOptOut(state, message.accountId, recipient);
	const source_message = quote(state, message, recipient);
	publish(state, message.accountId, optOutEvent({ source: 'LINK_HIT', source_message }));
	state.changes.notify();
}

/** The contact follows a tracked link; the count never starts again. */
export function clickLink(state: State, message: OutboundMessage, link: TrackedLink): void {
	link.hits += 1;
	const { hits, url } = link;
	const source_message = quote(state, message, message.recipient);
	publish(state, message.accountId, linkHitEvent({ hits, url, source_message }));
	state.changes.notify();
}
