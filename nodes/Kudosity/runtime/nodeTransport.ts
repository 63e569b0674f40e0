import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { safeBaseUrl } from '../api/credential';
import type { Clock } from '../api/clock';
import { InputError, NotSentError } from '../api/errors';
import { defaultRequestsPerSecond } from '../api/limiter';
import { withoutSecrets } from '../api/privacy';
import { withPacing, type Pacing } from '../api/retry';
import {
	requestTimeoutMs,
	type ApiRequest,
	type Connection,
	type Transport,
	type TransportAt,
} from '../api/transport';
import { limiterFor } from './accounts';
import { credentialNames, credentialOf } from './credentials';
import { requireReachable } from './reachable';
import { noAnswer } from './requestFailure';

const bodyOf = ({ form, json }: ApiRequest): Pick<IHttpRequestOptions, 'body'> => {
	if (form) return { body: new URLSearchParams(form) };
	return json ? { body: json as IDataObject } : {};
};

/** Node's own header values may be lists; the API layer reads single texts. */
const headerTexts = (headers: unknown): Record<string, string> =>
	Object.fromEntries(
		Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
	);

const requestOptions = (request: ApiRequest, baseURL: string): IHttpRequestOptions => ({
	method: request.method,
	baseURL,
	url: request.path,
	...(request.query ? { qs: request.query } : {}),
	...bodyOf(request),
	headers: {
		accept: 'application/json',
		...(request.json ? { 'content-type': 'application/json' } : {}),
	},
	// The body is parsed by the API layer, which can tell broken JSON from text.
	encoding: 'text',
	returnFullResponse: true,
	// n8n repeats a request after a 401 unless statuses are left to the caller: a second SMS.
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
	sendCredentialsOnCrossOriginRedirect: false,
	timeout: requestTimeoutMs,
});

type Connected = {
	credentialName: string;
	credential: ICredentialDataDecryptedObject;
	baseUrl: string;
};

/** Until an answer is complete. Of one that has begun, axios only says that nothing more has come for a while. */
const longestAnswerMs = 2 * requestTimeoutMs;

/** The context for requests that `signal` ends, in place of the execution's own: n8n's helper takes it from there. */
export const endedBy = (
	signal: AbortSignal | undefined,
	context: IAllExecuteFunctions,
): IAllExecuteFunctions =>
	Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IAllExecuteFunctions;

const endedInTime = (
	context: IAllExecuteFunctions,
	deadline: AbortSignal,
): IAllExecuteFunctions => {
	const stopped =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	return endedBy(stopped ? AbortSignal.any([stopped, deadline]) : deadline, context);
};

/** The secrets of a credential in every form in which they are sent; last, the one that its user made up. */
export const secretsOf = ({
	apiKey,
	apiSecret,
}: ICredentialDataDecryptedObject): [string[], string[]] => {
	const pair = Buffer.from(`${String(apiKey)}:${String(apiSecret)}`).toString('base64');
	return apiSecret === undefined
		? [[String(apiKey)], []]
		: [[String(apiKey), pair], [String(apiSecret)]];
};

/**
 * One request through n8n's helper, which adds the credential: the one that was read, since n8n would read it
 * again each time, and a key that was changed meanwhile would go to the address of the former one.
 */
const createPlainTransport = (
	context: IAllExecuteFunctions,
	{ credentialName, credential, baseUrl }: Connected,
): Transport => {
	const secrets = secretsOf(credential);
	const credentialsDecrypted = {
		id: '',
		name: credentialName,
		type: credentialName,
		data: credential,
	};
	return async (request) => {
		const deadline = AbortSignal.timeout(longestAnswerMs);
		try {
			const response: { body: unknown; headers: unknown; statusCode: number } =
				await context.helpers.httpRequestWithAuthentication.call(
					endedInTime(context, deadline),
					credentialName,
					requestOptions(request, baseUrl),
					{ credentialsDecrypted },
				);
			const { body, headers, statusCode } = response;
			return {
				kind: 'answer',
				status: statusCode,
				headers: headerTexts(headers),
				text: withoutSecrets(typeof body === 'string' ? body : JSON.stringify(body), ...secrets),
			};
		} catch (error) {
			return deadline.aborted
				? { kind: 'noAnswer', code: 'ETIMEDOUT', wasSent: true }
				: noAnswer(error);
		}
	};
};

/** Only the playground, a service on this very machine, delivers to this machine. */
const unreachable = (): InputError =>
	new InputError(
		'Kudosity cannot reach the URL: it is an address of this machine',
		'Use an https address that the internet reaches',
	);

/** @throws InputError the service cannot deliver to the address that a request names */
export const checkDelivery = async (
	context: IAllExecuteFunctions,
	{ connection, deliversTo: url }: Pick<ApiRequest, 'connection' | 'deliversTo'>,
): Promise<void> => {
	if (url !== undefined) await requireReachable(context, { connection, url }, unreachable);
};

type Rules = Pick<Pacing, 'policy' | 'mayBegin'> & {
	/** Whether its requests start before those of all runs that are not so. */
	goesFirst?: boolean;
};

/**
 * Transports for one node run. They share a line of their own, in which each request keeps to its speed, in
 * front of the one of their account.
 */
export const createTransports = (
	context: IAllExecuteFunctions,
	clock: Clock,
	{ goesFirst, ...rules }: Rules = {},
): TransportAt => {
	const connect = async (connection: Connection) => {
		const credential = await credentialOf(context, connection).catch((reason: unknown) => {
			throw new NotSentError(reason);
		});
		const baseUrl = safeBaseUrl(credential.baseUrl);
		const credentialName = credentialNames[connection];
		return {
			plain: createPlainTransport(context, { credentialName, credential, baseUrl }),
			line: limiterFor(credential.apiKey, clock.now()).openLine(clock, { goesFirst }),
		};
	};
	const connections = new Map<Connection, ReturnType<typeof connect>>();
	const connectOnce = async (connection: Connection) => {
		const known = connections.get(connection) ?? connect(connection);
		connections.set(connection, known);
		return await known;
	};

	return (requestsPerSecond = defaultRequestsPerSecond, watch = (transport) => transport) =>
		async (request) => {
			const { plain, line } = await connectOnce(request.connection);
			await checkDelivery(context, request);
			return await withPacing(watch(plain), { clock, line, requestsPerSecond, ...rules })(request);
		};
};
