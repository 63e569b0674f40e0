import { deliveryStatus } from '../events/callbacks.ts';
import { v1FieldRefusal, v1Refusal } from '../http/refusal.ts';
import { debit, findLinks } from '../messages/messages.ts';
import { type InboundMessage, type Keyword, type OutboundMessage, statusFor } from '../model.ts';
import type { State } from '../state.ts';
import { v1DateTime } from '../timestamps.ts';
import {
	readRange,
	requiredInteger,
	requiredMobile,
	type V1Call,
	v1Page,
	type V1Route,
} from './dialect.ts';
import { findKeyword } from './keywords.ts';
import { sendSms } from './sendBulkSms.ts';

const repliesTo = (state: State, { id }: OutboundMessage): InboundMessage[] =>
	state.inbound
		.all()
		.filter(({ repliesTo: answered, channel }) => answered === id && channel === 'SMS');

/** Number of recipients by outcome. */
export function countOutcomes(state: State, message: OutboundMessage) {
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
		linkHits: findLinks(state, message.id)
			.filter(({ kind }) => kind === 'click')
			.reduce((sum, { hits }) => sum + hits, 0),
	};
}

const deliveryStats = (state: State, message: OutboundMessage) => {
	const { delivered, pending, softBounced, hardBounced, responses, optouts } = countOutcomes(
		state,
		message,
	);
	return { delivered, pending, bounced: softBounced + hardBounced, responses, optouts };
};

const messageRecord = (state: State, message: OutboundMessage) => ({
	message_id: message.number,
	send_at: v1DateTime(new Date(message.sendAt)),
	recipients: message.recipients.length,
	cost: message.cost,
	sms: message.parts * message.recipients.length,
	delivery_stats: deliveryStats(state, message),
});

interface ReplyStyle {
	original: boolean;
}

/** A reply in v1 format. Names are null if the contact is in no list. */
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

/** A message of the account. Reports also include messages sent by v2. */
function findMessage({ state, account, fields }: V1Call, field = 'message_id'): OutboundMessage {
	const number = requiredInteger(fields, field);
	const message =
		state.messagesById.get(String(number)) ??
		state.messages.all().find((one) => one.number === number && one.channel === 'SMS');
	if (message?.accountId === account.id) return message;
	throw v1FieldRefusal('NOT_FOUND', 'Message with this ID does not exist');
}

function cancelSms(call: V1Call) {
	const message = findMessage(call, 'id');
	const isSent = Date.parse(message.sendAt) <= Date.now() || message.status !== 'PENDING';
	if (isSent) throw v1Refusal(400, 'ALREADY_SENT');
	message.status = 'CANCELLED';
	debit(call.state, call.account.id, -message.cost);
	call.state.changes.notify();
	return { success: 'OK' };
}

function getSms(call: V1Call) {
	const message = findMessage(call);
	const { delivery_stats, ...record } = messageRecord(call.state, message);
	const list = message.listId === undefined ? undefined : call.state.lists.get(message.listId);
	return {
		...record,
		message: message.text,
		...(list && { list: { id: list.id, name: list.name } }),
		delivery_stats,
	};
}

/** The service itself mixes key styles. */
function getStats(call: V1Call) {
	const message = findMessage(call);
	const counts = countOutcomes(call.state, message);
	return {
		stats: {
			hard_bounced: counts.hardBounced,
			soft_bounced: counts.softBounced,
			total: message.recipients.length,
			recipientCount: message.recipients.length,
			delivered: counts.delivered,
			pending: counts.pending,
			bounced: counts.hardBounced + counts.softBounced,
			responses: counts.responses,
			'opt-outs': counts.optouts,
			link_hits: counts.linkHits,
		},
	};
}

