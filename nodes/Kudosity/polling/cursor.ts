import { z } from 'zod/v4';
import { lazy } from '../lib/async';
import { parseJson } from '../lib/json';
import { minuteMs } from '../lib/time';

/*
 * n8n either stores a poll's cursor and takes its items, or does neither. So it is always right to read Kudosity's list
 * again from the stored cursor: `seen` names the messages that n8n has taken. A message that n8n dropped is not among them,
 * so the next poll finds it again.
 */

/** A time that a JavaScript `Date` can hold, from 1970 on. */
const timeMs = () => z.number().min(0).max(8.64e15);

const schema = lazy(() =>
	z.object({
		/** The trigger delivers nothing that is older. */
		fromMs: timeMs(),
		/** The trigger has delivered everything that is older by more than the overlap. */
		sinceMs: timeMs(),
		/** Keys of the messages that the trigger has delivered since two overlaps before `sinceMs`, each with its time. */
		seen: z.record(z.string(), z.number()),
		/** Creation time of the oldest message whose status can still change. Only the cursor of statuses has it. */
		openMs: timeMs().optional(),
	}),
);

/** The place of a trigger in Kudosity's list of messages, for one event. All times are Kudosity's. */
export type Cursor = z.infer<ReturnType<typeof schema>>;

/** A message or status of the list: its key, and when it was received or changed. */
export type Entry = { key: string; ms: number };

/** We have seen Kudosity list sent messages two minutes late. Nobody has measured it for received ones. */
export const overlapMs = 15 * minuteMs;

/** Limit that keeps the cursor of an event below about 530 kB, because n8n reads static data for each execution. */
const maxSeen = 10_000;

/** @returns undefined for anything else, because anyone who edits a workflow can change its static data */
export function readCursor(stored: unknown): Cursor | undefined {
	// n8n adds properties of its own to the objects of static data. A copy made by way of JSON does not have them.
	return schema().safeParse(parseJson(JSON.stringify(stored) ?? '')?.value).data;
}

/** Creates the cursor of a new trigger, which never delivers earlier messages. */
export function startingAt(ms: number): Cursor {
	return { fromMs: ms, sinceMs: ms, seen: {} };
}

export function notBefore(cursor: Cursor, ms: number): Cursor {
	return { ...cursor, fromMs: Math.max(cursor.fromMs, ms) };
}

/** Returns the time to read from: a poll reads the last minutes again, because Kudosity lists some messages late. */
export function readFrom({ fromMs, sinceMs }: Cursor): number {
	return Math.max(fromMs, sinceMs - overlapMs);
}

export function isFresh(cursor: Cursor, { key, ms }: Entry): boolean {
	return ms >= readFrom(cursor) && !Object.hasOwn(cursor.seen, key);
}

/** Returns the cursor after a poll that has read everything until `sinceMs` and delivers these entries. */
export function advance(cursor: Cursor, sinceMs: number, delivered: Entry[]): Cursor {
	const added = Object.fromEntries(delivered.map(({ key, ms }) => [key, ms]));
	const next = { ...cursor, sinceMs: Math.max(cursor.sinceMs, sinceMs) };
	const newestFirst = Object.entries({ ...cursor.seen, ...added })
		.filter(([, ms]) => ms >= next.sinceMs - 2 * overlapMs)
		.sort(([, one], [, other]) => other - one);
	// The trigger must not read again as far back as a key that it forgets, or it would deliver that message twice.
	const forgottenMs = newestFirst[maxSeen]?.[1] ?? -1;
	const seen = Object.fromEntries(newestFirst.slice(0, maxSeen));
	return notBefore({ ...next, seen }, forgottenMs + 1);
}

/** Joins two cursors of one trigger and event. Whatever one of them has delivered counts as delivered. */
export function joined(one?: Cursor, other?: Cursor): Cursor | undefined {
	if (!one || !other) return one ?? other;
	const [older, newer] = one.sinceMs <= other.sinceMs ? [one, other] : [other, one];
	const delivered = Object.entries(older.seen).map(([key, ms]) => ({ key, ms }));
	return notBefore(advance(newer, newer.sinceMs, delivered), older.fromMs);
}
