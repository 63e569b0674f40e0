/** One of the service's two APIs: v1 uses HTTP Basic authentication, v2 an `x-api-key` header. */
export type Connection = 'basic' | 'key';

export type ApiRequest = {
	connection: Connection;
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** The path begins with a slash. Its variable segments are already encoded. */
	path: string;
	namesRecord?: boolean;
	query?: Record<string, string | number>;
	/** Sent as application/x-www-form-urlencoded. */
	form?: Record<string, string>;
	json?: Record<string, unknown>;
	/** A URL that Kudosity will call, so Kudosity must be able to reach it. */
	deliversTo?: string;
	/** Whether the request is idempotent, so it may be retried if the outcome of an attempt is unknown. */
	repeatable: boolean;
	/** Whether a 429 means that a limit for this record was reached, rather than the account's rate limit. */
	isPerRecordLimit?: boolean;
};

export const requestTimeoutMs = 30_000;

/**
 * When an attempt began and ended by our clock, and the service's time as stated in its response, all in milliseconds.
 */
export type Timing = { beganMs: number; endedMs: number; serviceMs?: number };

/** An HTTP response. `text` is the body as received. Header names are in lower case. */
export type HttpAnswer = {
	kind: 'answer';
	status: number;
	headers: Record<string, string>;
	text: string;
	timing?: Timing;
};

/** No response was received. `wasSent` is false only if the request certainly never left this machine. */
export type NoAnswer = { kind: 'noAnswer'; code: string; wasSent: boolean; timing?: Timing };

export type Result = HttpAnswer | NoAnswer;

/**
 * Sends one request. This is all that the API layer needs from outside. A transport never rejects because of network or
 * service errors.
 */
export type Transport = (request: ApiRequest) => Promise<Result>;

/**
 * Creates a transport with a maximum rate. `requireTime` is called when a request's turn comes, which can be long after
 * it was queued. It throws the reason if the request must no longer be sent.
 */
export type TransportAt = (requestsPerSecond?: number, requireTime?: () => void) => Transport;
