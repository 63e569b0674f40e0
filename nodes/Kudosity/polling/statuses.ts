import { describeStatus } from '../events/statuses';
import type { Json } from '../lib/json';
import { dayMs } from '../lib/time';
import { advance, type Cursor, type Entry, isFresh, overlapMs } from './cursor';
import { type Found, isWatched, maxItems, pagesOf, statusOutput, timeOf } from './records';
import type { Reader } from './reader';

/** A reading of all messages whose status can still change, which did not end within a poll. */
export type Unfinished = {
	/** The creation of the last message that was read. */
	fromMs: number;
	/** When the reading began, by Kudosity's clock. */
	beganMs: number;
	/** The creation of the oldest message whose status can still change, of those that were read. */
	openMs: number;
};

/**
 * Finds statuses by the time of their change. Kudosity lists messages by their creation only, so this reads all messages
 * whose status can still change. The cursor moves on once all of them were read.
 */
export async function readStatuses(
	reader: Reader,
	cursor: Cursor,
	unfinished?: Unfinished,
): Promise<Found & { unfinished?: Unfinished }> {
	const found = new Map<string, Entry & { record: Json }>();
	let isWhole = true;
	let { beganMs, openMs = Infinity } = unfinished ?? {};
	const oldestMs = Math.max(cursor.sinceMs - reader.statusDays * dayMs, cursor.openMs ?? 0);
	let fromMs = unfinished?.fromMs ?? oldestMs;
	reading: for await (const page of pagesOf(reader, { direction: 'OUT', fromMs })) {
		beganMs ??= reader.serviceNowMs();
		for (const record of page) {
			const createdMs = timeOf(record.created_at);
			const changedMs = timeOf(record.updated_at);
			const { status, isFinal, rank } = describeStatus(String(record.status));
			const ms = Number.isNaN(changedMs) ? createdMs : changedMs;
			const entry = { key: `${String(record.id)}:${status}`, ms };
			// Rank 0 is the status of a message that waits to be sent, which is how every message begins.
			const isNew = typeof record.id === 'string' && rank !== 0 && isFresh(cursor, entry);
			const isWanted = isNew && isWatched(reader, record.sender);
			if (isWanted && found.size >= maxItems) {
				isWhole = false;
				break reading;
			}
			if (isWanted) found.set(entry.key, { ...entry, record });
			if (createdMs > fromMs) fromMs = createdMs;
			// Messages of all senders count, because somebody can change the filter.
			if (!isFinal && createdMs < openMs) openMs = createdMs;
		}
		isWhole = !reader.isOver();
		if (!isWhole) break;
	}
	const delivered = [...found.values()];
	const items = delivered.map(({ record }) => statusOutput(reader, record));
	const endMs = beganMs ?? cursor.sinceMs;
	if (!isWhole) {
		const same = advance(cursor, cursor.sinceMs, delivered);
		return { cursor: same, items, unfinished: { fromMs, beganMs: endMs, openMs } };
	}
	const next = advance(cursor, endMs, delivered);
	// A message that Kudosity lists late can be as old as the overlap.
	return { cursor: { ...next, openMs: Math.min(openMs, next.sinceMs - overlapMs) }, items };
}
