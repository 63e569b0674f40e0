import type { Json } from '../lib/json';
import { advance, type Cursor, type Entry, isFresh, readFrom } from './cursor';
import { type Found, isWatched, maxItems, pagesOf, receivedOutputs, timeOf } from './records';
import type { Reader } from './reader';

/** Finds received messages by their creation. */
export async function readReceived(reader: Reader, cursor: Cursor): Promise<Found> {
	// A map, because a message that is listed late moves others to a later page, where they are read again.
	const found = new Map<string, Entry & { record: Json }>();
	let isWhole = true;
	let readMs = cursor.sinceMs;
	let beganMs: number | undefined;
	for await (const page of pagesOf(reader, { direction: 'IN', fromMs: readFrom(cursor) })) {
		beganMs ??= reader.serviceNowMs();
		for (const record of page) {
			const createdMs = timeOf(record.created_at);
			// A record without a valid time counts as old as the record before it.
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
	// The cursor never passes Kudosity's clock: a message dated in the future must not hide what arrives until then.
	const sinceMs = Math.min(endMs, beganMs ?? cursor.sinceMs);
	return { cursor: advance(cursor, sinceMs, delivered), items };
}
