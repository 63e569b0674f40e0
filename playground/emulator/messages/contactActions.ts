import { sendLinkHitCallback, sendReplyCallback } from '../events/callbacks.ts';
import { publish } from '../events/delivery.ts';
import {
	inboundEvent,
	inboundId,
	linkHitEvent,
	optOutEvent,
	type Channel,
	type InboundBody,
} from '../events/events.ts';
import { nextNumber, type State } from '../state.ts';
import type { InboundMessage, OutboundMessage, TrackedLink } from '../model.ts';
import { quote, recordOptOut, smsParts } from './messages.ts';

interface InboundText {
	accountId: string;
	channel: Channel;
	from: string;
	to: string;
	text: string;
	media?: Array<{ name: string; content: string }>;
	/** When the service received it, if it lists it later. */
	at?: string;
}

const MMS_LOOK_BACK_MS = 72 * 3_600_000;

/** The latest message from this number to the contact, which may not be the one that was answered. */
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

interface Arrival {
	inbound: InboundText;
	id: string;
	last: OutboundMessage | undefined;
}

function inboundBody(state: State, { inbound, id, last }: Arrival): InboundBody {
	const { channel, from, to, text, media } = inbound;
	const parties = { type: channel, id, sender: from, recipient: to };
	if (channel === 'RCS' || channel === 'WHATSAPP') {
		return { ...parties, content_type: 'TEXT', content: { text: { message: text } } };
	}
	const { routedVia } = state.settings;
	return {
		...parties,
		message: text,
		...(channel === 'SMS' && routedVia && { routed_via: routedVia }),
		...(media && { media }),
		...(last && { last_message: quote(state, last, from) }),
	};
}

function optOutByText(state: State, { inbound, id, last }: Arrival): void {
	const { accountId, channel, from, to, text } = inbound;
	recordOptOut(state, accountId, from);
	last?.optedOut.push(from);
	const source_message = last
		? quote(state, last, from)
		: { type: channel, id, message: text, sender: to, recipient: from };
	publish(state, accountId, optOutEvent({ source: 'SMS_INBOUND', source_message }));
}

const isOptOutKeyword = (text: string) => /^\s*stop\s*$/i.test(text);

function recordInbound(state: State, { inbound, id, last }: Arrival): InboundMessage {
	const { channel, accountId, from, to, text } = inbound;
	const now = new Date(Date.now() + state.settings.clockAheadMs).toISOString();
	return state.inbound.add({
		id,
		number: nextNumber(state),
		api: 'v2',
		direction: 'IN',
		channel,
		status: 'DELIVERED',
		...smsParts(text),
		accountId,
		sender: from,
		recipient: to,
		text,
		repliesTo: last?.id ?? null,
		at: inbound.at ?? now,
	});
}

/**
 * A text from a contact. STOP opts the contact out. It is sent both as OPT_OUT and as the message itself: the documented
 * sample of SMS_INBOUND reads "Stop". Only RCS_INBOUND is documented for texts other than opt-out keywords.
 */
export function receiveText(state: State, inbound: InboundText): InboundMessage {
	const { accountId, channel, text } = inbound;
	const arrival = { inbound, id: inboundId(), last: lastMessage(state, inbound) };
	const received = recordInbound(state, arrival);
	const isOptOut = channel !== 'MMS' && isOptOutKeyword(text);
	if (channel !== 'RCS' || !isOptOut) {
		publish(state, accountId, inboundEvent(inboundBody(state, arrival), new Date(received.at)));
	}
	if (isOptOut) optOutByText(state, arrival);
	if (channel === 'SMS') {
		sendReplyCallback(state, { inbound: received, last: arrival.last, isOptOut });
	}
	state.changes.notify();
	return received;
}

/** The contact opens the opt-out link of a message. */
export function optOutByLink(state: State, message: OutboundMessage, recipient: string): void {
	recordOptOut(state, message.accountId, recipient);
	message.optedOut.push(recipient);
	const source_message = quote(state, message, recipient);
	publish(state, message.accountId, optOutEvent({ source: 'LINK_HIT', source_message }));
	state.changes.notify();
}

/** The contact opens a tracked link. The click count is never reset. */
export function clickLink(state: State, message: OutboundMessage, link: TrackedLink): void {
	link.hits += 1;
	const { hits, url } = link;
	const source_message = quote(state, message, message.recipient);
	publish(state, message.accountId, linkHitEvent({ hits, url, source_message }));
	sendLinkHitCallback(state, message, link);
	state.changes.notify();
}
