import { isJson, omitUndefined, type Json } from '../lib/json';
import { personOf } from '../lib/personOf';
import { plainTextOf } from '../lib/text';
import { toIsoTimestamp } from '../lib/time';
import { isReaction } from './reaction';
import { answerIn } from './decision';
import { isOptInKeyword, isOptOutKeyword, optOutIn } from './optOutText';
import { keywordOf } from './replyWords';
import {
	type InboundMessage,
	type KudosityEvent,
	type QuotedMessage,
	type StatusChange,
	messageText,
	replyText,
} from './schema';
import { describeStatus } from './statuses';

type Addressed = { sender: string; recipient: string };

/** Removes the plus sign, which only MMS senders have, so a contact's number is always written the same way. */
export function plainNumber(address: string): string {
	return address.replace(/^\+(?=\d+$)/, '');
}

export function contactAt(address: string): string {
	return personOf(plainNumber(address));
}

/**
 * Returns the parties of a message. `contact` is always the other party, with a phone number in canonical form (see
 * `personOf`). `sender` is the account's own number, name or agent.
 */
export function partiesOfSent({ sender, recipient }: Addressed) {
	return {
		contact: contactAt(recipient),
		sender: plainNumber(sender),
	};
}

export function partiesOfReceived({ sender, recipient }: Addressed) {
	return partiesOfSent({ sender: recipient, recipient: sender });
}

/**
 * Returns undefined if a value is missing. The service marks missing values in different ways: it omits the field, or
 * sends null or an empty string.
 */
export function orAbsent<Value>(value: Value | null | undefined | ''): Value | undefined {
	return value === null || value === '' ? undefined : value;
}

function statusFields(status: StatusChange): Json {
	const { status: name, isFinal, isFailure } = describeStatus(status.status);
	return {
		channel: status.type.toUpperCase(),
		messageId: status.id,
		messageRef: orAbsent(status.message_ref),
		...partiesOfSent(status),
		routedVia: orAbsent(status.routed_via),
		status: name,
		isFinal,
		isFailure,
		description: orAbsent(status.description),
		campaignId: orAbsent(status.campaign_id),
	};
}

const replyFields = ({ id, message, message_ref }: QuotedMessage): Json =>
	omitUndefined({ messageId: id, messageRef: orAbsent(message_ref), text: orAbsent(message) });

type Received = Parameters<typeof isReaction>[0];

/**
 * Returns the text of a received message, for workflows to act on. Returns an empty string for a reaction, because a
 * reaction says nothing by itself.
 */
function wordsOf(message: Received): string {
	return isReaction(message) ? '' : replyText(message);
}

/** Returns the fields that interpret the words of a received message. Every simplified received message has them. */
function meaningOf(message: Received): Json {
	const words = wordsOf(message);
	return {
		isOptOutKeyword: isOptOutKeyword(words),
		optOut: optOutIn(words),
		plainText: orAbsent(plainTextOf(words)),
		answer: answerIn(words),
		isOptInKeyword: isOptInKeyword(words),
		isReaction: isReaction(message),
	};
}

function inboundFields(mo: InboundMessage): Json {
	const words = wordsOf(mo);
	return {
		channel: mo.type.toUpperCase(),
		messageId: mo.id,
		...partiesOfReceived(mo),
		routedVia: orAbsent(mo.routed_via),
		text: messageText(mo),
		keyword: keywordOf(words),
		...meaningOf(mo),
		subject: orAbsent(mo.subject),
		contentType: orAbsent(mo.content_type),
		content: orAbsent(mo.content),
		isReply: Boolean(mo.last_message),
		inReplyTo: mo.last_message ? replyFields(mo.last_message) : undefined,
	};
}

const sourceFields = (source: QuotedMessage): Json => ({
	channel: source.type?.toUpperCase(),
	messageId: source.id,
	messageRef: orAbsent(source.message_ref),
	...partiesOfSent(source),
	routedVia: orAbsent(source.routed_via),
	campaignId: orAbsent(source.campaign_id),
	sourceText: orAbsent(source.message),
});

function payloadFields({ payload }: KudosityEvent): Json {
	switch (payload.kind) {
		case 'status':
			return statusFields(payload.status);
		case 'inbound':
			return inboundFields(payload.inbound);
		case 'linkHit': {
			const { url, hits, source_message } = payload.linkHit;
			return { ...sourceFields(source_message), url, hits };
		}
		case 'optOut': {
			const { source, source_message } = payload.optOut;
			return { ...sourceFields(source_message), optOutSource: orAbsent(source) };
		}
	}
}

/** Flattens an event of any type into one record, omitting missing fields. */
export function simplifyEvent(event: KudosityEvent): Json {
	return omitUndefined({
		eventType: event.event_type,
		// The payload sets `channel`. Listing it here makes it the second column, because n8n shows columns in the
		// order of these fields.
		channel: undefined,
		timestamp: orAbsent(toIsoTimestamp(event.timestamp)),
		...payloadFields(event),
		webhookId: event.webhook_id,
		webhookName: orAbsent(event.webhook_name),
	});
}

export type Channel = 'SMS' | 'MMS' | 'RCS' | 'WHATSAPP';

const textIn = (value: unknown): string | undefined =>
	typeof value === 'string' || typeof value === 'number' ? orAbsent(String(value)) : undefined;

const upper = (value: unknown): string | undefined => textIn(value)?.toUpperCase();

const templateIn = (content: unknown): string | undefined =>
	textIn((content as { template?: { name?: unknown } } | undefined)?.template?.name);

/**
 * Simplifies a message that the service returned, with the same field names as in the trigger's output. Omits fields
 * that the channel doesn't have.
 */
export function simplifyMessage(channel: Channel, message: Json): Json {
	const { content, content_urls: urls, created_at: createdAt } = message;
	const direction = upper(message.direction);
	const isReceived = direction === 'IN';
	const [sender = '', recipient = ''] = [message.sender, message.recipient].map(textIn);
	const parties = (isReceived ? partiesOfReceived : partiesOfSent)({ sender, recipient });
	const received = {
		message: textIn(message.message),
		content_type: textIn(message.content_type),
		content: isJson(content) ? content : undefined,
	};
	return omitUndefined({
		messageId: textIn(message.id),
		channel,
		direction,
		status: upper(message.status),
		contact: orAbsent(parties.contact),
		sender: orAbsent(parties.sender),
		subject: textIn(message.subject),
		text: messageText({ message: received.message, content }),
		template: templateIn(content),
		contentType: orAbsent(message.content_type),
		...(isReceived && meaningOf(received)),
		contentUrl: Array.isArray(urls) ? urls[0] : undefined,
		messageRef: orAbsent(message.message_ref),
		campaignId: orAbsent(message.campaign_id),
		parts: orAbsent(message.sms_count),
		createdAt: typeof createdAt === 'string' ? toIsoTimestamp(createdAt) : undefined,
	});
}
