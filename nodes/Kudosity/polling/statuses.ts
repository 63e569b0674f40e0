import { describeStatus } from '../events/statuses';
import type { Json } from '../lib/json';
import { dayMs } from '../lib/time';
import { advance, type Cursor, type Entry, isFresh, overlapMs } from './cursor';
import { type Found, isWatched, maxItems, pagesOf, statusOutput, timeOf } from './records';
import type { Reader } from './reader';

/** Where to continue if not all statuses could be read within one poll. */
export type Unfinished = {
	/** Creation time of the newest message that has been read. The next poll continues there. */
	fromMs: number;
	/** When the reading began, by Kudosity's clock. */
	beganMs: number;
	/** Creation time of the oldest message read so far whose status can still change. Infinity if there is none. */
	openMs: number;
};

/**
 * Reads the statuses that have changed since the cursor. Kudosity only lists messages by creation time, so this reads
 * all messages whose status can still change. The cursor's `sinceMs` only advances once all of them have been read.
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
			// Rank 0 is the status of a message that hasn't been sent yet. Every message begins with it, so it isn't a
			// change.
			const isNew = typeof record.id === 'string' && rank !== 0 && isFresh(cursor, entry);
			const isWanted = isNew && isWatched(reader, record.sender);
			if (isWanted && found.size >= maxItems) {
				isWhole = false;
				break reading;
			}
			if (isWanted) found.set(entry.key, { ...entry, record });
			if (createdMs > fromMs) fromMs = createdMs;
			// Messages from all senders count, because the user can change the filter later.
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
	// Kudosity may list messages late, by up to the overlap, so `openMs` must not be later than the overlap's start.
	return { cursor: { ...next, openMs: Math.min(openMs, next.sinceMs - overlapMs) }, items };
}
