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

/** The items that a poll delivers for an event, and the cursor from which the next poll continues. */
export type Found = { cursor: Cursor; items: Json[] };

/** Maximum number of items per event and poll, because a single execution gets all of a poll's items. */
export const maxItems = 500;

const lookUpsInFlight = 10;

export function timeOf(value: unknown): number {
	return typeof value === 'string' ? epochMsOf(value) : NaN;
}

/**
 * Yields the pages of Kudosity's list of messages, oldest first. Each page is only requested when the caller asks for
 * it, so stopping early saves requests.
 */
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

/**
 * Returns the output for an event. If the event can't be parsed, returns the record as Kudosity lists it, with the
 * issues.
 */
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

/** Looks up the last message to the contact before the received one. A webhook event would include it. */
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

/**
 * Builds the output for a received message. `before` is the result of looking up the previous message. If there was no
 * time for the lookup, or it failed, `before` is undefined, and `isReply` and `inReplyTo` are left out.
 */
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

/**
 * Returns the outputs for received messages. Each message needs a lookup of the message that we sent before it.
 * Messages that can't be looked up in time are left for the next poll. If there isn't time for even one lookup, all
 * outputs are returned without that data.
 */
export async function receivedOutputs(reader: Reader, records: Json[]): Promise<Json[]> {
	if (!reader.simplify) return records;
	const look = async (record: Json) => await lookedUpOutput(reader, record);
	const options = { maxInFlight: lookUpsInFlight, isOver: reader.isOver };
	const results = await mapConcurrently(records, look, options);
	if (results.length === 0) return records.map((record) => receivedOutput(record));
	return results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

/** Returns the output for an event's newest message, for a test run. The array is empty if no message is found. */
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
