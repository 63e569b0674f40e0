import { deliveryStatus } from '../../events/callbacks.ts';
import { statusFor, type InboundMessage, type OutboundMessage } from '../../messages/model.ts';
import { linksOf } from '../../messages/trackedLinks.ts';
import type { State } from '../../state.ts';
import { v1DateTime } from '../../timestamps.ts';

export const repliesTo = (state: State, { id }: OutboundMessage): InboundMessage[] =>
	state.inbound
		.all()
		.filter(({ repliesTo: answered, channel }) => answered === id && channel === 'SMS');

/** How many recipients stand where. */
export function countsOf(state: State, message: OutboundMessage) {
	const counts = { delivered: 0, pending: 0, 'soft-bounce': 0, 'hard-bounce': 0 };
	for (const recipient of message.recipients) {
		counts[deliveryStatus(statusFor(message, recipient))] += 1;
	}
	return {
		delivered: counts.delivered,
		pending: counts.pending,
		softBounced: counts['soft-bounce'],
		hardBounced: counts['hard-bounce'],
		responses: repliesTo(state, message).length,
		optouts: message.optedOut.length,
		linkHits: linksOf(state, message.id)
			.filter(({ kind }) => kind === 'click')
			.reduce((sum, { hits }) => sum + hits, 0),
	};
}

export const deliveryStats = (state: State, message: OutboundMessage) => {
	const { delivered, pending, softBounced, hardBounced, responses, optouts } = countsOf(
		state,
		message,
	);
	return { delivered, pending, bounced: softBounced + hardBounced, responses, optouts };
};

export const messageRecord = (state: State, message: OutboundMessage) => ({
	message_id: message.number,
	send_at: v1DateTime(new Date(message.sendAt)),
	recipients: message.recipients.length,
	cost: message.cost,
	sms: message.parts * message.recipients.length,
	delivery_stats: deliveryStats(state, message),
});

export interface ReplyStyle {
	original: boolean;
}

/** A reply as v1 shows it; names are null where no list knows the contact. */
export function replyRecord(state: State, inbound: InboundMessage, { original }: ReplyStyle) {
	const message =
		inbound.repliesTo === null ? undefined : state.messagesById.get(inbound.repliesTo);
	const list = message?.listId === undefined ? undefined : state.lists.get(message.listId);
	const member = list?.members.get(inbound.sender);
	return {
		id: inbound.number,
		message_id: message?.number ?? 0,
		list_id: list?.id ?? 0,
		received_at: v1DateTime(new Date(inbound.at)),
		first_name: member?.first_name ?? null,
		last_name: member?.last_name ?? null,
		msisdn: inbound.sender,
		response: inbound.text,
		longcode: inbound.recipient,
		...(original && message && { original_message: message.sentText }),
	};
}
