import { randomUUID } from 'node:crypto';
import { messageFrom } from './acceptance.ts';
import type { Account } from './account.ts';
import { charge } from './balance.ts';
import { ownsNumber } from './catalogue.ts';
import { acceptMessage } from './lifecycle.ts';
import { countryOf, isAlphanumericSender, normaliseNumber } from './phoneNumber.ts';
import { plainRefusal, problemRefusal } from './refusal.ts';
import { hasOptedOut, type InboundMessage, type OutboundMessage, type State } from './state.ts';
import { textParts } from './textParts.ts';
import { withFractionDigits } from './timestamps.ts';
import { fillLinks } from './trackedLinks.ts';
import { validate, type Fields, type Validation } from './v2Body.ts';

const MAX_MESSAGE_LENGTH = 5000;
const MAX_REFERENCE_LENGTH = 500;

interface SmsRecord {
	id: string;
	recipient: string;
	sender: string;
	message_ref: string;
	message: string;
	status: string;
	sms_count: string;
	is_gsm: boolean;
	routed_via: string;
	track_links: boolean;
	direction: 'IN' | 'OUT';
	created_at: string;
	updated_at: string;
}

const nineDigits = (iso: string) => withFractionDigits(new Date(iso), 9);

/** Lower-case status, as in the answer to a send and in lists. */
function outboundRecord(state: State, message: OutboundMessage) {
	return {
		id: message.id,
		recipient: message.recipient,
		recipient_country: countryOf(message.recipient),
		sender: message.sender,
		sender_country: countryOf(message.sender),
		message_ref: message.message_ref ?? '',
		message: message.sentText,
		status: message.status.toLowerCase(),
		sms_count: String(message.parts),
		is_gsm: message.isGsm,
		is_sandbox: false,
		routed_via: state.settings.routedVia ?? '',
		track_links: message.track_links,
		direction: 'OUT' as const,
		created_at: nineDigits(message.at),
		updated_at: nineDigits(message.updatedAt),
	};
}

function inboundRecord(state: State, inbound: InboundMessage) {
	const { parts, isGsm } = textParts(inbound.text);
	return {
		id: inbound.id,
		recipient: inbound.recipient,
		recipient_country: countryOf(inbound.recipient),
		sender: inbound.sender,
		sender_country: countryOf(inbound.sender),
		message_ref: '',
		message: inbound.text,
		status: 'delivered',
		sms_count: String(parts),
		is_gsm: isGsm,
		is_sandbox: false,
		routed_via: state.settings.routedVia ?? '',
		track_links: false,
		direction: 'IN' as const,
		created_at: nineDigits(inbound.at),
		updated_at: nineDigits(inbound.at),
	};
}

function readSender(state: State, validation: Validation): string {
	const sender = validation.requiredText('sender');
	const digits = normaliseNumber(sender);
	if (digits && ownsNumber(digits, state.settings.numbersOwned)) return digits;
	if (!digits && isAlphanumericSender(sender)) return sender;
	if (sender) validation.issues.push({ name: 'sender', message: 'Sender not found' });
	return '';
}

function readRecipient(state: State, account: Account, validation: Validation): string {
	const recipient = validation.requiredText('recipient');
	const digits = normaliseNumber(recipient);
	if (recipient && !digits) {
		validation.issues.push({ name: 'recipient', message: 'recipient is invalid' });
	} else if (digits && hasOptedOut(state, account.id, digits)) {
		validation.issues.push({ name: 'recipient', message: 'recipient has opted out' });
	}
	return digits ?? '';
}

export function readMessageRef(fields: Fields, validation: Validation): string | undefined {
	const reference = fields.message_ref;
	if (reference === undefined || reference === null) return undefined;
	if (typeof reference === 'string' && reference.length <= MAX_REFERENCE_LENGTH) return reference;
	const message = `message_ref must be a string of at most ${MAX_REFERENCE_LENGTH} characters`;
	validation.issues.push({ name: 'message_ref', message });
	return undefined;
}

