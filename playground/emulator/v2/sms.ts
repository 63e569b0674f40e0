import { numberedPage } from '../http/paging.ts';
import { plainRefusal, problemRefusal } from '../http/refusal.ts';
import type { Query } from '../http/routes.ts';
import { submit } from '../messages/messages.ts';
import { countryFromNumber } from '../messages/phoneNumber.ts';
import type { InboundMessage, OutboundMessage } from '../model.ts';
import type { State } from '../state.ts';
import { withFractionDigits } from '../timestamps.ts';
import {
	insufficientFunds,
	readMessageRef,
	readRecipient,
	readSender,
	type V2Call,
	type V2Route,
	validate,
} from './dialect.ts';

type Sms = OutboundMessage | InboundMessage;

const nineDigits = (iso: string) => withFractionDigits(new Date(iso), 9);

/** In the live service, a message cannot be read for some time after the send. */
function readability({ settings }: State): (sms: Sms) => boolean {
	if (settings.readLagMs === 0) return () => true;
	const newest = new Date(Date.now() - settings.readLagMs).toISOString();
	return ({ at, direction }) => direction === 'IN' || at <= newest;
}

/** Status in lower case, as in send answers and lists. */
function smsRecord({ settings }: State, sms: Sms) {
	const sent = sms.direction === 'OUT' ? sms : undefined;
	return {
		id: sms.id,
		recipient: sms.recipient,
		recipient_country: countryFromNumber(sms.recipient),
		sender: sms.sender,
		sender_country: countryFromNumber(sms.sender),
		message_ref: sent?.message_ref ?? '',
		message: sent?.sentText ?? sms.text,
		status: sms.status.toLowerCase(),
		sms_count: String(sms.parts),
		is_gsm: sms.isGsm,
		is_sandbox: false,
		routed_via: settings.routedVia ?? '',
		track_links: sent?.track_links ?? false,
		direction: sms.direction,
		created_at: nineDigits(sms.at),
		updated_at: nineDigits(sent?.updatedAt ?? sms.at),
	};
}

const MAX_MESSAGE_LENGTH = 5000;

function sendSms(call: V2Call) {
	const { state, account, fields } = call;
	const validation = validate(fields);
	const text = validation.requiredText('message');
	if (text.length > MAX_MESSAGE_LENGTH) {
		validation.issues.push({ name: 'message', message: 'message is too long' });
	}
	const sender = readSender(call, validation);
	const recipient = readRecipient(call, validation);
	const message_ref = readMessageRef(fields, validation);
	validation.refuseIfAny();
	const message = submit(state, {
		api: 'v2',
		channel: 'SMS',
		accountId: account.id,
		sender,
		recipients: [recipient],
		text,
		trackLinks: fields.track_links === true,
		extras: message_ref === undefined ? {} : { message_ref },
	});
	if (!message) throw problemRefusal(400, insufficientFunds);
	return smsRecord(state, message);
}

/** A single record has its status in upper case. */
function getSms({ state, account, params }: V2Call) {
	const message = state.messagesById.get(params.id!);
	const isFound =
		message?.api === 'v2' &&
		message.channel === 'SMS' &&
		message.accountId === account.id &&
		readability(state)(message);
	if (!message || !isFound) throw plainRefusal(404, 'SMS not found');
	const record = smsRecord(state, message);
	return { ...record, status: record.status.toUpperCase() };
}

const plainDigits = (text: string) => text.replace(/^\+/, '');

/** Filters by equality, ignoring case. */
const filters: Record<string, (sms: Sms) => string | undefined> = {
	message_ref: (sms) => (sms.direction === 'OUT' ? sms.message_ref : undefined),
	recipient: (sms) => sms.recipient,
	sender: (sms) => sms.sender,
	direction: (sms) => sms.direction,
	status: (sms) => sms.status,
};

const toIso = (text: string) => {
	const at = new Date(text);
	return Number.isNaN(at.getTime()) ? text : at.toISOString();
};

/** Empty filters match everything. Times are compared as text for speed. */
function smsFilter(query: Query): (sms: Sms) => boolean {
	const wanted = Object.entries(filters).flatMap(([name, valueOf]) =>
		query[name] ? [{ valueOf, value: plainDigits(query[name]).toUpperCase() }] : [],
	);
	const from = query.start_date && toIso(query.start_date);
	const to = query.end_date && toIso(query.end_date);
	return (sms) =>
		wanted.every(({ valueOf, value }) => valueOf(sms)?.toUpperCase() === value) &&
		(!from || sms.at >= from) &&
		(!to || sms.at <= to);
}

/** Oldest first by default. Totals are text, and from page 2 on `total_records` is "0" as seen live. */
function listSms({ state, account, query, fault }: V2Call) {
	const isWanted = smsFilter(query);
	const isReadable = readability(state);
	const isShown = (sms: Sms) =>
		sms.accountId === account.id &&
		sms.channel === 'SMS' &&
		sms.api === 'v2' &&
		isReadable(sms) &&
		isWanted(sms);
	const found = [...state.messages.all().filter(isShown), ...state.inbound.all().filter(isShown)];
	found.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1));
	if (query.order_by === 'CREATED_AT_DESC') found.reverse();
	const size = { requested: query.limit, default: 100, max: 1000 };
	const page = numberedPage({ rows: found, page: query.page, size, fault });
	const segments = found.reduce((sum, { parts }) => sum + parts, 0);
	return {
		smses: page.rows.map((sms) => smsRecord(state, sms)),
		total_records: page.number === 1 ? String(found.length) : '0',
		total_segments: page.number === 1 ? String(segments) : '0',
	};
}

export const smsRoutes: V2Route[] = [
	{ method: 'POST', path: '/v2/sms', run: sendSms },
	{ method: 'GET', path: '/v2/sms', run: listSms },
	{ method: 'GET', path: '/v2/sms/{id}', run: getSms },
];
