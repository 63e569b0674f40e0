import { randomUUID } from 'crypto';
import type { Clock } from '../lib/async';
import type { Timing, Transport } from '../api/transport';
import { Failure, isTransient, outcomeOf } from '../api/errors';
import type { Json } from '../lib/json';
import { mapConcurrently } from '../lib/async';
import { createService } from '../api/service';
import type { Found, LookUp } from '../operation';
import type { Input } from '../fields/field';
import type { Attempt, Run, Stage } from './attempt';
import { matchMessages, type Span } from './matchMessage';

/** A send whose answer was lost. */
type Doubt = { attempt: Attempt; timing?: Timing };

/** Few enough to leave the line to other runs. */
const maxInFlight = 5;

const minPauseMs = 3_000;
const maxPauseMs = 15_000;
const growth = 1.5;
/** Each costs a request: so, looking takes a fifth of the account's line at most. */
const pauseForEachMs = 350;
const sliceMs = 250;

/** What the service's web server and its database may be apart. */
const slackMs = 1000;

/**
 * The time of a request by the service's clock, which can differ from ours by hours: `answered` tells how
 * much. An answer's date has whole seconds, so the span is that much longer at both ends. None without a date.
 */
export const spanByService = (request?: Timing, answered?: Timing): Span | undefined => {
	if (!request || answered?.serviceMs === undefined) return undefined;
	const leastAheadMs = answered.serviceMs - answered.endedMs;
	const mostAheadMs = answered.serviceMs + 1000 - answered.beganMs;
	return {
		fromMs: request.beganMs + leastAheadMs - slackMs,
		toMs: request.endedMs + mostAheadMs + slackMs,
	};
};

/** What `look` gives, or undefined as soon as the time is up, or the user stops the run. */
const inTime = async <Value>(look: Promise<Value>, clock: Clock, endsAtMs: number) => {
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
 * Looks at once, and again after growing pauses, until nothing is left or the time is up. A look that is
 * under way by then is not waited for.
 *
 * @throws what `look` throws, or CancelledError as soon as the user stops the run
 */
export const lookUntil = async <Open>(
	open: Open[],
	look: (open: Open[]) => Promise<Open[]>,
	{ clock, endsAtMs }: { clock: Clock; endsAtMs: number },
): Promise<void> => {
	let pauseMs = minPauseMs;
	for (let left = open; clock.now() < endsAtMs; ) {
		left = (await inTime(look(left), clock, endsAtMs)) ?? [];
		const waitMs = Math.max(pauseMs, left.length * pauseForEachMs);
		if (left.length === 0 || clock.now() + waitMs >= endsAtMs) return;
		await clock.sleep(waitMs);
		pauseMs = Math.min(maxPauseMs, pauseMs * growth);
	}
};

type Seen = { found: Found[]; heard?: Timing };

/** Asks for each; while the service does not answer, for the first one only. What may work later says nothing. */
const searchEach = async (doubts: Doubt[], search: (doubt: Doubt) => Promise<Seen>) => {
	const how = { maxInFlight: maxInFlight, stopAtFailure: true };
	const first = await mapConcurrently(doubts.slice(0, 1), search, how);
	const isAnswered = first.every(({ status }) => status === 'fulfilled');
	const others = await mapConcurrently(isAnswered ? doubts.slice(1) : [], search, how);
	// Those that never began are holes, which this passes over.
	return first.concat(others).flatMap((result) => {
		if (result.status === 'fulfilled') return [result.value];
		if (isTransient(result.reason)) return [];
		throw result.reason;
	});
};

/** Finds messages whose answer was lost: each gets a reference, and is looked for when all others are done. See ADR 12. */
export const createLookUp = (
	{ clock, transportsWhile }: Run,
	lookUp: LookUp<Input>,
	answeredIds: () => Set<unknown>,
) => {
	const doubts = new Map<number, Doubt>();
	let leftMs = lookUp.longestMissingMs;

	const stage: Stage = async (attempt, next) => {
		if (attempt.options.lookUpUnknown === false) return await next();
		attempt.reference = `n8n-${randomUUID()}`;
		return await next().catch((error: unknown) => {
			if (outcomeOf(error) === 'unknown') {
				const timing = error instanceof Failure ? error.timing : undefined;
				doubts.set(attempt.item, { attempt, timing });
			}
			throw error;
		});
	};

	/** @returns what was found for each of the attempts in doubt, and how many of them were not */
	const resolve = async (): Promise<{ found: Array<[Attempt, Json]>; missing: number }> => {
		const open = [...doubts.values()];
		doubts.clear();
		if (open.length === 0) return { found: [], missing: 0 };
		const answers: Array<[Attempt, Json]> = [];
		const taken = answeredIds();
		const endsAtMs = clock.now() + leftMs;
		const isInTime = () => clock.now() < endsAtMs;
		const transportAt = transportsWhile(isInTime);
		let firstHeard: Timing | undefined;

		const marksOf = ({ input, reference = '' }: Attempt) => lookUp.marksOf(input, reference);
		const search = async ({ attempt }: Doubt): Promise<Seen> => {
			const transport = transportAt(attempt.options.requestsPerSecond);
			let heard: Timing | undefined;
			// The next look repeats it: what fails is not worth a pause of its own.
			const once: Transport = async (request) => {
				const answer = await transport({ ...request, repeatable: false });
				heard = answer.timing;
				return answer;
			};
			const found: Found[] = [];
			for await (const message of lookUp.search(createService(once), marksOf(attempt))) {
				if (message) found.push(message);
			}
			return { found, heard };
		};
		const look = async (left: Doubt[]): Promise<Doubt[]> => {
			const seen = await searchEach(left, search);
			// The sooner after the send, the surer.
			firstHeard ??= seen.map(({ heard }) => heard).find((each) => each?.serviceMs !== undefined);
			const sought = left.map(({ attempt, timing }) => {
				const marks = marksOf(attempt);
				const isOwnReference = marks.reference === attempt.reference;
				const span = spanByService(timing, timing) ?? spanByService(timing, firstHeard);
				return { ...marks, isOwnReference, span };
			});
			const found = seen.flatMap((each) => each.found);
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
		// What a look cannot tell stays unknown: that the user stopped the run, or that the key may not read.
		await lookUntil(open, look, { clock, endsAtMs }).catch(() => undefined);
		leftMs = Math.max(0, endsAtMs - clock.now());
		return { found: answers, missing: open.length - answers.length };
	};
	return { stage, isInDoubt: (item: number): boolean => doubts.has(item), resolve };
};
