import { getSmses } from '../api/endpoints/sms';
import type { EventType } from '../api/endpoints/webhook';
import type { Service } from '../api/service';
import { parseEvent } from '../events/parse';
import { plainNumber, simplifyEvent } from '../events/simplify';
import { mapConcurrently } from '../lib/async';
import { isJson, type Json, omitUndefined, toSafeJson } from '../lib/json';
import { epochMsOf } from '../lib/time';
import type { Cursor } from './cursor';
import type { Reader } from './reader';

/** Items that a poll delivers for an event, and the cursor that the next poll continues from. */
export type Found = { cursor: Cursor; items: Json[] };

/** Limit of items for an event in a poll, because one execution gets all items of a poll. */
export const maxItems = 500;

const lookUpsInFlight = 10;

export function timeOf(value: unknown): number {
	return typeof value === 'string' ? epochMsOf(value) : NaN;
}

/** The pages of Kudosity's list, oldest first. The caller may stop after any page, which saves the requests for the rest. */
export async function* pagesOf(
	{ service: { call } }: Reader,
	{ direction, fromMs }: { direction: 'IN' | 'OUT'; fromMs: number },
): AsyncGenerator<Json[]> {
	const { ask, read, maxPageSize } = getSmses.pages;
	const start_date = new Date(fromMs).toISOString();
	const query = { direction, start_date, order_by: 'CREATED_AT_ASC' };
	let place: unknown;
	do {
		const answer = await call(getSmses, { ...query, ...ask(place, maxPageSize) });
		const page = read(answer, place, maxPageSize);
		yield page.records;
		[place] = page.next;
	} while (place !== undefined);
}

export function isWatched({ senders }: Reader, address: unknown): boolean {
	const wanted = plainNumber(String(address)).toLowerCase();
	return senders.length === 0 || senders.some((sender) => sender.toLowerCase() === wanted);
}

/** The output for an event, or the record as Kudosity lists it if it is no event that we know. */
function toOutput(record: Json, event: Json): Json {
	const { value } = toSafeJson(event);
	const parsed = parseEvent(value);
	if (parsed.event) return simplifyEvent(parsed.event);
	return { ...toSafeJson(record).value, parseIssues: parsed.parseIssues };
}

export function statusOutput({ simplify }: Reader, record: Json): Json {
	if (!simplify) return record;
	const { status, updated_at: updatedAt, created_at: createdAt } = record;
	const event = { event_type: 'SMS_STATUS' satisfies EventType, timestamp: updatedAt ?? createdAt };
	return toOutput(record, { ...event, status: { ...record, type: 'SMS', status } });
}

/** Looks up the latest message to the contact, which a webhook would quote. */
async function lastMessageTo({ call }: Service, received: Json): Promise<Json | undefined> {
	const answer = await call(getSmses, {
		direction: 'OUT',
		recipient: received.sender,
		sender: received.recipient,
		end_date: received.created_at,
		order_by: 'CREATED_AT_DESC',
		limit: 1,
	});
	return answer.find(isJson);
}

/** @param before absent if it could not be looked up: then `isReply` and `inReplyTo` are absent, too */
function receivedOutput(record: Json, before?: { message: Json | undefined }): Json {
	const event = { event_type: 'SMS_INBOUND' satisfies EventType, timestamp: record.created_at };
	const mo = { ...record, type: 'SMS', last_message: before?.message };
	const output = toOutput(record, { ...event, mo });
	return before ? output : omitUndefined({ ...output, isReply: undefined });
}

async function lookedUpOutput({ service }: Reader, record: Json): Promise<Json> {
	const before = lastMessageTo(service, record).then((message) => ({ message }));
	return receivedOutput(record, await before.catch(() => undefined));
}

/** The output of as many records as there is time to look up, or of all, not looked up, if there is no time at all. */
export async function receivedOutputs(reader: Reader, records: Json[]): Promise<Json[]> {
	if (!reader.simplify) return records;
	const look = async (record: Json) => await lookedUpOutput(reader, record);
	const options = { maxInFlight: lookUpsInFlight, isOver: reader.isOver };
	const results = await mapConcurrently(records, look, options);
	if (results.length === 0) return records.map((record) => receivedOutput(record));
	return results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

/** The newest message of an event, if there is one, for a test run. */
export async function newestOutput(reader: Reader, event: EventType): Promise<Json[]> {
	const isReceived = event === 'SMS_INBOUND';
	const direction = isReceived ? 'IN' : 'OUT';
	const query = { direction, order_by: 'CREATED_AT_DESC', page: 1, limit: 100 };
	const newest = (await reader.service.call(getSmses, query)).find(
		(record) => isJson(record) && isWatched(reader, isReceived ? record.recipient : record.sender),
	);
	if (!newest) return [];
	return isReceived ? await receivedOutputs(reader, [newest]) : [statusOutput(reader, newest)];
}
