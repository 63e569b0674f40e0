import { randomUUID } from 'crypto';
import { Failure, isTransient, outcomeOf } from '../api/errors';
import { createService } from '../api/service';
import type { Timing, Transport } from '../api/transport';
import { type Clock, mapConcurrently, onFailure } from '../lib/async';
import type { Json } from '../lib/json';
import type { Found } from '../fields/operation';
import type { Attempt, Run, Stage } from './attempt';
import { matchMessages, type Span } from './matchMessage';

/** A send whose answer was lost. */
type Doubt = { attempt: Attempt; timing?: Timing };

/** Few enough to leave room for other runs. */
const maxInFlight = 5;

const minPauseMs = 3_000;
const maxPauseMs = 15_000;
const growth = 1.5;
/** Each message costs a request: this keeps a look-up to a fifth of the account's rate limit. */
const pausePerMessageMs = 350;
const sliceMs = 250;

/** Allowed difference between the clocks of the service's web server and its database. */
const slackMs = 1000;

/**
 * When a request was under way by the service's clock, which can differ from ours by hours: the date of `answered`
 * tells by how much. A date has whole seconds only, so the span is longer at both ends. None without a date.
 */
const spanByService = (request?: Timing, answered?: Timing): Span | undefined => {
	if (!request || answered?.serviceMs === undefined) return undefined;
	const leastAheadMs = answered.serviceMs - answered.endedMs;
	const maxAheadMs = answered.serviceMs + 1000 - answered.beganMs;
	return {
		fromMs: request.beganMs + leastAheadMs - slackMs,
		toMs: request.endedMs + maxAheadMs + slackMs,
	};
};

/** What `look` finds, or undefined when the time is up. @throws CancelledError when the user stops the run */
const raceDeadline = async <Value>(look: Promise<Value>, clock: Clock, endsAtMs: number) => {
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
		// No timer outlives the look.
		await watching.catch(() => undefined);
	}
};

/**
 * Looks at once, and again after growing pauses, until nothing is left or the time is up, also during a look.
 *
 * @throws what `look` throws, or CancelledError when the user stops the run
 */
const lookUntil = async <Open>(
	open: Open[],
	look: (open: Open[]) => Promise<Open[]>,
	{ clock, endsAtMs }: { clock: Clock; endsAtMs: number },
): Promise<void> => {
	let pauseMs = minPauseMs;
	for (let left = open; clock.now() < endsAtMs; ) {
		left = (await raceDeadline(look(left), clock, endsAtMs)) ?? [];
		const waitMs = Math.max(pauseMs, left.length * pausePerMessageMs);
		if (left.length === 0 || clock.now() + waitMs >= endsAtMs) return;
		await clock.sleep(waitMs);
		pauseMs = Math.min(maxPauseMs, pauseMs * growth);
	}
};

type Search = { found: Found[]; timing?: Timing };

/** Searches for each, or only for the first one while the service does not answer. Transient errors are ignored. */
const searchEach = async (doubts: Doubt[], search: (doubt: Doubt) => Promise<Search>) => {
	const first = await mapConcurrently(doubts.slice(0, 1), search, { maxInFlight });
	const isAnswered = first.every(({ status }) => status === 'fulfilled');
	const others = await mapConcurrently(isAnswered ? doubts.slice(1) : [], search, { maxInFlight });
	// Searches that never began are holes in the array, which flatMap skips.
	return first.concat(others).flatMap((result) => {
		if (result.status === 'fulfilled') return [result.value];
		if (isTransient(result.reason)) return [];
		throw result.reason;
	});
};

/**
 * Finds messages whose answer was lost: each gets a reference, and is looked for when all items are done. Only for
 * operations whose messages can be found. See ADR 12.
 */
export const createLookUp = (
	{ clock, openTransports, operation }: Run,
	answeredIds: () => Set<unknown>,
) => {
	const lookUp = operation.sends?.lookUp;
	const doubts = new Map<number, Doubt>();
	let leftMs = lookUp?.maxMissingMs ?? 0;

	const stage: Stage = async (attempt, next) => {
		if (!lookUp || attempt.options.onOutcomeUnknown === 'fail') return await next();
		attempt.reference = `n8n-${randomUUID()}`;
		return await onFailure(next(), (error) => {
			if (outcomeOf(error) === 'refused') return;
			const timing = error instanceof Failure ? error.timing : undefined;
			doubts.set(attempt.item, { attempt, timing });
		});
	};

	/** @returns the records of the messages in doubt that were found, and how many were not */
	const resolve = async (): Promise<{ found: Array<[Attempt, Json]>; missing: number }> => {
		const open = [...doubts.values()];
		doubts.clear();
		if (!lookUp || open.length === 0) return { found: [], missing: 0 };
		const answers: Array<[Attempt, Json]> = [];
		const taken = answeredIds();
		const endsAtMs = clock.now() + leftMs;
		const isInTime = () => clock.now() < endsAtMs;
		const transportAt = openTransports(isInTime);
		let firstTiming: Timing | undefined;

		const marksOf = ({ input, reference = '' }: Attempt) => lookUp.marksOf(input, reference);
		const search = async ({ attempt }: Doubt): Promise<Search> => {
			const transport = transportAt(attempt.options.requestsPerSecond);
			let timing: Timing | undefined;
			// Not repeated on failure: the next look is its repetition.
			const once: Transport = async (request) => {
				const answer = await transport({ ...request, repeatable: false });
				timing = answer.timing;
				return answer;
			};
			const found: Found[] = [];
			for await (const message of lookUp.search(createService(once), marksOf(attempt))) {
				if (message) found.push(message);
			}
			return { found, timing };
		};
		const look = async (left: Doubt[]): Promise<Doubt[]> => {
			const searches = await searchEach(left, search);
			// The sooner after the send, the more exact.
			firstTiming ??= searches
				.map((search) => search.timing)
				.find((timing) => timing?.serviceMs !== undefined);
			const sought = left.map(({ attempt, timing }) => {
				const marks = marksOf(attempt);
				const isOwnReference = marks.reference === attempt.reference;
				const span = spanByService(timing, timing) ?? spanByService(timing, firstTiming);
				return { ...marks, isOwnReference, span };
			});
			const found = searches.flatMap((search) => search.found);
			const matches = matchMessages(sought, found, (id) => taken.has(id));
			if (!isInTime()) return left;
			return left.filter(({ attempt }, index) => {
				const message = matches[index];
				if (!message) return true;
				taken.add(message.id);
				answers.push([attempt, message.answer]);
				return false;
			});
		};
		// After a failure (stopped by the user, or a key that may not read), the rest stays unknown.
		await lookUntil(open, look, { clock, endsAtMs }).catch(() => undefined);
		leftMs = Math.max(0, endsAtMs - clock.now());
		return { found: answers, missing: open.length - answers.length };
	};
	return { stage, isInDoubt: (item: number): boolean => doubts.has(item), resolve };
};
