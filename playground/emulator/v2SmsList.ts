import type { Account } from './account.ts';
import { inboundRecord, outboundRecord, type SmsRecord } from './smsRecord.ts';
import type { State } from './state.ts';
import type { ListQuery } from './v2Body.ts';

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
	records.sort((a, b) => a.created_at.localeCompare(b.created_at));
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
