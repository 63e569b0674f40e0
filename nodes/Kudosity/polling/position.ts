import { z } from 'zod/v4';
import { lazy } from '../lib/async';
import { parseJson } from '../lib/json';

/** What a `Date` can hold. */
const timeMs = () => z.number().min(0).max(8.64e15);

/**
 * Where a trigger is in the service's list of messages, for one kind of event. Times are the service's, in milliseconds
 * since the epoch; `storedMs` alone is n8n's.
 */
const positionSchema = lazy(() =>
	z.object({
		/** Nothing before it is delivered. */
		fromMs: timeMs(),
		/** Everything that is older by more than the overlap has been delivered. */
		atMs: timeMs(),
		/** Where the next poll continues, once the overlap alone has taken too long. */
		resumeMs: timeMs().optional(),
		/** The time of what was delivered since about then, by its key. */
		delivered: z.record(z.string(), z.number()),
		/** Statuses: the oldest message whose status can still change. */
		openMs: timeMs().optional(),
		/** Statuses: a reading of all open messages that continues with the next poll. */
		sweep: z
			.object({
				beganMs: timeMs(),
				/** Older changes were delivered by an earlier sweep. */
				sinceMs: timeMs(),
				/** The creation of the last message that was read, and all read messages of that moment. */
				cursorMs: timeMs(),
				edge: z.array(z.string()),
				openMs: z.number(),
			})
			.optional(),
		storedMs: z.number(),
		/** n8n stores by the node's name, which another node can have had. */
		nodeId: z.string().optional(),
	}),
);
export type Position = z.infer<ReturnType<typeof positionSchema>>;

/** Undefined for anything else: static data can be changed by anyone who edits the workflow. */
export const readPosition = (stored: unknown): Position | undefined =>
	// n8n's objects have properties of its own.
	positionSchema().safeParse(parseJson(JSON.stringify(stored) ?? '')?.value).data;

/** The service was seen to list sent messages two minutes late; nothing is known of received ones. */
export const overlapMs = 15 * 60_000;

/** About 530 kB of static data, at a dozen messages a second. */
const maxDelivered = 10_000;

/** Without a past: what came before is nobody's business. */
export function startingAt(ms: number): Position {
	return {
		fromMs: ms,
		atMs: ms,
		delivered: {},
		storedMs: 0,
	};
}

/** From when on the list has to be read again. */
export function overlapStart({ fromMs, atMs, resumeMs = atMs - overlapMs }: Position): number {
	return Math.max(fromMs, resumeMs);
}

export function isDelivered({ delivered }: Position, key: string): boolean {
	return Object.hasOwn(delivered, key);
}

/** The position once these were delivered. Keys are kept for twice the overlap; beyond `maxDelivered`, less is read again. */
export function advance(
	position: Position,
	atMs: number,
	delivered: Array<readonly [key: string, ms: number]>,
): Position {
	const all = Object.entries({ ...position.delivered, ...Object.fromEntries(delivered) });
	const recent = all.filter(([, ms]) => ms >= atMs - 2 * overlapMs);
	if (recent.length <= maxDelivered) {
		return { ...position, atMs, delivered: Object.fromEntries(recent) };
	}
	const newestFirst = recent.sort(([, one], [, other]) => other - one);
	const [, droppedMs] = newestFirst[maxDelivered]!;
	return {
		...position,
		atMs,
		fromMs: Math.max(position.fromMs, droppedMs + 1),
		delivered: Object.fromEntries(newestFirst.slice(0, maxDelivered)),
	};
}

/** Whichever got further, with what either has delivered: n8n can set the stored one back, and a restart loses the other. */
export function mergePositions(known?: Position, stored?: Position): Position | undefined {
	if (!known || !stored || known.nodeId !== stored.nodeId) return known ?? stored;
	const [newer, older] = stored.atMs > known.atMs ? [stored, known] : [known, stored];
	const merged = advance(newer, newer.atMs, Object.entries(older.delivered));
	return { ...merged, storedMs: stored.storedMs };
}
