import { getSmses } from '../api/endpoints/sms';
import type { EventType } from '../api/endpoints/webhook';
import type { Service } from '../api/service';
import { parseEvent } from '../events/parse';
import { plainNumber, simplifyEvent } from '../events/simplify';
import { describeStatus } from '../events/statuses';
import { mapConcurrently } from '../lib/async';
import { isJson, type Json, omitUndefined, toSafeJson } from '../lib/json';
import { dayMs, epochMsOf } from '../lib/time';
import { advance, isDelivered, overlapStart, type Position } from './position';

export type Reader = {
	service: Service;
	/** Whether the poll has to come to its end: what is left is read by the next one. */
	isOver: () => boolean;
	/** The service's time, as of its latest answer. */
	serviceNowMs: () => number;
	/** The account's numbers and names to watch; all of them if there are none. */
	senders: string[];
	simplify: boolean;
};

/** The new position, and the output for it, oldest first. */
export type Found = { position: Position; items: Json[]; key?: string };

/** An execution has all items of a poll. */
const maxItems = 500;
const maxSweepPages = 10;
const lookUpsInFlight = 10;

const timeOf = (ms: number): string => new Date(ms).toISOString();

const msOf = (time: unknown): number => (typeof time === 'string' ? epochMsOf(time) : NaN);

/** The pages of a list, each record once. The reader may stop after any of them, which costs no request. */
async function* pagesOf({ call }: Service, query: Json): AsyncGenerator<Json[]> {
	const { ask, read, maxPageSize } = getSmses.pages;
	let cursor: unknown;
	do {
		const answer = await call(getSmses, { ...query, ...ask(cursor, maxPageSize) });
		const page = read(answer, cursor, maxPageSize);
		yield [...new Map(page.records.map((record) => [record.id ?? record, record])).values()];
		[cursor] = page.next;
	} while (cursor !== undefined);
}

function isWatched(senders: string[], address: unknown): boolean {
	const wanted = plainNumber(String(address)).toLowerCase();
	return senders.length === 0 || senders.some((sender) => sender.toLowerCase() === wanted);
}

/** The record of a list as the event that a webhook would have delivered; as it is if that cannot be told. */
function toOutput(record: Json, event: Json): Json {
	const { value } = toSafeJson(event);
	const parsed = parseEvent(value);
	if (parsed.event) return simplifyEvent(parsed.event);
	return { ...toSafeJson(record).value, parseIssues: parsed.parseIssues };
}

function statusOutput(record: Json): Json {
	const { status, updated_at: updatedAt, created_at: createdAt } = record;
	const event = { event_type: 'SMS_STATUS' satisfies EventType, timestamp: updatedAt ?? createdAt };
	return toOutput(record, { ...event, status: { ...record, type: 'SMS', status } });
}

/** The latest message to the contact, as a webhook would quote it. */
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

/** Without `isReply` and `inReplyTo` if nobody can say which message came before. */
function receivedOutput(record: Json, before?: { message: Json | undefined }): Json {
	const event = { event_type: 'SMS_INBOUND' satisfies EventType, timestamp: record.created_at };
	const mo = { ...record, type: 'SMS', last_message: before?.message };
	const output = toOutput(record, { ...event, mo });
	return before ? output : omitUndefined({ ...output, isReply: undefined });
}

/** @throws the failure of the request */
const lookedUpOutput = async (service: Service, record: Json): Promise<Json> =>
	receivedOutput(record, { message: await lastMessageTo(service, record) });

type Fresh = { key: string; ms: number; record: Json };

const entryOf = ({ key, ms }: Fresh) => [key, ms] as const;

/** The records' output, of as many as there is time to ask for; without asking if there is none. */
async function receivedOutputs({ service, isOver, simplify }: Reader, fresh: Fresh[]) {
	const records = fresh.map(({ record }) => record);
	if (!simplify) return records;
	const look = async (record: Json) => await lookedUpOutput(service, record);
	const outputs = await mapConcurrently(records, look, { maxInFlight: lookUpsInFlight, isOver });
	if (outputs.length === 0) return records.map((record) => receivedOutput(record));
	return outputs.map((output, index) =>
		output.status === 'fulfilled' ? output.value : receivedOutput(records[index]!),
	);
}

/**
 * Messages received since `position`. They are found by their creation, again and again for the length of the overlap.
 * `position` moves on without any, by `sinceReadMs`, the time since the list was last read: with the key of another
 * account, what that received long ago is not new.
 */
