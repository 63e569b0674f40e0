import type { Timing } from './transport';

/**
 * What is known of a request that did not succeed. `refused`: it had no effect, doing it again is safe.
 * `unknown`: it may have had its effect, so a repeated send may cost a second message.
 */
export type Effect = 'refused' | 'unknown';

/** What says itself what is known of its request. */
export abstract class Failure extends Error {
	abstract readonly outcome: Effect;
	/** Of the request that failed, where there was one. */
	timing?: Timing;
}

/** One remark of the service on one field of the request. */
export type FieldIssue = { field: string; message: string };

/** Numbers that the service does not take, and why. */
export type RejectedRecipients = { failedRecipients?: string[]; optedOutRecipients?: string[] };

/** v1 RECIPIENTS_ERROR lists the numbers it did not take. */
export type ApiErrorFields = RejectedRecipients & {
	status: number;
	/** The service's own code (`BAD_CALLER_ID`, …); v2 has none, so its title or the status stands in. */
	code: string;
	/** The service's own sentence. It can quote the request, so it is shown, but never logged. */
	detail?: string;
	issues?: FieldIssue[];
	/** Whether the request was about one record, by its ID. */
	namesRecord?: boolean;
	/** Whether a 429 speaks of the record, and not of too many requests. */
	hasOwnLimit?: boolean;
	/** How many more codes can be tried, where the service says so. */
	attemptsRemaining?: number;
};

/** The service answered, and the answer was no. */
export class ApiError extends Failure {
	override name = 'ApiError';

	constructor(readonly fields: ApiErrorFields) {
		super(`The service answered ${fields.status} ${fields.code}`);
	}

	/** A 5xx can come after the message was accepted, everything else is a definite no. */
	get outcome(): Effect {
		return this.fields.status >= 500 ? 'unknown' : 'refused';
	}
}

/** The service took a request, or said no to it, and none of the numbers that one item has in it. */
export class NoRecipientError extends Failure {
	override name = 'NoRecipientError';
	readonly outcome: Effect = 'refused';

	constructor(readonly numbers: RejectedRecipients) {
		super('The service took none of the recipients');
	}
}

/** The service answered with something that its contract does not allow (no JSON, missing fields). */
export class UnexpectedResponseError extends Failure {
	override name = 'UnexpectedResponseError';
	readonly outcome: Effect = 'unknown';

	constructor(
		readonly status: number,
		readonly reason: string,
		/** Whether a list that changed while it was read can be the cause. */
		readonly listMayHaveChanged = false,
	) {
		super(`The service answered ${status} with ${reason}`);
	}
}

/** Nothing came back: no connection, a time-out, or a connection that broke. */
export class NoAnswerError extends Failure {
	override name = 'NoAnswerError';
	readonly outcome: Effect;

	constructor(
		readonly code: string,
		wasSent: boolean,
	) {
		super(`The service did not answer (${code})`);
		this.outcome = wasSent ? 'unknown' : 'refused';
	}
}

/** What was refused before any request: a value, a phone number, a sender, or what a guard holds back. */
export type InputCode = 'invalid_input' | 'invalid_number' | 'invalid_sender' | 'guard';

/** A value that the user gave cannot be right. Raised before any request. */
export class InputError extends Failure {
	override name = 'InputError';
	readonly outcome: Effect = 'refused';

	constructor(
		message: string,
		readonly remedy: string,
		readonly code: InputCode = 'invalid_input',
	) {
		super(message);
	}
}

/** The request was never made, since what it needs (the credential) could not be had. */
export class CredentialUnavailableError extends Failure {
	override name = 'CredentialUnavailableError';
	readonly outcome: Effect = 'refused';

	constructor(readonly reason: unknown) {
		super('The request was not made');
	}
}

/** The execution was stopped before the request was made. */
export class CancelledError extends Failure {
	override name = 'CancelledError';
	readonly outcome: Effect = 'refused';

	constructor() {
		super('The execution was stopped');
	}
}

/** The node stopped at the failure of another item before this request was made. */
export class NotStartedError extends CancelledError {
	override name = 'NotStartedError';

	/** `reason`: the failure it stopped at, where that is no item's own. */
	constructor(readonly reason?: unknown) {
		super();
	}
}

/** The message was never sent, since the webhook that its reply needs could not be made. */
export class QuestionNotSentError extends Failure {
	override name = 'QuestionNotSentError';
	readonly outcome: Effect = 'refused';

	constructor(readonly reason: unknown) {
		super('The question was not sent');
	}
}

/** A send of which nobody knows whether the service accepted it. */
export class OutcomeUnknownError extends Error {
	override name = 'OutcomeUnknownError';

	/** `refusal`: what a later try came to, which says nothing about this one. */
	constructor(
		readonly reason: unknown,
		readonly refusal?: unknown,
	) {
		super('Outcome unknown');
	}
}

/** What a failed request leaves behind; anything unforeseen counts as unknown, which never sends twice. */
export const outcomeOf = (error: unknown): Effect =>
	error instanceof Failure ? error.outcome : 'unknown';

/** Whether what failed may work later. Anything else, as a key that is refused or may not read, stays as it is. */
export const isTransient = (error: unknown): boolean =>
	error instanceof NoAnswerError ||
	error instanceof UnexpectedResponseError ||
	(error instanceof ApiError && (error.fields.status >= 500 || error.fields.status === 429));
