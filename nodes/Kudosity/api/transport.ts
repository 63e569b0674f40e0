/** Which of the service's two APIs a request is for: v1 takes HTTP Basic, v2 takes an x-api-key. */
export type Connection = 'basic' | 'key';

/** One HTTP request, described without any knowledge of who sends it. */
export type ApiRequest = {
	connection: Connection;
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	/** Begins with a slash; variable segments are already encoded. */
	path: string;
	/** Whether a segment of the path is the ID of a record. */
	namesRecord?: boolean;
	query?: Record<string, string | number>;
	/** Sent as application/x-www-form-urlencoded. */
	form?: Record<string, string>;
	json?: Record<string, unknown>;
	/** The address to which the service is to deliver from then on: it has to be one that it can reach. */
	deliversTo?: string;
	/**
	 * Whether doing it twice is the same as doing it once. Only then may it be repeated when nobody
	 * knows what became of the first try.
	 */
	repeatable: boolean;
	/** Whether a 429 speaks of the record, and not of too many requests. */
	hasOwnLimit?: boolean;
};

/** For so long, an answer is waited for. */
export const requestTimeoutMs = 30_000;

/** When a try of a request was under way by our clock, and the time that its answer named; milliseconds. */
export type Timing = { beganMs: number; endedMs: number; serviceMs?: number };

/** What came back. `text` is the body exactly as received; header names are lower case. */
export type HttpAnswer = {
	kind: 'answer';
	status: number;
	headers: Record<string, string>;
	text: string;
	timing?: Timing;
};

/** No answer arrived. `wasSent` is false only when the request certainly never left. */
export type NoAnswer = { kind: 'noAnswer'; code: string; wasSent: boolean; timing?: Timing };

/** All that the API layer knows of the world. It never rejects for what the network or service does. */
export type Transport = (request: ApiRequest) => Promise<HttpAnswer | NoAnswer>;

/** Transports of one run by their speed. */
export type TransportAt = (requestsPerSecond?: number) => Transport;
