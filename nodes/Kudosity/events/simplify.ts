import { filled } from '../api/json';
import type { InboundMessage, KudosityEvent, QuotedMessage, StatusChange } from './events';
import { partiesOfReceived, partiesOfSent } from './parties';
import { describeStatus } from './statuses';
import { isStopWord, keywordOf } from './stopWords';
import { toIsoTimestamp } from './timestamp';
import { textOf } from './words';

type Fields = Record<string, unknown>;

/** The service leaves a field out, or sends it as null or empty: all the same to the user. */
export const orAbsent = <Value>(value: Value | null | undefined | ''): Value | undefined =>
	value === null || value === '' ? undefined : value;

const statusFields = (status: StatusChange): Fields => {
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
};

const replyFields = ({ id, message, message_ref }: QuotedMessage): Fields =>
	filled({ messageId: id, messageRef: orAbsent(message_ref), text: orAbsent(message) });

const inboundFields = (mo: InboundMessage, words: string): Fields => ({
	channel: mo.type.toUpperCase(),
	messageId: mo.id,
	...partiesOfReceived(mo),
	routedVia: orAbsent(mo.routed_via),
	text: textOf(mo),
	keyword: keywordOf(words),
	isStopWord: isStopWord(words),
	subject: orAbsent(mo.subject),
	contentType: orAbsent(mo.content_type),
	content: orAbsent(mo.content ?? mo.unreadContent),
	isReply: Boolean(mo.last_message ?? mo.unreadQuote),
	inReplyTo: mo.last_message ? replyFields(mo.last_message) : mo.unreadQuote,
});

const sourceFields = (source: QuotedMessage): Fields => ({
	channel: source.type?.toUpperCase(),
	messageId: source.id,
	messageRef: orAbsent(source.message_ref),
	...partiesOfSent(source),
	routedVia: orAbsent(source.routed_via),
	campaignId: orAbsent(source.campaign_id),
	sourceText: orAbsent(source.message),
});

const payloadFields = ({ payload }: KudosityEvent): Fields => {
	switch (payload.kind) {
		case 'status':
			return statusFields(payload.status);
		case 'inbound':
			return inboundFields(payload.inbound, payload.words);
		case 'linkHit': {
			const { url, hits, source_message } = payload.linkHit;
			return { ...sourceFields(source_message), url, hits };
		}
		case 'optOut': {
			const { source, source_message } = payload.optOut;
			return { ...sourceFields(source_message), optOutSource: orAbsent(source) };
		}
	}
};

/** One flat record for an event of any type; absent fields are left out. */
export const simplifyEvent = (event: KudosityEvent): Fields =>
	filled({
		eventType: event.event_type,
		// Keeps its place: the columns stand in this order.
		channel: undefined,
		timestamp: orAbsent(toIsoTimestamp(event.timestamp)),
		...payloadFields(event),
		webhookId: event.webhook_id,
		webhookName: orAbsent(event.webhook_name),
	});