function getSent(call: V1Call) {
	const { state, fields } = call;
	const message = findMessage(call);
	const list = state.lists.get(Number(fields.list_id || message.listId));
	const optedOut = new Set(message.optedOut);
	const isWanted = (recipient: string) => {
		const status = deliveryStatus(statusFor(message, recipient));
		const group = status.endsWith('bounce') ? 'failed' : status;
		if (fields.delivery && fields.delivery !== group) return false;
		if (/^(?:true|only)$/.test(fields.optouts ?? '')) return optedOut.has(recipient);
		return !/^(?:false|omit)$/.test(fields.optouts ?? '') || !optedOut.has(recipient);
	};
	const rows = message.recipients.filter(isWanted);
	const page = v1Page(call, { key: 'recipients', total: 'total', rows }, (msisdn) => ({
		msisdn,
		first_name: list?.members.get(msisdn)?.first_name ?? null,
		last_name: list?.members.get(msisdn)?.last_name ?? null,
		delivery_status: deliveryStatus(statusFor(message, msisdn)),
		optout: optedOut.has(msisdn),
	}));
	return { ...page, message: messageRecord(state, message) };
}

function getDelivery(call: V1Call) {
	const message = findMessage(call);
	const mobile = requiredMobile(call.fields);
	if (!message.recipients.includes(mobile)) {
		throw v1FieldRefusal('NOT_FOUND', 'This message was not sent to this number');
	}
	return {
		stats: {
			message_id: message.number,
			sender_id: message.sender,
			mobile,
			send_at: v1DateTime(new Date(message.sendAt)),
			datetime: v1DateTime(new Date(message.updatedAt)),
			status: deliveryStatus(statusFor(message, mobile)),
			message: message.sentText,
		},
	};
}

/** Whether a text to a number begins with a keyword. */
const usesKeyword = ({ keyword, number }: Keyword, inbound: { text: string; recipient: string }) =>
	inbound.recipient === number && inbound.text.trim().split(/\W/, 1)[0]?.toUpperCase() === keyword;

/** The requested replies: those to a message, or those that use a keyword. */
function replyFilter(call: V1Call) {
	const { state, fields } = call;
	if (fields.message_id) {
		const { id } = findMessage(call);
		return ({ repliesTo }: { repliesTo: string | null }) => repliesTo === id;
	}
	if (!fields.keyword_id && !fields.keyword) {
		const description = "You must provide either 'message_id', 'keyword_id' or 'keyword'";
		throw v1FieldRefusal('FIELD_INVALID', description);
	}
	if (!fields.keyword_id && !fields.number) {
		throw v1FieldRefusal('FIELD_INVALID', "If you provide 'keyword', you must provide 'number'");
	}
	const keywordId = fields.keyword_id ? requiredInteger(fields, 'keyword_id') : undefined;
	const keyword =
		keywordId === undefined ? findKeyword(call) : state.keywords.find(({ id }) => id === keywordId);
	if (!keyword) throw v1FieldRefusal('NOT_FOUND', 'Keyword does not exist');
	return (inbound: { text: string; recipient: string }) => usesKeyword(keyword, inbound);
}

function getResponses(call: V1Call) {
	const { state, account, fields } = call;
	const isAsked = replyFilter(call);
	const isInRange = readRange(fields, { defaultDays: 30, maxDays: 366 });
	const msisdn = fields.msisdn && requiredMobile(fields);
	const rows = state.inbound
		.all()
		.filter(
			(inbound) =>
				inbound.accountId === account.id &&
				inbound.channel === 'SMS' &&
				isAsked(inbound) &&
				isInRange(inbound.at) &&
				(!msisdn || inbound.sender === msisdn),
		);
	const original = /^(?:true|1|yes)$/i.test(fields.include_original ?? '');
	return v1Page(call, { key: 'responses', total: 'total', rows }, (inbound) =>
		replyRecord(state, inbound, { original }),
	);
}

export const bulkSmsRoutes: V1Route[] = [
	{ method: 'POST', path: '/send-sms.json', run: sendSms },
	{ method: 'POST', path: '/cancel-sms.json', run: cancelSms },
	{ method: 'POST', path: '/get-sms.json', run: getSms },
	{ method: 'POST', path: '/get-sms-stats.json', run: getStats },
	{ method: 'POST', path: '/get-sms-sent.json', run: getSent },
	{ method: 'POST', path: '/get-sms-delivery-status.json', run: getDelivery },
	{ method: 'POST', path: '/get-sms-responses.json', run: getResponses },
];