export async function readReceived(
	reader: Reader,
	position: Position,
	sinceReadMs: number,
): Promise<Found> {
	const startMs = overlapStart(position);
	const found: Fresh[] = [];
	let seenMs = position.atMs;
	let readMs = startMs;
	let isWhole = true;
	const query = { direction: 'IN', start_date: timeOf(startMs), order_by: 'CREATED_AT_ASC' };
	for await (const page of pagesOf(reader.service, query)) {
		for (const record of page) {
			const { id: key, created_at: createdAt, recipient } = record;
			const createdMs = msOf(createdAt);
			// Without a time of its own it is as old as the one before it.
			const ms = Number.isNaN(createdMs) ? Math.max(startMs, seenMs) : createdMs;
			seenMs = Math.max(seenMs, ms);
			readMs = Math.max(readMs, Math.min(ms, reader.serviceNowMs()));
			const isNew = typeof key === 'string' && ms >= startMs && !isDelivered(position, key);
			if (isNew && isWatched(reader.senders, recipient)) found.push({ key, ms, record });
		}
		isWhole = found.length < maxItems && !reader.isOver();
		if (!isWhole) break;
	}
	if (isWhole) seenMs = Math.max(seenMs, position.atMs + sinceReadMs);
	const fresh = found.sort((one, other) => one.ms - other.ms).slice(0, maxItems);
	const items = await receivedOutputs(reader, fresh);
	const done = fresh.slice(0, items.length);
	const endMs = done.length < found.length ? (done.at(-1)?.ms ?? position.atMs) : seenMs;
	// A date in the future must not hide what comes until then.
	const atMs = Math.max(position.atMs, Math.min(endMs, reader.serviceNowMs()));
	const resumeMs = isWhole || found.length > 0 ? undefined : readMs;
	const next = advance({ ...position, resumeMs }, atMs, done.map(entryOf));
	return { position: next, items, key: done[0]?.key };
}

type Sweep = NonNullable<Position['sweep']>;

/** From the oldest message of any sender (filters change) that can still change, at most `days` before the last sweep. */
const beginSweep = (position: Position, days: number): Sweep => ({
	beganMs: NaN,
	sinceMs: overlapStart(position),
	cursorMs: Math.max(position.atMs - days * dayMs, position.openMs ?? 0),
	edge: [],
	// n8n stores Infinity as null.
	openMs: Number.MAX_SAFE_INTEGER,
});

function passOver(sweep: Sweep, key: string, ms: number): Sweep {
	if (ms > sweep.cursorMs) return { ...sweep, cursorMs: ms, edge: [key] };
	return ms === sweep.cursorMs ? { ...sweep, edge: [...sweep.edge, key] } : sweep;
}

function finishSweep(position: Position, { beganMs, openMs }: Sweep, delivered: Fresh[]) {
	const next = advance({ ...position, sweep: undefined }, beganMs, delivered.map(entryOf));
	// What is listed late is younger than the overlap.
	return { ...next, openMs: Math.min(openMs, overlapStart({ ...next, fromMs: 0 })) };
}

/** The service lists messages by creation, so that every message that can still change is read, ten pages at a time. */
export async function readStatuses(
	reader: Reader,
	position: Position,
	days: number,
): Promise<Found> {
	let sweep = position.sweep ?? beginSweep(position, days);
	const found: Fresh[] = [];
	let pages = 0;
	let isWhole = true;
	const start_date = timeOf(sweep.cursorMs);
	const query = { direction: 'OUT', start_date, order_by: 'CREATED_AT_ASC' };
	reading: for await (const page of pagesOf(reader.service, query)) {
		if (Number.isNaN(sweep.beganMs)) sweep = { ...sweep, beganMs: reader.serviceNowMs() };
		const known = new Set(sweep.edge);
		const before = sweep;
		for (const record of page) {
			const { id, created_at: createdAt, updated_at: updatedAt, sender, status } = record;
			const createdMs = msOf(createdAt);
			if (typeof id !== 'string' || known.has(id) || Number.isNaN(createdMs)) continue;
			if (found.length >= maxItems) {
				isWhole = false;
				break reading;
			}
			sweep = passOver(sweep, id, createdMs);
			const { status: name, isFinal, rank } = describeStatus(String(status));
			if (!isFinal) sweep = { ...sweep, openMs: Math.min(sweep.openMs, createdMs) };
			if (!isWatched(reader.senders, sender)) continue;
			const changedMs = msOf(updatedAt);
			const ms = Number.isNaN(changedMs) ? createdMs : changedMs;
			const key = `${id}:${name}`;
			// Rank 0 is a message that waits to be sent, as it did from the first.
			const isNew = rank !== 0 && ms >= sweep.sinceMs && !isDelivered(position, key);
			if (isNew) found.push({ key, ms, record });
		}
		// A page that an earlier poll has read, all of one moment, leads no farther.
		if (sweep !== before) pages += 1;
		isWhole = pages < maxSweepPages && !reader.isOver();
		if (!isWhole) break;
	}
	const items = found.map(({ record }) => (reader.simplify ? statusOutput(record) : record));
	const next = isWhole
		? finishSweep(position, sweep, found)
		: { ...advance(position, position.atMs, found.map(entryOf)), sweep };
	return { position: next, items, key: found[0]?.key };
}

export async function readNewest(reader: Reader, event: EventType): Promise<Json | undefined> {
	const { service, senders, simplify } = reader;
	const isReceived = event === 'SMS_INBOUND';
	const direction = isReceived ? 'IN' : 'OUT';
	const query = { direction, order_by: 'CREATED_AT_DESC', page: 1, limit: 100 };
	const newest = (await service.call(getSmses, query)).find(
		(record) => isJson(record) && isWatched(senders, isReceived ? record.recipient : record.sender),
	);
	if (!newest || !simplify) return newest;
	if (!isReceived) return statusOutput(newest);
	return await lookedUpOutput(service, newest).catch(() => receivedOutput(newest));
}
