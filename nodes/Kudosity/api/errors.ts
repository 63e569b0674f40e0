/**
 * What is known of a request that did not succeed. `refused`: it had no effect, doing it again is safe.
 * `unknown`: it may have had its effect, so a repeated send may cost a second message.
 */
export type Outcome = 'refused' | 'unknown';

/** One remark of the service on one field of the request. */
export type FieldIssue = { field: string; message: string };

export type ApiErrorFields = {
	status: number;
	/** The service's own code (`BAD_CALLER_ID`, …); v2 has none, so its title or the status stands in. */
	code: string;
	/** The service's own sentence. It can quote the request, so it is shown, but never logged. */
	detail?: string;
	issues?: FieldIssue[];
	/** v1 RECIPIENTS_ERROR lists the numbers it did not take. */
	failedRecipients?: string[];
	optedOutRecipients?: string[];
};

/** The service answered, and the answer was no. */
export class ApiError extends Error {
	override name = 'ApiError';

	constructor(readonly fields: ApiErrorFields) {
		super(`The service answered ${fields.status} ${fields.code}`);
	}

	/** A 5xx can come after the message was accepted, everything else is a definite no. */
	get outcome(): Outcome {
		return this.fields.status >= 500 ? 'unknown' : 'refused';
	}
}

/** The service answered with something that its contract does not allow (no JSON, missing fields). */
export class UnexpectedResponseError extends Error {
	override name = 'UnexpectedResponseError';
	readonly outcome: Outcome = 'unknown';

	constructor(
		readonly status: number,
		readonly reason: string,
	) {
		super(`The service answered ${status} with ${reason}`);
	}
}

/** Nothing came back: no connection, a time-out, or a connection that broke. */
export class NoAnswerError extends Error {
	override name = 'NoAnswerError';
	readonly outcome: Outcome;

	constructor(
		readonly code: string,
		wasSent: boolean,
	) {
		super(`The service did not answer (${code})`);
		this.outcome = wasSent ? 'unknown' : 'refused';
	}
}

/** A value that the user gave cannot be right. Raised before any request. */
export class InputError extends Error {
	override name = 'InputError';
	readonly outcome: Outcome = 'refused';

	constructor(
		message: string,
		readonly remedy: string,
	) {
		super(message);
	}
}

/** The request was never made, since what it needs (the credential) could not be had. */
export class NotSentError extends Error {
	override name = 'NotSentError';
	readonly outcome: Outcome = 'refused';

	constructor(readonly reason: unknown) {
		super('The request was not made');
	}
}

/** The execution was stopped before the request was made. */
export class CancelledError extends Error {
	override name = 'CancelledError';
	readonly outcome: Outcome = 'refused';

	constructor() {
		super('The execution was stopped');
	}
}

/** The node stopped at the failure of another item before this request was made. */
export class NotBegunError extends CancelledError {
	override name = 'NotBegunError';
}

/** What a failed request leaves behind; anything unforeseen counts as unknown, which never sends twice. */
export const outcomeOf = (error: unknown): Outcome =>
	error instanceof ApiError ||
	error instanceof UnexpectedResponseError ||
	error instanceof NoAnswerError ||
	error instanceof InputError ||
	error instanceof NotSentError ||
	error instanceof CancelledError
		? error.outcome
		: 'unknown';
