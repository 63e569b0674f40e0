import { memoizeAsync } from '../lib/async';
import { omitUndefined } from '../lib/json';
import type { Endpoint, ListEndpoint, Values } from './endpoint';
import { isTransient } from './errors';
import { paginate } from './pagination';
import { requestJson } from './response';
import type { Clock } from '../lib/async';
import type { ApiRequest, Transport } from './transport';

/** The address to which the service is to deliver from then on: it has to be one that it can reach. */
type Delivery = { deliversTo?: string };

const placeholder = /\{(\w+)\}/g;

/** Half an emoji, of a text that was cut, becomes another character in a query unless it is replaced. */
const halfCharacters = /\p{Cs}/gu;

const asText = (value: unknown): string =>
	(Array.isArray(value) ? value.join(',') : String(value)).replace(halfCharacters, '\ufffd');

const asTexts = (values: Values): Record<string, string> =>
	Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asText(value)]));

const asQuery = (values: Values): Record<string, string | number> => ({
	...asTexts(values),
	...(Object.fromEntries(
		Object.entries(values).filter(([, value]) => typeof value === 'number'),
	) as Record<string, number>),
});

/** v1 takes forms, v2 takes JSON; lists of v1 are texts with commas. */
const contentOf = ({ method, connection }: Endpoint, values: Values): Partial<ApiRequest> => {
	if (Object.keys(values).length === 0) return {};
	if (method === 'GET' || method === 'DELETE') return { query: asQuery(values) };
	return connection === 'basic' ? { form: asTexts(values) } : { json: values };
};

/** A call of an endpoint as a request. Values that are undefined are left out. */
export const toRequest = (
	endpoint: Endpoint,
	values: Values = {},
	{ deliversTo }: Delivery = {},
): ApiRequest => {
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
		hasOwnLimit: endpoint.hasOwnLimit,
	};
};

/**
 * The whole service behind one transport.
 *
 * `call` answers what the endpoint's schema makes of the body; `callOnce` asks once for all who ask for the
 * same; `list` gives a list's records one by one, at most `limit` of them, with as few requests as possible.
 *
 * @throws ApiError | UnexpectedResponseError | NoAnswerError see `requestJson`
 */
export const createService = (transport: Transport) => {
	const call = async <Answer>(
		endpoint: Endpoint<Answer>,
		values?: Values,
		delivery?: Delivery,
	): Promise<Answer> =>
		await requestJson(transport, toRequest(endpoint, values, delivery), endpoint.answer());

	const once = memoizeAsync();
	const callOnce = async <Answer>(endpoint: Endpoint<Answer>, values: Values): Promise<Answer> =>
		await once(
			`${endpoint.path} ${JSON.stringify(values)}`,
			async () => await call(endpoint, values),
		);

	const list = <Item, Answer>(
		endpoint: ListEndpoint<Item, Answer>,
		values: Values = {},
		limit = Infinity,
	): AsyncGenerator<Item> => {
		const { ask, read, largestPage, identify } = endpoint.pages;
		const size = Math.min(largestPage, limit);
		const fetchPage = async (cursor: unknown) =>
			read(await call(endpoint, { ...values, ...ask(cursor, size) }), cursor, size);
		return paginate({ first: undefined, fetchPage, identify }, limit);
	};
	return { call, callOnce, list };
};

export type Service = ReturnType<typeof createService>;

export type Polling<Answer> = {
	check(): Promise<Answer>;
	isDone(answer: Answer): boolean;
	intervalMs: number;
	timeoutMs: number;
	clock: Clock;
};

/**
 * Checks at once, then after each interval, and for the last time when the time is up. Once there was an answer, it
 * counts as long as the service is in trouble.
 *
 * @throws what the first check failed with, and what would fail again
 */
export const pollUntil = async <Answer>({
	check,
	isDone,
	intervalMs,
	timeoutMs,
	clock,
}: Polling<Answer>): Promise<{ answer: Answer; timedOut: boolean }> => {
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
};
