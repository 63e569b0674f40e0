import type { OutboundMessage } from './state.ts';
import { wholeSeconds } from './timestamps.ts';

/** Polling knows fewer statuses than events: refusals and expiry all read FAILED. */
export const polled = (status: string) =>
	['REJECTED', 'UNDELIVERABLE', 'EXPIRED', 'OTHER'].includes(status) ? 'FAILED' : status;

export const sentRecord = (message: OutboundMessage) => ({
	id: message.id,
	...(message.message_ref !== undefined && { message_ref: message.message_ref }),
	sender: message.sender,
	recipient: message.recipient,
	content_type: 'text',
	content: { text: { message: message.text } },
	created_at: wholeSeconds(new Date(message.at)),
});

export const listedRecord = (message: OutboundMessage) => ({
	...sentRecord(message),
	status: polled(message.status),
});

/** The envelope of every RCS answer. */
export const wrapped = (data: object, meta: object = {}) => ({ data, request: {}, meta });
