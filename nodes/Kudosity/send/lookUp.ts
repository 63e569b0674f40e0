import { randomUUID } from 'crypto';
import { isTransient, outcomeOf } from '../api/errors';
import { createService } from '../api/service';
import type { Transport } from '../api/transport';
import { type Clock, mapConcurrently, onFailure } from '../lib/async';
import type { Json } from '../lib/json';
import { createTransports } from '../n8n/transport';
import type { Attempt, Dispatch, SendRun } from './attempt';

/** How many searches run at a time. The number is low, to leave room for other runs. */
const maxInFlight = 5;

const minPauseMs = 3_000;
const maxPauseMs = 15_000;
const growth = 1.5;
/**
 * The minimum pause between two rounds, for each message that is still missing, because searching for a message takes
 * one request. With this pause, a lookup uses only a fifth of the account's rate limit.
 */
const pausePerMessageMs = 350;
const sliceMs = 250;

/**
 * Returns the result of `look`, or undefined if the time runs out first.
 *
 * @throws CancelledError - the user has stopped the run
 */
async function raceDeadline<Value>(look: Promise<Value>, clock: Clock, endsAtMs: number) {
	let isLooking = true;
	const watch = async (): Promise<undefined> => {
		while (isLooking && clock.now() < endsAtMs) {
			await clock.sleep(Math.min(sliceMs, endsAtMs - clock.now()));
		}
	};
	const watching = watch();
	try {
		return await Promise.race([look, watching]);
	} finally {
		isLooking = false;
		// Awaited, so no timer is left running.
		await watching.catch(() => undefined);
	}
}

/**
 * Calls `look` immediately, and then again after growing pauses, until nothing is left to find or the time is up. If
 * the time runs out during a call, its result isn't awaited.
 *
 * @throws the errors of `look`, or CancelledError if the user stops the run
 */
async function lookUntil<Open>(
	open: Open[],
	look: (open: Open[]) => Promise<Open[]>,
	{ clock, endsAtMs }: { clock: Clock; endsAtMs: number },
): Promise<void> {
	let pauseMs = minPauseMs;
	for (let left = open; clock.now() < endsAtMs; ) {
		const stillOpen = await raceDeadline(look(left), clock, endsAtMs);
		if (!stillOpen) return;
		left = stillOpen;
		const waitMs = Math.max(pauseMs, left.length * pausePerMessageMs);
		if (left.length === 0 || clock.now() + waitMs >= endsAtMs) return;
		await clock.sleep(waitMs);
		pauseMs = Math.min(maxPauseMs, pauseMs * growth);
	}
}

/**
 * Searches for each message, the first one alone. If that search fails, the others are not searched for.
 *
 * @throws the first failure that isn't transient, e.g. because the API key has no permission to read
 */
async function searchEach(
	attempts: Attempt[],
	search: (attempt: Attempt) => Promise<void>,
): Promise<void> {
	const first = await mapConcurrently(attempts.slice(0, 1), search, { maxInFlight });
	const isAnswered = first.every(({ status }) => status === 'fulfilled');
	const others = isAnswered ? attempts.slice(1) : [];
	const results = first.concat(await mapConcurrently(others, search, { maxInFlight }));
	// Searches that never began have no entry in the array, and forEach skips them.
	results.forEach((result) => {
		if (result.status === 'rejected' && !isTransient(result.reason)) throw result.reason;
	});
}

/**
 * Finds messages whose response was lost. Each message is sent with a unique reference of ours. When all items are
 * done, unconfirmed messages are searched for by that reference. If the user has set Message Reference, the message
 * isn't searched for, because another message can have the same reference. See ADR 12.
 */
export function createLookUp({ context, clock, operation }: SendRun) {
	const lookUp = operation.sends?.lookUp;
	const unconfirmed = new Map<number, Attempt>();
	/** The time left for all of the run's lookups combined. */
	let leftMs = lookUp?.maxMissingMs ?? 0;

	/** Makes the request with a reference, and remembers the item if its outcome is unknown. */
	const dispatch = async (attempt: Attempt, request: Dispatch): Promise<Json> => {
		if (!lookUp || lookUp.hasOwnReference(attempt.input)) return await request(attempt);
		if (attempt.options.onOutcomeUnknown === 'fail') return await request(attempt);
		attempt.reference = `n8n-${randomUUID()}`;
		return await onFailure(request(attempt), (error) => {
			if (outcomeOf(error) === 'unknown') unconfirmed.set(attempt.item, attempt);
		});
	};

	/** @returns the records of the messages that were found, and how many were not found */
	const resolve = async (): Promise<{ found: Array<[Attempt, Json]>; missing: number }> => {
		const open = [...unconfirmed.values()];
		unconfirmed.clear();
		if (!lookUp || open.length === 0) return { found: [], missing: 0 };
		const found = new Map<Attempt, Json>();
		const endsAtMs = clock.now() + leftMs;
		const isInTime = () => clock.now() < endsAtMs;
		const transportAt = createTransports(context, clock, { canStart: isInTime });
		const search = async (attempt: Attempt): Promise<void> => {
			const { input, reference = '', options } = attempt;
			const transport = transportAt(options.requestsPerSecond);
			// A failed search isn't retried here, because the next round searches again.
			const once: Transport = async (request) => await transport({ ...request, repeatable: false });
			const record = await lookUp.find(createService(once), { input, reference });
			if (record && isInTime()) found.set(attempt, record);
		};
		const look = async (left: Attempt[]): Promise<Attempt[]> => {
			await searchEach(left, search);
			return left.filter((attempt) => !found.has(attempt));
		};
		// If this fails (the user stopped the run, or the API key has no permission to read), the remaining messages
		// stay unconfirmed.
		await lookUntil(open, look, { clock, endsAtMs }).catch(() => undefined);
		leftMs = Math.max(0, endsAtMs - clock.now());
		return { found: [...found], missing: open.length - found.size };
	};
	return { dispatch, isOpen: (item: number): boolean => unconfirmed.has(item), resolve };
}
