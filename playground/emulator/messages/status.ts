import { SHARED_NUMBER } from '../catalogue.ts';
import { sendDeliveryCallback } from '../events/callbacks.ts';
import { publish } from '../events/delivery.ts';
import { statusEvent } from '../events/events.ts';
import type { State } from '../state.ts';
import { charge } from './balance.ts';
import { messageFrom, type Submission } from './message.ts';
import type { OutboundMessage } from './model.ts';
import { hasOptedOut } from './optOuts.ts';
import { references, routing } from './quote.ts';

const MAX_TIMER_MS = 2 ** 31 - 1;

export interface StatusChange {
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

function record(message: OutboundMessage, { status, recipient }: StatusChange): void {
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
	record(message, change);
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
function courseOf(state: State, message: OutboundMessage): string[] {
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
	courseOf(state, message).forEach((status, index) => {
		const delayMs = state.settings.statusDelaysMs[index];
		if (delayMs === undefined || waitMs + delayMs > MAX_TIMER_MS) return;
		state.timers.after(waitMs + delayMs, () => {
			if (message.status !== 'CANCELLED') changeStatus(state, message, { status });
		});
	});
}

/** Takes a message and its price; undefined = not enough money, nothing taken. */
export function submit(state: State, submission: Submission): OutboundMessage | undefined {
	const message = messageFrom(state, submission);
	const cost = charge(state, message);
	if (cost === undefined) return undefined;
	message.cost = cost;
	acceptMessage(state, message);
	return message;
}
