import { filled, type Json } from '../api/json';
import { plainNumber } from './parties';
import { orAbsent } from './simplify';
import { toIsoTimestamp } from './timestamp';
import { textOf } from './words';

export type Channel = 'SMS' | 'MMS' | 'RCS' | 'WHATSAPP';

const textIn = (value: unknown): string | undefined =>
	typeof value === 'string' ? orAbsent(value) : undefined;

const upper = (value: unknown): string | undefined => textIn(value)?.toUpperCase();

const addressIn = (value: unknown): string | undefined => {
	const address = textIn(typeof value === 'number' ? String(value) : value);
	return address && plainNumber(address);
};

/** Of a message that has no text of its own: WhatsApp fills it in from a template. */
const templateIn = (content: unknown): string | undefined =>
	textIn((content as { template?: { name?: unknown } } | undefined)?.template?.name);

/**
 * A message of a Get or Get Many in ten fields at most, with the names and meanings of the trigger's: `contact`
 * is always the other party, `sender` always the account's own. What a channel does not have is left out.
 */
export const simplifyMessage = (channel: Channel, message: Json): Json => {
	const { content, content_urls: urls, created_at: createdAt } = message;
	const direction = upper(message.direction);
	const isReceived = direction === 'IN';
	return filled({
		id: orAbsent(message.id),
		channel,
		direction,
		status: upper(message.status),
		contact: addressIn(isReceived ? message.sender : message.recipient),
		sender: addressIn(isReceived ? message.recipient : message.sender),
		subject: textIn(message.subject),
		text: textOf({ message: textIn(message.message), content }),
		template: templateIn(content),
		contentType: orAbsent(message.content_type),
		contentUrl: Array.isArray(urls) ? urls[0] : undefined,
		messageRef: orAbsent(message.message_ref),
		campaignId: orAbsent(message.campaign_id),
		parts: orAbsent(message.sms_count),
		createdAt: typeof createdAt === 'string' ? toIsoTimestamp(createdAt) : undefined,
	});
};
