import { numberedPage } from '../../http/collection.ts';
import type { Query } from '../../http/routes.ts';
import type { V2Call } from '../dialect.ts';
import { readability, smsRecord, type Sms } from './record.ts';

const plainDigits = (text: string) => text.replace(/^\+/, '');

/** The filters that a message must equal, except for the case of letters. */
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

/** What the query leaves empty does not matter. Times are compared as text: there are many. */
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

/** Oldest first unless told. Totals are text, and from page 2 on `total_records` is "0" as seen live. */
export function listSms({ state, account, query, fault }: V2Call) {
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
	const size = { asked: query.limit, usual: 100, largest: 1000 };
	const page = numberedPage({ rows: found, page: query.page, size, fault });
	const segments = found.reduce((sum, { parts }) => sum + parts, 0);
	return {
		smses: page.rows.map((sms) => smsRecord(state, sms)),
		total_records: page.number === 1 ? String(found.length) : '0',
		total_segments: page.number === 1 ? String(segments) : '0',
	};
}
