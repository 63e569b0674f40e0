import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { z } from 'zod/v4';
import { basicAuth, apiKeyHeader, safeBaseUrl } from '../api/credential';
import { ApiError, InputError, NoAnswerError, UnexpectedResponseError } from '../api/errors';
import { withoutSecrets } from '../api/privacy';
import { requestJson } from '../api/response';
import type { ApiRequest, Transport } from '../api/transport';
import { joinSentences, parseUrl } from '../lib/text';
import { textOfApiError } from '../runtime/errorTexts';
import { noAnswer, secretsOf } from '../runtime/transport';

/** What the credential's dialog says of a test that failed: what happened, and how to go on. */
export type TestedCredential = {
	host: string;
	/** What to say of a key that the service does not accept. */
	wrongKey: string;
	/** What to say when the key is known and not allowed to do this. */
	forbidden?: string;
	timeoutSeconds: number;
};

const checkBaseUrl =
	"Check 'Base URL'; leave it as it was at first unless Kudosity has given you another one";

/** Node's names of what can be wrong with a certificate. */
const isAboutCertificate = (code: string): boolean => /CERT|SIGNATURE|^ERR_(TLS|SSL)/.test(code);

const noAnswerText = (code: string, { host, timeoutSeconds }: TestedCredential): string => {
	if (isAboutCertificate(code)) {
		return joinSentences(`n8n does not trust the certificate of ${host} (${code})`, checkBaseUrl);
	}
	switch (code) {
		case 'BLOCKED_BY_N8N':
			return joinSentences(`n8n blocks requests to ${host}`, checkBaseUrl);
		case 'ENOTFOUND':
			return joinSentences(`There is no host ${host}`, checkBaseUrl);
		case 'EAI_AGAIN':
			return joinSentences(
				`The host ${host} could not be looked up`,
				`${checkBaseUrl}, and the network of n8n`,
			);
		case 'ECONNREFUSED':
			return joinSentences(`${host} refuses connections`, checkBaseUrl);
		case 'ECONNABORTED':
		case 'ETIMEDOUT':
			return joinSentences(
				`${host} did not answer within ${timeoutSeconds} seconds`,
				`${checkBaseUrl}, or try again later`,
			);
		default:
			return joinSentences(
				`The connection to ${host} broke (${code})`,
				`${checkBaseUrl}, and the network of n8n`,
			);
	}
};

const notKudosity = (host: string): string =>
	joinSentences(`${host} is not the Kudosity API`, checkBaseUrl);

const refusalText = (
	{ fields }: ApiError,
	{ host, wrongKey, forbidden }: TestedCredential,
): string => {
	const { code, message, description } = textOfApiError(fields);
	if (code === 'credential') return wrongKey;
	if (code === 'not_allowed' && forbidden) return forbidden;
	if (code === 'base_url' || code === 'not_found') return notKudosity(host);
	return joinSentences(message, description);
};

/** @throws what is no failure of a request */
export const credentialTestText = (error: unknown, tested: TestedCredential): string => {
	if (error instanceof InputError) return joinSentences(error.message, error.remedy);
	if (error instanceof NoAnswerError) return noAnswerText(error.code, tested);
	if (error instanceof ApiError) return refusalText(error, tested);
	if (error instanceof UnexpectedResponseError) {
		return joinSentences(`The answer is ${error.reason}`, notKudosity(tested.host));
	}
	throw error;
};

type Helpers = ICredentialTestFunctions['helpers'];
type Answer = { statusCode: number; body?: string };

const timeoutSeconds = 10;

type Tested = Pick<TestedCredential, 'wrongKey' | 'forbidden'> & {
	request: ApiRequest;
	proof(data: ICredentialDataDecryptedObject): object;
};

/** `request` is the one helper that n8n gives to a test, and takes its options in words of its own. */
const createTestTransport =
	(helpers: Helpers, data: ICredentialDataDecryptedObject, proof: object): Transport =>
	async ({ method, path, query }) => {
		try {
			const { statusCode, body = '' }: Answer = await helpers.request({
				...{ method, uri: `${safeBaseUrl(data.baseUrl)}${path}`, qs: query },
				...proof,
				...{ json: false, simple: false, resolveWithFullResponse: true },
				followRedirect: false,
				timeout: timeoutSeconds * 1000,
			});
			const text = withoutSecrets(body, ...secretsOf(data));
			return { kind: 'answer', status: statusCode, headers: {}, text };
		} catch (error) {
			return noAnswer(error);
		}
	};

const testCredential = async (
	helpers: Helpers,
	data: ICredentialDataDecryptedObject,
	{ request, proof, ...texts }: Tested,
): Promise<INodeCredentialTestResult> => {
	const host = parseUrl(String(data.baseUrl))?.host ?? '';
	try {
		const transport = createTestTransport(helpers, data, proof(data));
		await requestJson(transport, request, z.looseObject({}));
		return { status: 'OK', message: 'Kudosity accepts this credential' };
	} catch (error) {
		const message = credentialTestText(error, { ...texts, host, timeoutSeconds });
		return { status: 'Error', message };
	}
};

/** GET /get-balance.json with key and secret. Never rejects for what the network, the service or the user did. */
export const testBasicCredential = async function (
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await testCredential(this.helpers, data, {
		request: { connection: 'basic', method: 'GET', path: '/get-balance.json', repeatable: true },
		proof: basicAuth,
		wrongKey:
			'Kudosity did not accept this key and secret. Compare both with the API Settings of your account; the secret must be saved there',
	});
};

/** GET /v2/sms with the key. Never rejects for what the network, the service or the user did. */
export const testKeyCredential = async function (
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	return await testCredential(this.helpers, data, {
		request: {
			...{ connection: 'key', method: 'GET', path: '/v2/sms' },
			query: { limit: 1 },
			repeatable: true,
		},
		proof: apiKeyHeader,
		wrongKey: 'Kudosity did not accept this key. Compare it with the API Settings of your account',
		forbidden: 'Kudosity did not accept this key for its messaging API',
	});
};
