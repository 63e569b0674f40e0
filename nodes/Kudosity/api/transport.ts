/** One of the service's two APIs: v1 takes HTTP Basic, v2 an `x-api-key` header. */
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
	/** An address that the service will call, and so must be able to reach. */
	deliversTo?: string;
	/** Whether the request is idempotent, so it may be repeated when the outcome of the first attempt is unknown. */
	repeatable: boolean;
	/** Whether a 429 concerns this record rather than the request rate. */
	isPerRecordLimit?: boolean;
};

export const requestTimeoutMs = 30_000;

/** The begin and end of an attempt by our clock, and the service's time in its answer, all in milliseconds. */
export type Timing = { beganMs: number; endedMs: number; serviceMs?: number };

/** A response. `text` is the body as received; the names of headers are in lower case. */
export type HttpAnswer = {
	kind: 'answer';
	status: number;
	headers: Record<string, string>;
	text: string;
	timing?: Timing;
};

/** No response. `wasSent` is false only if the request certainly never left. */
export type NoAnswer = { kind: 'noAnswer'; code: string; wasSent: boolean; timing?: Timing };

export type Result = HttpAnswer | NoAnswer;

/**
 * Sends one request. This is the only thing that the API layer needs from outside. Never rejects on network or service
 * errors.
 */
export type Transport = (request: ApiRequest) => Promise<Result>;

/**
 * Creates a transport. `requireTime` throws the reason why a request must not be made at its turn, which can be long
 * after it was asked for.
 */
export type TransportAt = (requestsPerSecond?: number, requireTime?: () => void) => Transport;
