import { type Clock, memoizeAsync } from '../lib/async';
import { mapTexts, omitUndefined } from '../lib/json';
import { withoutHalfEmoji } from '../lib/text';
import type { Endpoint, ListEndpoint, Values } from './endpoint';
import { isTransient } from './errors';
import { paginate } from './pagination';
import { requestJson } from './response';
import type { ApiRequest, Transport } from './transport';

/** A URL that Kudosity will call (`deliversTo`), so Kudosity must be able to reach it. */
type Delivery = { deliversTo?: string };

const placeholder = /\{(\w+)\}/g;

function asText(value: unknown): string {
	return Array.isArray(value) ? value.join(',') : String(value);
}

function asTexts(values: Values): Record<string, string> {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asText(value)]));
}

function asQuery(values: Values): Record<string, string | number> {
	return Object.fromEntries(
		Object.entries(values).map(([name, value]) => [
			name,
			typeof value === 'number' ? value : asText(value),
		]),
	);
}

/**
 * Puts the values where the API expects them. GET and DELETE requests have a query. Otherwise, v1 takes form fields,
 * with lists as comma-separated text, and v2 takes JSON.
 */
function contentOf({ method, connection }: Endpoint, values: Values): Partial<ApiRequest> {
	if (Object.keys(values).length === 0) return {};
	if (method === 'GET' || method === 'DELETE') return { query: asQuery(values) };
	return connection === 'basic' ? { form: asTexts(values) } : { json: values };
}

/** Builds the request for a call. Omits undefined values. */
function toRequest(
	endpoint: Endpoint,
	given: Values = {},
	{ deliversTo }: Delivery = {},
): ApiRequest {
	const values = mapTexts(given, withoutHalfEmoji) as Values;
	const inPath = new Set([...endpoint.path.matchAll(placeholder)].map(([, name]) => name));
	const others = Object.entries(omitUndefined(values)).filter(([name]) => !inPath.has(name));
	return {
		connection: endpoint.connection,
		method: endpoint.method,
		path: endpoint.path.replace(placeholder, (_, name: string) =>
			encodeURIComponent(String(values[name])),
		),
		namesRecord: inPath.size > 0,
		...contentOf(endpoint, Object.fromEntries(others)),
		deliversTo,
		repeatable: endpoint.verb !== 'send',
		isPerRecordLimit: endpoint.isPerRecordLimit,
	};
}

/**
 * Creates the client for the service's endpoints. `call` returns the response body as parsed by the endpoint's schema.
 * `callShared` makes only one request for identical calls. `list` yields a list's records one by one, at most `limit`
 * of them, in as few requests as possible. All three can throw ApiError, UnexpectedResponseError or NoAnswerError (see
 * `requestJson`).
 */
export function createService(transport: Transport) {
	const call = async <Answer>(
		endpoint: Endpoint<Answer>,
		values?: Values,
		delivery?: Delivery,
	): Promise<Answer> =>
		await requestJson(transport, toRequest(endpoint, values, delivery), endpoint.answer());

	const once = memoizeAsync();
	const callShared = async <Answer>(endpoint: Endpoint<Answer>, values: Values): Promise<Answer> =>
		await once(
			`${endpoint.path} ${JSON.stringify(values)}`,
			async () => await call(endpoint, values),
		);

	const list = <Item, Answer>(
		endpoint: ListEndpoint<Item, Answer>,
		values: Values = {},
		limit = Infinity,
	): AsyncGenerator<Item> => {
		const { ask, read, maxPageSize, identify } = endpoint.pages;
		const size = Math.min(maxPageSize, limit);
		const fetchPage = async (cursor: unknown) =>
			read(await call(endpoint, { ...values, ...ask(cursor, size) }), cursor, size);
		return paginate({ fetchPage, identify }, limit);
	};
	return { call, callShared, list };
}

export type Service = ReturnType<typeof createService>;
export type TimedService = Service & { clock: Clock };

type Polling<Answer> = {
	check(): Promise<Answer>;
	isDone(answer: Answer): boolean;
	intervalMs: number;
	timeoutMs: number;
	clock: Clock;
};

/**
 * Checks immediately, then at every interval, and once more at the deadline. If a later check fails with a transient
 * error, the previous answer is used.
 *
 * @throws the first check's error, or any error that isn't transient
 */
export async function pollUntil<Answer>(
	polling: Polling<Answer>,
): Promise<{ answer: Answer; timedOut: boolean }> {
	const { check, isDone, intervalMs, timeoutMs, clock } = polling;
	let last: { answer: Answer } | undefined;
	const look = async (): Promise<Answer> =>
		await check().then(
			(answer) => (last = { answer }).answer,
			(error: unknown) => {
				if (last && isTransient(error)) return last.answer;
				throw error;
			},
		);
	const endsAtMs = clock.now() + timeoutMs;
	for (;;) {
		const answer = await look();
		if (isDone(answer)) return { answer, timedOut: false };
		const leftMs = endsAtMs - clock.now();
		if (leftMs <= 0) return { answer, timedOut: true };
		await clock.sleep(Math.min(intervalMs, leftMs));
	}
}
