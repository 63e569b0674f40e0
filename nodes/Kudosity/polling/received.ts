import type { Json } from '../lib/json';
import { advance, type Cursor, type Entry, isFresh, readFrom } from './cursor';
import { type Found, isWatched, maxItems, pagesOf, receivedOutputs, timeOf } from './records';
import type { Reader } from './reader';

/**
 * Reads the messages that were received since the cursor, as far as there is time. Kudosity lists them by creation
 * time.
 */
export async function readReceived(reader: Reader, cursor: Cursor): Promise<Found> {
	// Keyed by message ID, because a message that is listed late shifts others to a later page, where they are read
	// again.
	const found = new Map<string, Entry & { record: Json }>();
	let isWhole = true;
	let readMs = cursor.sinceMs;
	let beganMs: number | undefined;
	for await (const page of pagesOf(reader, { direction: 'IN', fromMs: readFrom(cursor) })) {
		beganMs ??= reader.serviceNowMs();
		for (const record of page) {
			const createdMs = timeOf(record.created_at);
			// A record without a valid time gets the latest time that has been read so far.
			const entry = { key: String(record.id), ms: Number.isNaN(createdMs) ? readMs : createdMs };
			readMs = Math.max(readMs, entry.ms);
			const isNew = typeof record.id === 'string' && isFresh(cursor, entry);
			if (isNew && isWatched(reader, record.recipient)) found.set(entry.key, { ...entry, record });
		}
		isWhole = found.size < maxItems && !reader.isOver();
		if (!isWhole) break;
	}
	const oldestFirst = [...found.values()].sort((one, other) => one.ms - other.ms);
	const records = oldestFirst.slice(0, maxItems).map(({ record }) => record);
	const items = await receivedOutputs(reader, records);
	const delivered = oldestFirst.slice(0, items.length);
	const lastMs = delivered.at(-1)?.ms ?? cursor.sinceMs;
	const isRestLeft = delivered.length < oldestFirst.length;
	const endMs = isRestLeft ? lastMs : isWhole ? Infinity : readMs;
	// The cursor never moves past Kudosity's clock. Otherwise, a message dated in the future would hide all messages
	// until then.
	const sinceMs = Math.min(endMs, beganMs ?? cursor.sinceMs);
	return { cursor: advance(cursor, sinceMs, delivered), items };
}
