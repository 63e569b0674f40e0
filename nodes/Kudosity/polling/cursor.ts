import { z } from 'zod/v4';
import { lazy } from '../lib/async';
import { parseJson } from '../lib/json';
import { minuteMs } from '../lib/time';

/*
 * n8n either stores a poll's cursor and accepts the poll's items, or does neither (`poll.ts` names an exception).
 * Therefore, it is always safe to read Kudosity's list of messages again from the stored cursor: the cursor's `seen`
 * has the keys of the messages that n8n has accepted. It doesn't have the key of a message that n8n dropped, so the
 * next poll finds that message again.
 */

/** Epoch milliseconds, from 1970 to the latest time that a JavaScript `Date` can hold. */
const timeMs = () => z.number().min(0).max(8.64e15);

const schema = lazy(() =>
	z.object({
		/** Nothing older than this is delivered. */
		fromMs: timeMs(),
		/** Everything from before this time minus the overlap (`overlapMs`) has been delivered. */
		sinceMs: timeMs(),
		/**
		 * Keys of the delivered entries, with their times. Entries that are older than `sinceMs` by more than two
		 * overlaps are removed.
		 */
		seen: z.record(z.string(), z.number()),
		/** Creation time of the oldest message whose status can still change. Only set in the cursor for statuses. */
		openMs: timeMs().optional(),
	}),
);

/** A trigger's position in Kudosity's list of messages, for one event. All times are by Kudosity's clock. */
export type Cursor = z.infer<ReturnType<typeof schema>>;

/** A message or a status in the list: its key, and when the message was received or the status changed. */
export type Entry = { key: string; ms: number };

/**
 * The overlap: how far back each poll reads the list again, because Kudosity lists some messages late. The longest
 * delay seen for sent messages is two minutes; for received messages, the delay hasn't been measured.
 */
export const overlapMs = 15 * minuteMs;

/**
 * The maximum number of keys in `seen`. It keeps an event's cursor below about 530 kB, because n8n reads the static
 * data for each execution.
 */
const maxSeen = 10_000;

/**
 * Reads a stored cursor. Returns undefined if it is invalid, because anyone who edits a workflow can change its static
 * data.
 */
export function readCursor(stored: unknown): Cursor | undefined {
	// n8n adds properties of its own to the objects in static data. The JSON round trip drops them.
	return schema().safeParse(parseJson(JSON.stringify(stored) ?? '')?.value).data;
}

/** Creates a new trigger's cursor. Messages from before `ms` are never delivered. */
export function startingAt(ms: number): Cursor {
	return { fromMs: ms, sinceMs: ms, seen: {} };
}

export function notBefore(cursor: Cursor, ms: number): Cursor {
	return { ...cursor, fromMs: Math.max(cursor.fromMs, ms) };
}

/** Returns the time to read from. The overlap is read again, because Kudosity lists some messages late. */
export function readFrom({ fromMs, sinceMs }: Cursor): number {
	return Math.max(fromMs, sinceMs - overlapMs);
}

export function isFresh(cursor: Cursor, { key, ms }: Entry): boolean {
	return ms >= readFrom(cursor) && !Object.hasOwn(cursor.seen, key);
}

/** Returns the cursor after a poll that has read everything up to `sinceMs` and delivers these entries. */
export function advance(cursor: Cursor, sinceMs: number, delivered: Entry[]): Cursor {
	const added = Object.fromEntries(delivered.map(({ key, ms }) => [key, ms]));
	const next = { ...cursor, sinceMs: Math.max(cursor.sinceMs, sinceMs) };
	const newestFirst = Object.entries({ ...cursor.seen, ...added })
		.filter(([, ms]) => ms >= next.sinceMs - 2 * overlapMs)
		.sort(([, one], [, other]) => other - one);
	// Later polls must not read back as far as the keys that are dropped here, or they would deliver those messages
	// again.
	const forgottenMs = newestFirst[maxSeen]?.[1] ?? -1;
	const seen = Object.fromEntries(newestFirst.slice(0, maxSeen));
	return notBefore({ ...next, seen }, forgottenMs + 1);
}

/**
 * Merges two cursors for the same trigger and event. Everything that either of them has delivered counts as delivered.
 */
export function joined(one?: Cursor, other?: Cursor): Cursor | undefined {
	if (!one || !other) return one ?? other;
	const [older, newer] = one.sinceMs <= other.sinceMs ? [one, other] : [other, one];
	const delivered = Object.entries(older.seen).map(([key, ms]) => ({ key, ms }));
	return notBefore(advance(newer, newer.sinceMs, delivered), older.fromMs);
}
