import type { OutboundMessage } from '../../messages/model.ts';
import { wholeSeconds } from '../../timestamps.ts';

/** Polling knows fewer statuses than events: refusals and expiry all read FAILED. */
const polled = (status: string) =>
	['REJECTED', 'UNDELIVERABLE', 'EXPIRED', 'OTHER'].includes(status) ? 'FAILED' : status;

const baseRecord = (message: OutboundMessage) => ({
	id: message.id,
	...(message.message_ref !== undefined && { message_ref: message.message_ref }),
	...(message.campaign_id !== undefined && { campaign_id: message.campaign_id }),
	sender: message.sender,
	recipient: message.recipient,
	content_type: message.content_type,
	content: message.content,
	created_at: wholeSeconds(new Date(message.at)),
});

const fallbackOf = ({ sms_fallback }: OutboundMessage) => (sms_fallback ? { sms_fallback } : {});

export const sentRecord = (message: OutboundMessage) => ({
	...baseRecord(message),
	...fallbackOf(message),
});

export const listedRecord = (message: OutboundMessage) => ({
	...baseRecord(message),
	status: polled(message.status),
});

const details: Record<string, string> = {
	SENT: 'Message handed to the carrier',
	DELIVERED: 'Message delivered to the device',
	READ: 'Message read by the recipient',
	FAILED: 'Message could not be delivered',
};

export function fullRecord(message: OutboundMessage) {
	const events = message.history.map(({ status, at }) => ({
		event_type: polled(status),
		created_at: wholeSeconds(new Date(at)),
		details: details[polled(status)] ?? '',
	}));
	return {
		...listedRecord(message),
		...fallbackOf(message),
		account_id: message.accountId,
		...(events.length > 0 && { events }),
	};
}

/** The envelope of RCS, WhatsApp and sender answers. */
export const wrapped = (data: object, meta: object = {}) => ({ data, request: {}, meta });
