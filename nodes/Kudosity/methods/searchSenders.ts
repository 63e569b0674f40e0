import { getRcsMessages } from '../api/endpoints/rcs';
import { getRegistrations } from '../api/endpoints/sender';
import { getSmses } from '../api/endpoints/sms';
import { getWhatsappMessages } from '../api/endpoints/whatsapp';
import { textOrNone } from '../api/schemas/common.schema';
import type { Service } from '../api/service';
import { searching } from './searching';

type Records = AsyncIterable<Record<string, unknown>>;

/** As many as one request gives. */
const mostMessages = 100;

/** Nothing tells this API's credential which numbers are leased, and which agents there are, but what was sent. */
const sourcesOf = ({ list }: Service, resource: unknown): Records[] => {
	if (resource === 'rcs') return [list(getRcsMessages, {}, mostMessages)];
	if (resource === 'whatsapp') return [list(getWhatsappMessages, {}, mostMessages)];
	const sent = { direction: 'OUT', order_by: 'CREATED_AT_DESC' };
	return [list(getRegistrations, { status: 'VERIFIED' }), list(getSmses, sent, mostMessages)];
};

const sendersOf = async (records: Records): Promise<string[]> => {
	const senders: string[] = [];
	for await (const { sender } of records) senders.push(textOrNone(sender) ?? '');
	return senders.filter(Boolean);
};

/** Senders that contain the filter: those of the latest messages of the resource, and verified ones for SMS and MMS. */
export const searchSenders = searching(async (service, { wanted, resource }) => {
	const found = await Promise.allSettled(sourcesOf(service, resource).map(sendersOf));
	const known = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
	const [failed] = found.filter((each) => each.status === 'rejected');
	// An account can do without the one or the other.
	if (known.length === 0) throw failed?.reason;
	const senders = [...new Set(known.flat())].filter((each) => each.toLowerCase().includes(wanted));
	return senders.map((sender) => ({ name: sender, value: sender }));
});
