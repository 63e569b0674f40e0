import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { apiKeyHeader, basicAuth, safeBaseUrl } from '../api/credential';
import { CredentialUnavailableError, InputError, isAboutCertificate } from '../api/errors';
import { maskSecrets } from '../api/privacy';
import { defaultRequestsPerSecond } from '../api/rateLimiter';
import { type Pacing, withPacing } from '../api/retry';
import {
	type ApiRequest,
	type Connection,
	type NoAnswer,
	requestTimeoutMs,
	type Transport,
	type TransportAt,
} from '../api/transport';
import { type Clock, memoizeAsync } from '../lib/async';
import { credentialNames, credentialOf, isReachable } from './credentials';
import { limiterFor } from './rateLimiters';

/** Error codes of failed connections, after which the request certainly didn't reach the service. */
const neverSentCodes = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'];

/** The calls that come before a request is sent: to find the address of a host, and to connect to it. */
const callsBefore = ['getaddrinfo', 'connect'];

const property = (value: unknown, name: string): unknown =>
	typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/**
 * Returns an error and its chain of causes. The depth allows for the errors of n8n, axios and Node.js, the error for
 * the first address that Node.js tried, and one to spare.
 */
function causesOf(error: unknown, depth = 5): unknown[] {
	if (error === undefined || depth === 0) return [];
	const [first] = ['cause', 'errorResponse', 'errors'].flatMap(
		(name) => property(error, name) ?? [],
	);
	return [error, ...causesOf(first, depth - 1)];
}

const firstText = (errors: unknown[], ...names: string[]): string | undefined =>
	names
		.flatMap((name) => errors.map((error) => [property(error, name)].flat()[0]))
		.find((value) => typeof value === 'string');

/** Whether n8n's SSRF protection blocked the request before it was sent. */
const isBlockedByN8n = (error: unknown): boolean =>
	String(property(error, 'name')).startsWith('SsrfBlocked');

/**
 * Turns an error from n8n's HTTP helper into a missing response.
 *
 * @throws InputError - the credential is invalid, so nothing was sent
 */
export function noAnswer(error: unknown): NoAnswer {
	const causes = causesOf(error);
	const wrongInput = causes.find((cause) => cause instanceof InputError);
	if (wrongInput) throw wrongInput;
	if (causes.some(isBlockedByN8n)) {
		return { kind: 'noAnswer', code: 'BLOCKED_BY_N8N', wasSent: false };
	}
	// Only the code is used. The error's message may contain the API key, and n8n 1 drops the error's other details.
	const code = firstText(causes, 'code', 'httpCode') ?? 'NO_ANSWER';
	// A failed attempt to connect means that nothing was sent. But a connection can also break later, at a read or a
	// write, after it has carried the request.
	const [syscall = ''] = firstText(causes, 'syscall', 'messages')?.split(' ') ?? [];
	const neverSent =
		callsBefore.includes(syscall) || neverSentCodes.includes(code) || isAboutCertificate(code);
	return { kind: 'noAnswer', code, wasSent: ['read', 'write'].includes(syscall) || !neverSent };
}

/** Turns each header's value into a single string. In Node.js, it can be a list. */
export function headerTexts(headers: unknown): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
	);
}

const requestOptions = (request: ApiRequest, baseURL: string): IHttpRequestOptions => ({
	method: request.method,
	baseURL,
	url: request.path,
	...(request.query && { qs: request.query }),
	...(request.form && { body: new URLSearchParams(request.form) }),
	...(request.json && { body: request.json as IDataObject }),
	headers: {
		accept: 'application/json',
		...(request.json && { 'content-type': 'application/json' }),
	},
	// The body is requested as text, because the API layer parses it itself and can then detect broken JSON.
	encoding: 'text',
	returnFullResponse: true,
	// Otherwise, n8n would retry the request after a 401, which could send a second SMS.
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
	sendCredentialsOnCrossOriginRedirect: false,
	timeout: requestTimeoutMs,
});

/**
 * The longest time until a response is complete. Once a response has begun, axios only times out if no more data
 * arrives.
 */
const maxAnswerMs = 2 * requestTimeoutMs;

/** Returns the context with a different stop signal. n8n's HTTP helper takes the signal from its context. */
export function withSignal(context: IAllExecuteFunctions, signal: AbortSignal | undefined) {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IAllExecuteFunctions;
}

