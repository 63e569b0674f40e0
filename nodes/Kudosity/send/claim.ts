import { CancelledError, outcomeOf, OutcomeUnknownError } from '../api/errors';
import { settle } from '../lib/async';
import type { Json } from '../lib/json';
import type { Attempt } from './attempt';

/** The outcome of one message, as far as it is known. `error` is the error with which the item fails. */
export type Outcome =
	| { kind: 'accepted'; answer: Json }
	| { kind: 'unknown'; reason: unknown; error: unknown }
	| { kind: 'refused'; error: unknown };

/**
 * A guard's reservation for one message, e.g. of its Deduplication Key. Once the outcome of the message is known, one
 * of these functions is called.
 */
export type Claim = {
	/** Keeps the reservation, because the message was accepted, or may have been. */
	keep(outcome: Exclude<Outcome, { kind: 'refused' }>): void | Promise<void>;
	/** Releases the reservation, because the message was certainly not sent, and records the reason. */
	undo(error: unknown): void | Promise<void>;
	/**
	 * Releases the reservation and records nothing, because a later guard returned an answer for the message (e.g. that
	 * it is a duplicate), so no request was made.
	 */
	drop(): void | Promise<void>;
};

/**
 * Checks a message before it is sent. Returns a claim (e.g. on the message's Deduplication Key), undefined if no claim
 * is needed, or an answer. If it returns an answer, nothing is sent, and the answer becomes the item's output.
 *
 * @throws the reason why the message must not be sent
 */
export type Guard = (attempt: Attempt) => Promise<Claim | { answer: Json } | undefined>;

/**
 * The claims that the guards made for a message, newest first. They are kept or undone in this order. The ledger's
 * claim was made first, so it is ended last: it records whether the item still holds its Deduplication Key, and that is
 * only known once the key's own claim has been kept or undone.
 */
export type Held = { claims: Claim[] };

/**
 * Calls the guards one after the other and collects their claims. If a guard returns an answer, the earlier claims are
 * dropped. If a guard throws, the earlier claims are kept or undone (see `settleClaims`), and the item fails.
 */
export async function hold(guards: Guard[], attempt: Attempt): Promise<Held | { answer: Json }> {
	const claims: Claim[] = [];
	for (const guard of guards) {
		const got = await settle(guard(attempt));
		if (got.status === 'rejected') return await fail({ claims }, toOutcome(got, attempt));
		if (got.value && 'answer' in got.value) {
			await endAll(claims, (claim) => claim.drop());
			return got.value;
		}
		if (got.value) claims.unshift(got.value);
	}
	return { claims };
}

/** Determines the outcome of a request. */
export function toOutcome(
	result: PromiseRejectedResult | PromiseFulfilledResult<Json>,
	{ unconfirmedReason }: Attempt,
): Outcome {
	if (result.status === 'fulfilled') return { kind: 'accepted', answer: result.value };
	const error: unknown = result.reason;
	// The ledger throws this error because of an earlier attempt, so it isn't wrapped again.
	if (error instanceof OutcomeUnknownError) return { kind: 'unknown', reason: error.reason, error };
	if (outcomeOf(error) === 'unknown') {
		return { kind: 'unknown', reason: error, error: new OutcomeUnknownError(error) };
	}
	if (unconfirmedReason === undefined) return { kind: 'refused', error };
	// The unconfirmed earlier attempt may still have been accepted, so it remains unknown whether the message was sent,
	// even though this attempt was refused.
	const isStopped = error instanceof CancelledError;
	return {
		kind: 'unknown',
		reason: unconfirmedReason,
		error: isStopped ? error : new OutcomeUnknownError(unconfirmedReason, error),
	};
}

/**
 * Applies the one policy of all guards: claims are kept if the outcome is accepted or unknown, and undone if it is
 * refused.
 *
 * @throws the item's error
 */
export async function settleClaims({ claims }: Held, outcome: Outcome): Promise<Json> {
	await endAll(claims, (claim) =>
		outcome.kind === 'refused' ? claim.undo(outcome.error) : claim.keep(outcome),
	);
	if (outcome.kind === 'accepted') return outcome.answer;
	throw outcome.error;
}

/** Ends every claim, even if ending one of them fails. @throws the first of these failures */
async function endAll(claims: Claim[], end: (claim: Claim) => void | Promise<void>): Promise<void> {
	const failures: unknown[] = [];
	for (const claim of claims) {
		const ended = await settle(Promise.resolve().then(async () => await end(claim)));
		if (ended.status === 'rejected') failures.push(ended.reason);
	}
	if (failures.length > 0) throw failures[0];
}

/** Fails a message that a guard has refused. */
async function fail(held: Held, outcome: Outcome): Promise<never> {
	await settleClaims(held, outcome);
	throw new Error('A guard that throws has not accepted the message');
}
