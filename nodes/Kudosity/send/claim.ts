import { CancelledError, outcomeOf, OutcomeUnknownError } from '../api/errors';
import { settle } from '../lib/async';
import type { Json } from '../lib/json';
import type { Attempt } from './attempt';

/** The end of one message, as far as anybody can tell. `error` is what the item fails with. */
export type Outcome =
	| { kind: 'accepted'; answer: Json }
	| { kind: 'unknown'; reason: unknown; error: unknown }
	| { kind: 'refused'; error: unknown };

/** What a guard has taken for one message. One of its functions is called when the outcome of the message is known. */
export type Claim = {
	/** The message was accepted, or may have been: what was taken stays taken. */
	keep(outcome: Exclude<Outcome, { kind: 'refused' }>): void | Promise<void>;
	/** The message was certainly not sent, for this reason: what was taken is given back. */
	undo(error: unknown): void | Promise<void>;
	/** Another guard has answered, so nothing was tried: what was taken is given back, and nothing is noted. */
	drop(): void | Promise<void>;
};

/**
 * Takes for a message what it needs, or answers for it, so that nothing is sent. Undefined if it has nothing to take.
 *
 * @throws why the message must not be sent
 */
export type Guard = (attempt: Attempt) => Promise<Claim | { answer: Json } | undefined>;

/** The claims of a message that may be sent now, the last one first: the ledger notes which key the item still holds. */
export type Held = { claims: Claim[] };

/** Asks the guards in their order. If one of them answers or refuses, what those before it have taken is given back. */
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

/** The outcome of a request, in view of an earlier try whose outcome nobody knows. */
export function toOutcome(
	result: PromiseRejectedResult | PromiseFulfilledResult<Json>,
	{ doubt }: Attempt,
): Outcome {
	if (result.status === 'fulfilled') return { kind: 'accepted', answer: result.value };
	const error: unknown = result.reason;
	// The ledger throws it for an earlier try: it is not wrapped again.
	if (error instanceof OutcomeUnknownError) return { kind: 'unknown', reason: error.reason, error };
	if (outcomeOf(error) === 'unknown') {
		return { kind: 'unknown', reason: error, error: new OutcomeUnknownError(error) };
	}
	if (doubt === undefined) return { kind: 'refused', error };
	// The earlier try may still have been delivered, so a refusal of this one settles nothing.
	const isStopped = error instanceof CancelledError;
	return {
		kind: 'unknown',
		reason: doubt,
		error: isStopped ? error : new OutcomeUnknownError(doubt, error),
	};
}

/** The one policy of all guards: accepted keeps, unknown keeps, refused undoes. @throws the item's error */
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

/** For a message that a guard has refused. */
async function fail(held: Held, outcome: Outcome): Promise<never> {
	await settleClaims(held, outcome);
	throw new Error('A guard that throws has not accepted the message');
}
