/**
 * Whether a failed request took effect. `refused` means that it didn't. `unknown` means that it may have, so repeating
 * it could send a second message.
 */
export type RequestOutcome = 'refused' | 'unknown';

/** An error that says whether its request took effect. */
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

/** The parts of an error response. v1's RECIPIENTS_ERROR lists the rejected numbers. */
export type ApiErrorFields = RejectedRecipients & {
	status: number;
	/** The service's own code (`BAD_CALLER_ID`, …). v2 has no codes, so this is its error title or the HTTP status. */
	code: string;
	/** The service's own message. It may quote the request, so show it to users but never log it. */
	detail?: string;
	issues?: FieldIssue[];
	namesRecord?: boolean;
	/**
	 * Whether the response is a web page. The service never sends one, so a proxy, a firewall or another server refused
	 * the request.
	 */
	isWebPage?: boolean;
	/** Whether a 429 means that a limit for this record was reached, rather than the account's rate limit. */
	isPerRecordLimit?: boolean;
	/** How many more verification codes can be tried, if the response says so. */
	attemptsRemaining?: number;
};

/** Whether a server or gateway gave up. Envoy, for example, responds with 408 if the server behind it is slow. */
export function hasGivenUp(status: number): boolean {
	return status >= 500 || status === 408;
}

export class ApiError extends Failure {
	constructor(readonly fields: ApiErrorFields) {
		// A server that gives up may have accepted the message. Any other error status means that the request had no
		// effect, even if it comes from a firewall, because a firewall inspects a request before passing it on.
		const outcome = hasGivenUp(fields.status) ? 'unknown' : 'refused';
		super(`The service responded with ${fields.status} ${fields.code}`, outcome);
	}
}

export class NoRecipientError extends Failure {
	constructor(readonly numbers: RejectedRecipients) {
		super('The service accepted none of the recipients');
	}
}

/** The response violates the API's contract: it isn't JSON, or fields are missing. */
export class UnexpectedResponseError extends Failure {
	constructor(
		readonly status: number,
		readonly reason: string,
		/** Whether the cause may be a list that changed while it was read. */
		readonly listMayHaveChanged = false,
	) {
		super(`The service responded with ${status} and ${reason}`, 'unknown');
	}
}

/** There was no response: no connection, a timeout, or a connection that broke. */
export class NoAnswerError extends Failure {
	constructor(
		readonly code: string,
		wasSent: boolean,
	) {
		super(`The service did not respond (${code})`, wasSent ? 'unknown' : 'refused');
	}
}

/**
 * Whether a missing response is due to a certificate that Node.js doesn't trust, judging by the error code. In that
 * case, nothing was sent. OpenSSL's own codes (ERR_SSL…) don't count, because those errors can also occur after the
 * request was sent.
 */
export function isAboutCertificate(code: string): boolean {
	return /^(?!ERR_SSL).*(CERT|CRL|SIGNATURE)|^INVALID_(CA|PURPOSE)$|^(HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED|UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY)$/.test(
		code,
	);
}

/** Why a value was refused before any request was made. */
export type InputCode =
	| 'invalid_input'
	| 'invalid_number'
	| 'invalid_sender'
	| 'credential'
	| 'base_url'
	| 'sending_limit'
	| 'limit_reached'
	| 'outside_hours'
	| 'unexpected';

/**
 * Optional details of an InputError: what a summary shows, which items it concerns, and whether or when the item can be
 * sent.
 */
export type ValueNotes = {
	/** Follows a count in a summary: "2 empty". */
	kind?: string;
	/** The last characters of the invalid value, which are safe to show. */
	value?: string;
	/** Whether the error concerns all items of the run, e.g. an error in a list that they share. */
	isOfRun?: boolean;
	/** Whether the error says nothing about the other items of the run, e.g. one recipient's limit. */
	isOfItem?: boolean;
	/** Whether the same item can be sent later, even though its error code doesn't say so. */
	canRetry?: boolean;
	/** When a limit or the sending hours will allow the item: ISO 8601 with the time zone's offset. */
	nextAllowedAt?: string;
};

/** The user's input is invalid. Thrown before any request is made. */
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

/** Whether an error says nothing about the other items of the run. */
export const isOfItem = (error: unknown): boolean =>
	error instanceof InputError && error.notes.isOfItem === true;

/** The request was not made. `reason` is the error that prevented it. */
abstract class NotMadeError extends Failure {
	constructor(readonly reason: unknown) {
		super('The request was not made');
	}
}

/** The request's credential could not be read. */
export class CredentialUnavailableError extends NotMadeError {}

/** The request was not made, because the service had already rejected the account for earlier items. */
export class NotTriedError extends NotMadeError {}

/** The question was not sent, because the webhook for its reply could not be created. */
export class QuestionNotSentError extends NotMadeError {}

/** The execution was stopped before the request was made. */
export class CancelledError extends Failure {
	constructor() {
		super('The execution was stopped');
	}
}

/** The node stopped because of another item's failure, before this request was made. */
export class NotStartedError extends CancelledError {
	/** @param reason - the failure that stopped the node, unless that failure concerns a single item */
	constructor(readonly reason?: unknown) {
		super();
	}
}

/** The service may or may not have accepted a message. */
export class OutcomeUnknownError extends Failure {
	/**
	 * @param refusal - the error of a later attempt that was refused, which leaves open whether this one was accepted
	 */
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

/** Whether something between n8n and the service refused the request, which says nothing about the account. */
export function isRefusedOnTheWay(error: unknown): boolean {
	return error instanceof ApiError && error.fields.isWebPage === true;
}

/**
 * Whether the service says that a record doesn't exist. A 404 without the service's own message comes from another
 * server, e.g. because the base URL is wrong.
 */
export function isMissing(error: unknown): boolean {
	return (
		error instanceof ApiError && error.fields.status === 404 && error.fields.detail !== undefined
	);
}

/** Whether a later retry could succeed. If the key was rejected, for example, it can't. */
export function isTransient(error: unknown): boolean {
	return (
		error instanceof NoAnswerError ||
		error instanceof UnexpectedResponseError ||
		(error instanceof ApiError && (hasGivenUp(error.fields.status) || error.fields.status === 429))
	);
}