/** Lists a credential's secrets in every form in which they are sent. */
export function secretsOf({ apiKey, apiSecret }: ICredentialDataDecryptedObject): string[] {
	if (apiSecret === undefined) return [String(apiKey)];
	const pair = Buffer.from(`${String(apiKey)}:${String(apiSecret)}`).toString('base64');
	return [String(apiKey), pair, String(apiSecret)];
}

/**
 * Creates a transport that makes one request through n8n's HTTP helper, which adds the credential. The helper gets the
 * credential that was already read. If it read the credential again, a new key could be sent to the old base URL.
 */
function createPlainTransport(
	context: IAllExecuteFunctions,
	connection: Connection,
	credential: ICredentialDataDecryptedObject,
	now: () => number,
): Transport {
	const baseUrl = safeBaseUrl(credential.baseUrl);
	// This refuses a value that isn't a valid header. If n8n's helper refused it, n8n 1 would hide the cause.
	(connection === 'key' ? apiKeyHeader : basicAuth)(credential);
	const credentialName = credentialNames[connection];
	const secrets = secretsOf(credential);
	const credentialsDecrypted = {
		id: '',
		name: credentialName,
		type: credentialName,
		data: credential,
	};
	const send: Transport = async (request) => {
		const deadline = AbortSignal.timeout(maxAnswerMs);
		const stopped =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		const signal = stopped ? AbortSignal.any([stopped, deadline]) : deadline;
		try {
			const response: { body: unknown; headers: unknown; statusCode: number } =
				await context.helpers.httpRequestWithAuthentication.call(
					withSignal(context, signal),
					credentialName,
					requestOptions(request, baseUrl),
					{ credentialsDecrypted },
				);
			const { body, headers, statusCode } = response;
			return {
				kind: 'answer',
				status: statusCode,
				headers: headerTexts(headers),
				text: maskSecrets(typeof body === 'string' ? body : JSON.stringify(body), secrets),
			};
		} catch (error) {
			return deadline.aborted
				? { kind: 'noAnswer', code: 'ETIMEDOUT', wasSent: true }
				: noAnswer(error);
		}
	};
	return async (request) => {
		const beganMs = now();
		const result = await send(request);
		const date = result.kind === 'answer' ? Date.parse(result.headers.date ?? '') : NaN;
		const serviceMs = Number.isNaN(date) ? undefined : date;
		return { ...result, timing: { beganMs, endedMs: now(), serviceMs } };
	};
}

/**
 * Checks a URL that Kudosity is to call. A local address only works if the API itself runs on this machine.
 *
 * @throws InputError - Kudosity can't reach the URL
 */
export async function checkDelivery(
	context: IAllExecuteFunctions,
	{ connection, deliversTo: url }: Pick<ApiRequest, 'connection' | 'deliversTo'>,
): Promise<void> {
	if (url === undefined || (await isReachable(context, { connection, url }))) return;
	throw new InputError(
		"Kudosity can't reach this URL: it is a local address",
		'Use a public https address',
	);
}

type Rules = Pick<Pacing, 'policy' | 'canStart'> & {
	/** Whether these requests go before those of all other runs. */
	hasPriority?: boolean;
};

/**
 * Creates the transports of one node run. They share the run's own queue, which has its own rate, in front of the
 * account's queue.
 */
export function createTransports(
	context: IAllExecuteFunctions,
	clock: Clock,
	{ hasPriority, canStart, policy }: Rules = {},
): TransportAt {
	const connect = async (connection: Connection) => {
		const credential = await credentialOf(context, connection).catch((reason: unknown) => {
			throw new CredentialUnavailableError(reason);
		});
		return {
			plain: createPlainTransport(context, connection, credential, clock.now),
			queue: limiterFor(credential.apiKey, clock.now()).openQueue(clock, { hasPriority }),
		};
	};
	const once = memoizeAsync();

	return (requestsPerSecond = defaultRequestsPerSecond, requireTime) =>
		async (request) => {
			const mayStart = () => {
				requireTime?.();
				return canStart?.() ?? true;
			};
			const { connection } = request;
			const { plain, queue } = await once(connection, async () => await connect(connection));
			await checkDelivery(context, request);
			return await withPacing(plain, {
				clock,
				queue,
				requestsPerSecond,
				policy,
				canStart: mayStart,
			})(request);
		};
}
