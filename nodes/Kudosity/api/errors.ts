/**
 * Whether a failed request took effect. `unknown` means that it may have, so repeating it could send a second message.
 */
export type RequestOutcome = 'refused' | 'unknown';

/** An error that knows whether its request took effect. */
export abstract class Failure extends Error {
	override name = this.constructor.name;

	constructor(
		message: string,
		readonly outcome: RequestOutcome = 'refused',
	) {
		super(message);
	}
}

export type FieldIssue = { field: string; message: string };

export type RejectedRecipients = { failedRecipients?: string[]; optedOutRecipients?: string[] };

/** The parts of an error answer. v1's RECIPIENTS_ERROR lists the rejected numbers. */
export type ApiErrorFields = RejectedRecipients & {
	status: number;
	/** The service's own code (`BAD_CALLER_ID`, …); for v2, which has none, its title or the status. */
	code: string;
	/** The service's own sentence. It can quote the request, so show it but never log it. */
	detail?: string;
	issues?: FieldIssue[];
	namesRecord?: boolean;
	/** Whether the answer is a web page, which the service never sends: a proxy or a firewall refused the request. */
	isWebPage?: boolean;
	/** Whether a 429 concerns this record rather than the request rate. */
	isPerRecordLimit?: boolean;
	/** How many more verification codes can be tried, if the service says so. */
	attemptsRemaining?: number;
};

/** Whether a server or a gateway gave up: Envoy, for one, answers 408 when the server behind it is slow. */
export function hasGivenUp(status: number): boolean {
	return status >= 500 || status === 408;
}

export class ApiError extends Failure {
	constructor(readonly fields: ApiErrorFields) {
		// A server that gives up may have accepted the message. Any other status is a definite no, even from a
		// firewall, because a firewall reads a request before it passes it on.
		const outcome = hasGivenUp(fields.status) ? 'unknown' : 'refused';
		super(`The service responded with ${fields.status} ${fields.code}`, outcome);
	}
}

export class NoRecipientError extends Failure {
	constructor(readonly numbers: RejectedRecipients) {
		super('The service accepted none of the recipients');
	}
}

/** The answer violates the contract: it is not JSON, or lacks fields. */
export class UnexpectedResponseError extends Failure {
	constructor(
		readonly status: number,
		readonly reason: string,
		/** Whether the cause can be a list that changed while it was read. */
		readonly listMayHaveChanged = false,
	) {
		super(`The service responded with ${status} and ${reason}`, 'unknown');
	}
}

/** There was no response: no connection, a timeout, or a broken connection. */
export class NoAnswerError extends Failure {
	constructor(
		readonly code: string,
		wasSent: boolean,
	) {
		super(`The service did not respond (${code})`, wasSent ? 'unknown' : 'refused');
	}
}

/**
 * Whether the code of a missing answer is one of Node.js's for a certificate that it does not trust. In that case,
 * nothing was sent. The codes of SSL itself don't count, because these errors can also come later.
 */
export function isAboutCertificate(code: string): boolean {
	return /^(?!ERR_SSL).*(CERT|CRL|SIGNATURE)|^INVALID_(CA|PURPOSE)$|^(HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED|UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY)$/.test(
		code,
	);
}

/** Why a value was refused before any request. */
export type InputCode =
	| 'invalid_input'
	| 'invalid_number'
	| 'invalid_sender'
	| 'sending_limit'
	| 'limit_reached'
	| 'outside_hours';

/** Further facts about a wrong value. */
export type ValueNotes = {
	/** Completes a count in a summary: "2 empty". */
	kind?: string;
	/** The last characters of the wrong value, safe to show. */
	value?: string;
	/** Whether the error concerns all items of the run, such as one about a list that they share. */
	isOfRun?: boolean;
	/** Whether the error says nothing about the other items of the run, such as one about a limit of one person. */
	isOfItem?: boolean;
	/** Whether the same item can be sent later, although its code does not say so. */
	canRetry?: boolean;
	/** When a limit or the sending hours will let the item through: ISO 8601 with the offset of the time zone. */
	nextAllowedAt?: string;
};

/** The user's input is wrong. Raised before any request. */
export class InputError extends Failure {
	constructor(
		message: string,
		readonly remedy: string,
		readonly code: InputCode = 'invalid_input',
		readonly notes: ValueNotes = {},
	) {
		super(message);
	}
}

/** The request was not made, for the given `reason`. */
abstract class NotMadeError extends Failure {
	constructor(readonly reason: unknown) {
		super('The request was not made');
	}
}

/** The credential of the request could not be read. */
export class CredentialUnavailableError extends NotMadeError {}

/** The request was not made, because the service has refused the account for earlier items. */
export class NotTriedError extends NotMadeError {}

/** The question was not sent, because the webhook for its reply could not be created. */
export class QuestionNotSentError extends NotMadeError {}

/** The execution was stopped before the request was made. */
export class CancelledError extends Failure {
	constructor() {
		super('The execution was stopped');
	}
}

/** The node stopped at the failure of another item before this request was made. */
export class NotStartedError extends CancelledError {
	/** @param reason - the failure that stopped the node, unless it is an item's own */
	constructor(readonly reason?: unknown) {
		super();
	}
}

/** A send that the service may or may not have accepted. */
export class OutcomeUnknownError extends Failure {
	/** @param refusal - the error of a later attempt, which says nothing about this one */
	constructor(
		readonly reason: unknown,
		readonly refusal?: unknown,
	) {
		super('The service did not confirm the request', 'unknown');
	}
}

/** Whether a failed request took effect. An unforeseen error counts as unknown, so nothing is sent twice. */
export function outcomeOf(error: unknown): RequestOutcome {
	return error instanceof Failure ? error.outcome : 'unknown';
}

/** Whether something on the way to the service refused the request, which says nothing about the account. */
export function isRefusedOnTheWay(error: unknown): boolean {
	return error instanceof ApiError && error.fields.isWebPage === true;
}

/**
 * Whether the service has no such record. A 404 without the service's own words comes from another server, at a wrong
 * address.
 */
export function isMissing(error: unknown): boolean {
	return (
		error instanceof ApiError && error.fields.status === 404 && error.fields.detail !== undefined
	);
}

/** Whether a retry later could succeed. A rejected key, for example, never will. */
export function isTransient(error: unknown): boolean {
	return (
		error instanceof NoAnswerError ||
		error instanceof UnexpectedResponseError ||
		(error instanceof ApiError && (hasGivenUp(error.fields.status) || error.fields.status === 429))
	);
}
