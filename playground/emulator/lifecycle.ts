import { publish } from './delivery.ts';
import { statusEvent, type QuotedMessage } from './events.ts';
import type { OutboundMessage, State } from './state.ts';

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
