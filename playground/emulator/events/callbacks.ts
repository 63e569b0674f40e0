import { createHmac } from 'node:crypto';
import {
	type InboundMessage,
	type OutboundMessage,
	statusFor,
	type TrackedLink,
} from '../model.ts';
import type { State } from '../state.ts';
import { v1DateTime } from '../timestamps.ts';
import { sendCallback } from './delivery.ts';

const USER_ID = '54911';

/** In the format of PHP's `json_encode`. */
const phpJson = (value: object) =>
	JSON.stringify(value)
		.replaceAll('/', '\\/')
		.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A GET with all data in the query, signed with the account's secret. The URL's own parameters stay first. */
function call(
	state: State,
	url: string | undefined,
	{ accountId, values }: { accountId: string; values: Record<string, string> },
): void {
	if (!url || !URL.canParse(url)) return;
	const target = new URL(url);
	for (const [name, value] of Object.entries(values)) target.searchParams.append(name, value);
	const payload = phpJson(Object.fromEntries(target.searchParams));
	const secret = state.settings.accounts.find(({ id }) => id === accountId)?.apiSecret ?? '';
	const signature = createHmac('sha256', secret).update(payload).digest('hex');
	sendCallback(state, { url: target.href, payload, signature });
}

/** The v1 names of statuses. */
export function deliveryStatus(status: string) {
	if (status === 'DELIVERED' || status === 'READ') return 'delivered';
	if (status === 'SOFT_BOUNCE') return 'soft-bounce';
	const isOver = ['FAILED', 'REJECTED', 'UNDELIVERABLE', 'HARD_BOUNCE', 'OTHER', 'CANCELLED'];
	return isOver.includes(status) ? 'hard-bounce' : 'pending';
}

export function sendDeliveryCallback(state: State, message: OutboundMessage, mobile: string): void {
	call(state, message.callbacks?.delivery, {
		accountId: message.accountId,
		values: {
			message_id: String(message.number),
			mobile,
			datetime: v1DateTime(new Date(message.updatedAt)),
			status: deliveryStatus(statusFor(message, mobile)),
			user_id: USER_ID,
			rate: String(message.cost / message.recipients.length),
		},
	});
}

interface Reply {
	inbound: InboundMessage;
	last: OutboundMessage | undefined;
	isOptOut: boolean;
}

/** The callback URL of the answered message takes precedence over that of the number. */
export function sendReplyCallback(state: State, { inbound, last, isOptOut }: Reply): void {
	const ofNumber = state.numberOptions.get(inbound.recipient)?.forward_url;
	call(state, last?.callbacks?.reply ?? ofNumber, {
		accountId: inbound.accountId,
		values: {
			user_id: USER_ID,
			message_id: last ? String(last.number) : '0',
			mobile: inbound.sender,
			longcode: inbound.recipient,
			datetime_entry: v1DateTime(new Date(inbound.at)),
			response: inbound.text,
			response_id: String(inbound.number),
			is_optout: isOptOut ? 'yes' : 'no',
		},
	});
}

export function sendLinkHitCallback(
	state: State,
	message: OutboundMessage,
	link: TrackedLink,
): void {
	call(state, message.callbacks?.linkHits, {
		accountId: message.accountId,
		values: {
			list_id: String(message.listId ?? 0),
			message_id: String(message.number),
			mobile: message.recipient,
			longcode: message.sender,
			datetime: v1DateTime(new Date()),
			message: message.sentText,
			user_id: USER_ID,
			link_hits: String(link.hits),
			firstname: '',
			lastname: '',
		},
	});
}