export function sendSms(state: State, account: Account, fields: Fields) {
	const validation = validate(fields);
	const text = validation.requiredText('message');
	if (text.length > MAX_MESSAGE_LENGTH) {
		validation.issues.push({ name: 'message', message: 'message is too long' });
	}
	const sender = readSender(state, validation);
	const recipient = readRecipient(state, account, validation);
	const messageRef = readMessageRef(fields, validation);
	validation.refuseIfAny();

	const id = randomUUID();
	const trackLinks = fields.track_links === true;
	const sentText = fillLinks(state, { messageId: id, text, trackLinks });
	const message = messageFrom({
		id,
		api: 'v2',
		channel: 'SMS',
		accountId: account.id,
		sender,
		recipients: [recipient],
		text,
		sentText,
		messageRef,
		trackLinks,
		status: 'PENDING',
	});
	if (charge(state, account, message.parts) === undefined) {
		throw problemRefusal(400, [{ name: 'account', message: 'Insufficient funds' }]);
	}
	acceptMessage(state, message);
	return outboundRecord(state, message);
}

/** 404 until the read lag has passed; the status of a single record is in upper case. */
export function getSms(state: State, account: Account, id: string) {
	const message = state.messagesById.get(id);
	const isReadable =
		message?.api === 'v2' &&
		message.channel === 'SMS' &&
		message.accountId === account.id &&
		Date.now() - Date.parse(message.at) >= state.settings.readLagMs;
	if (!message || !isReadable) throw plainRefusal(404, 'SMS not found');
	const record = outboundRecord(state, message);
	return { ...record, status: record.status.toUpperCase() };
}

export type ListQuery = Record<string, string | string[] | undefined>;

const plainDigits = (text: string) => text.replace(/^\+/, '');

function isListed(record: SmsRecord, query: ListQuery): boolean {
	const same = (wanted: unknown, actual: string) =>
		wanted === undefined || wanted === '' || plainDigits(String(wanted)) === actual;
	const { status, start_date: start, end_date: end } = query;
	return (
		same(query.recipient, record.recipient) &&
		same(query.sender, record.sender) &&
		same(query.message_ref, record.message_ref) &&
		same(query.direction, record.direction) &&
		(!status || String(status).toLowerCase() === record.status) &&
		(!start || Date.parse(record.created_at) >= Date.parse(String(start))) &&
		(!end || Date.parse(record.created_at) <= Date.parse(String(end)))
	);
}

const positive = (text: unknown, fallback: number) => {
	const value = Number(text);
	return Number.isInteger(value) && value > 0 ? value : fallback;
};

const DEFAULT_LIMIT = 100;
const LARGEST_LIMIT = 1000;

/** Oldest first unless told. Totals are text, and from page 2 on `total_records` is "0" as seen live. */
export function listSms(state: State, account: Account, query: ListQuery) {
	const ofAccount = <Message extends { accountId: string; channel: string }>(message: Message) =>
		message.accountId === account.id && message.channel === 'SMS';
	const records: SmsRecord[] = [
		...state.messages
			.all()
			.filter((message) => ofAccount(message) && message.api === 'v2')
			.map((message) => outboundRecord(state, message)),
		...state.inbound
			.all()
			.filter(ofAccount)
			.map((inbound) => inboundRecord(state, inbound)),
	].filter((record) => isListed(record, query));
	records.sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
	if (query.order_by === 'CREATED_AT_DESC') records.reverse();
	const limit = Math.min(positive(query.limit, DEFAULT_LIMIT), LARGEST_LIMIT);
	const page = positive(query.page, 1);
	const segments = records.reduce((sum, record) => sum + Number(record.sms_count), 0);
	return {
		smses: records.slice((page - 1) * limit, page * limit),
		total_records: page === 1 ? String(records.length) : '0',
		total_segments: page === 1 ? String(segments) : '0',
	};
}
