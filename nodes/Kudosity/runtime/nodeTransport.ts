import { createHash } from 'crypto';
import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { safeBaseUrl } from '../api/credential';
import type { Clock } from '../api/clock';
import { InputError, NotSentError } from '../api/errors';
import { createLimiter, type Limiter } from '../api/limiter';
import { withoutSecrets } from '../api/privacy';
import { canReach } from '../api/reachability';
import { withPacing, type Pacing } from '../api/retry';
import type { ApiRequest, Connection, Transport } from '../api/transport';
import { noAnswer } from './requestFailure';

/** The credential of each API. The only place that knows their names. */
export const credentialNames = {
	basic: 'kudosityBasicApi',
	key: 'kudosityKeyApi',
} as const satisfies Record<Connection, string>;

/** The account's limit is 15 requests a second; one is left for whatever else uses the account. */
export const defaultRequestsPerSecond = 14;

const timeoutMs = 30_000;

/** One limiter for each account in this process: both APIs of an account share its limit and its key. */
const limiters = new Map<string, Limiter>();

const limiterFor = (apiKey: unknown): Limiter => {
	const account = createHash('sha256').update(String(apiKey)).digest('base64');
	const limiter = limiters.get(account) ?? createLimiter();
	limiters.set(account, limiter);
	return limiter;
};

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
	timeout: timeoutMs,
});

type Connected = { credentialName: string; baseUrl: string; secrets: string[] };

/** The secrets of a credential in every form in which they are sent. */
const secretsOf = ({ apiKey, apiSecret }: ICredentialDataDecryptedObject): string[] => {
	const pair = Buffer.from(`${String(apiKey)}:${String(apiSecret)}`).toString('base64');
	return [String(apiKey), ...(apiSecret === undefined ? [] : [String(apiSecret), pair])];
};

/** One request through n8n's helper, which adds the credential. */
const createPlainTransport =
	(context: IAllExecuteFunctions, { credentialName, baseUrl, secrets }: Connected): Transport =>
	async (request) => {
		try {
			const response: { body: unknown; headers: unknown; statusCode: number } =
				await context.helpers.httpRequestWithAuthentication.call(
					context,
					credentialName,
					requestOptions(request, baseUrl),
				);
			const { body, headers, statusCode } = response;
			return {
				kind: 'answer',
				status: statusCode,
				headers: headerTexts(headers),
				text: withoutSecrets(typeof body === 'string' ? body : JSON.stringify(body), secrets),
			};
		} catch (error) {
			return noAnswer(error);
		}
	};

/** Only the playground, a service on this very machine, delivers to this machine. */
const unreachable = (): InputError =>
	new InputError(
		'Kudosity cannot reach the URL of the webhook: it is an address of this machine',
		'Use the https address by which the internet reaches whatever takes the events',
	);

/**
 * Transports for one node run. Each keeps to its own speed, all share the limiter of their account.
 * The credential is read once per API and run.
 */
export const createTransports = (
	context: IAllExecuteFunctions,
	clock: Clock,
	rules: Pick<Pacing, 'policy' | 'mayBegin'> = {},
) => {
	const connect = async (connection: Connection) => {
		const name = credentialNames[connection];
		const credential = await context.getCredentials(name).catch((reason: unknown) => {
			throw new NotSentError(reason);
		});
		const baseUrl = safeBaseUrl(credential.baseUrl);
		const connected = { credentialName: name, baseUrl, secrets: secretsOf(credential) };
		return {
			baseUrl,
			plain: createPlainTransport(context, connected),
			limiter: limiterFor(credential.apiKey),
		};
	};
	const connections = new Map<Connection, ReturnType<typeof connect>>();
	const connectOnce = async (connection: Connection) => {
		const known = connections.get(connection) ?? connect(connection);
		connections.set(connection, known);
		return await known;
	};

	return (requestsPerSecond = defaultRequestsPerSecond): Transport =>
		async (request) => {
			const { baseUrl, plain, limiter } = await connectOnce(request.connection);
			const { deliversTo } = request;
			if (deliversTo !== undefined && !canReach(baseUrl, deliversTo)) throw unreachable();
			return await withPacing(plain, { clock, limiter, requestsPerSecond, ...rules })(request);
		};
};
