import { deliveryStatus } from '../events/callbacks.ts';
import { v1FieldRefusal } from '../http/refusal.ts';
import { type OutboundMessage, statusFor } from '../model.ts';
import { v1DateTime } from '../timestamps.ts';
import { countOutcomes, replyRecord } from './bulkSms.ts';
import {
	readRange,
	required,
	requiredMobile,
	type V1Call,
	v1Page,
	type V1Route,
} from './dialect.ts';
import { formatPairs } from './lists.ts';

const EVER_DAYS = 36_500;

const sentAt = (message: OutboundMessage) => v1DateTime(new Date(message.sendAt));

/** SMS of both APIs, because they share reports. */
const findSms = ({ state, account }: V1Call, isInRange: (iso: string) => boolean) =>
	state.messages
		.all()
		.filter(
			({ accountId, channel, sendAt }) =>
				accountId === account.id && channel === 'SMS' && isInRange(sendAt),
		);

const perRecipient = (messages: OutboundMessage[]) =>
	messages.flatMap((message) =>
		message.recipients.map((msisdn, index) => ({ index, message, msisdn })),
	);

const getStatus = ({ message, msisdn }: { message: OutboundMessage; msisdn: string }) =>
	deliveryStatus(statusFor(message, msisdn));

function getSentCount(call: V1Call) {
	const messages = findSms(call, readRange(call.fields, { defaultDays: 1, maxDays: 7 }));
	return { count: messages.reduce((sum, { recipients }) => sum + recipients.length, 0) };
}

function getUserSent(call: V1Call) {
	const { fields } = call;
	for (const name of ['start', 'end']) required(fields, name);
	const msisdn = fields.msisdn && requiredMobile(fields);
	const isInRange = readRange(fields, { defaultDays: 1 });
	const rows = perRecipient(findSms(call, isInRange)).filter(
		(row) => !msisdn || row.msisdn === msisdn,
	);
	return v1Page(call, { key: 'messages', total: 'total', rows }, (row) => ({
		id: row.message.number * 1000 + row.index,
		message_id: row.message.number,
		message: row.message.sentText,
		sent_at: sentAt(row.message),
		msisdn: row.msisdn,
		caller_id: row.message.sender,
		status: getStatus(row),
	}));
}

const sortFields = ['delivery_status', 'message_id', 'datetime_send'] as const;
const orders = ['asc', 'desc'];

/** Sorts records by the requested field. Default: in the order sent. */
function sorted<Row extends Record<string, unknown>>({ fields }: V1Call, rows: Row[]): Row[] {
	const { sort_field: field = 'datetime_send', order = 'asc' } = fields;
	if (!sortFields.some((one) => one === field) || !orders.includes(order)) {
		throw v1FieldRefusal('FIELD_INVALID', "Field 'sort_field' or 'order' is invalid");
	}
	const inOrder = rows.toSorted((a, b) =>
		String(a[field]).localeCompare(String(b[field]), 'en', { numeric: true }),
	);
	return order === 'desc' ? inOrder.reverse() : inOrder;
}

function getContactStats(call: V1Call) {
	const mobile = requiredMobile(call.fields, 'mobile');
	const isInRange = readRange(call.fields, { defaultDays: EVER_DAYS });
	const records = perRecipient(findSms(call, isInRange))
		.filter(({ msisdn }) => msisdn === mobile)
		.map((row) => ({
			message_id: row.message.number,
			datetime_send: sentAt(row.message),
			delivery_status: getStatus(row),
		}));
	return v1Page(call, { key: 'records', total: 'total', rows: sorted(call, records) });
}

function getUserResponses(call: V1Call) {
	const { state, account, fields } = call;
	const mobile = requiredMobile(fields, 'mobile');
	const isInRange = readRange(fields, { defaultDays: EVER_DAYS });
	const rows = state.inbound
		.all()
		.filter(
			({ accountId, channel, sender, at }) =>
				accountId === account.id && channel === 'SMS' && sender === mobile && isInRange(at),
		);
	if (fields.order === 'desc') rows.reverse();
	return v1Page(call, { key: 'responses', total: 'total', rows }, (inbound) =>
		replyRecord(state, inbound, { original: false }),
	);
}

const types = ['all', 'api', 'campaign', 'quick_sms', 'email_sms', 'keyword', 'test_sms'];

const getType = ({ listId }: OutboundMessage) => (listId === undefined ? 'api' : 'campaign');

function reportStatus({ status, sendAt }: OutboundMessage): string {
	if (status === 'CANCELLED') return 'cancelled';
	return Date.parse(sendAt) > Date.now() ? 'scheduled' : 'completed';
}

/** A message to a single number includes the contact. */
function describeContact(call: V1Call, { recipients, listId }: OutboundMessage) {
	const [msisdn = ''] = recipients;
	if (recipients.length !== 1) return {};
	const list = call.state.lists.get(Number(call.fields.list_id || listId));
	const member = list?.members.get(msisdn);
	if (!list || !member) return { msisdn };
	const { first_name, last_name, values } = member;
	const named = Object.entries(list.fields).map(([slot, name]) => [name, values[slot] ?? '']);
	const fields = formatPairs(Object.fromEntries(named), call.fields.response_style);
	return { msisdn, first_name, last_name, ...(named.length > 0 && { fields }) };
}

function reportRecord(call: V1Call, message: OutboundMessage) {
	const counts = countOutcomes(call.state, message);
	return {
		type: getType(message),
		id: message.number,
		sms: message.parts * message.recipients.length,
		cost: -message.cost,
		sent_at: sentAt(message),
		status: reportStatus(message),
		message: message.sentText,
		pending: counts.pending,
		delivered: counts.delivered,
		soft_bounced: counts.softBounced,
		hard_bounced: counts.hardBounced,
		optouts: counts.optouts,
		responses: counts.responses,
		...describeContact(call, message),
	};
}

function getMessageReport(call: V1Call) {
	const { number, type = 'all' } = call.fields;
	if (!types.includes(type)) throw v1FieldRefusal('FIELD_INVALID', "Field 'type' is invalid");
	const rows = findSms(call, readRange(call.fields, { defaultDays: 1, maxDays: 30 })).filter(
		(message) =>
			(!number || message.sender === number.replace(/^\+/, '')) &&
			(type === 'all' || getType(message) === type),
	);
	const sms = rows.reduce((sum, { parts, recipients }) => sum + parts * recipients.length, 0);
	const list = { key: 'messages', total: 'messages_total', rows };
	return { sms_total: sms, ...v1Page(call, list, (message) => reportRecord(call, message)) };
}

export const reportRoutes: V1Route[] = [
	{ method: 'POST', path: '/get-message-report.json', run: getMessageReport },
	{ method: 'POST', path: '/get-user-sms-sent.json', run: getUserSent },
	{ method: 'POST', path: '/get-sms-sent-count.json', run: getSentCount },
	{ method: 'GET', path: '/get-user-sms-responses.json', run: getUserResponses },
	{ method: 'GET', path: '/get-contact-sms-stats.json', run: getContactStats },
];
