import { publish } from './delivery.ts';
import { inboundEvent, inboundId, linkHitEvent, optOutEvent, type InboundBody } from './events.ts';
import { quote } from './lifecycle.ts';
import {
	rememberOptOut,
	type InboundMessage,
	type OutboundMessage,
	type State,
	type TrackedLink,
} from './state.ts';

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
