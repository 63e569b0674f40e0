import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunction,
	ICredentialTestFunctions,
} from 'n8n-workflow';
import { z } from 'zod/v4';
import { basicAuth, apiKeyHeader, safeBaseUrl } from '../api/credential';
import { ApiError, InputError, NoAnswerError, UnexpectedResponseError } from '../api/errors';
import { maskSecrets } from '../api/privacy';
import { refusalCodeOf } from '../api/refusalCodes';
import { requestJson } from '../api/response';
import type { ApiRequest, Transport } from '../api/transport';
import { joinSentences, parseUrl } from '../lib/text';
import {
	checkBaseUrl,
	type TestedCredential,
	textOfApiError,
	textOfUntestable,
} from '../n8n/errorTexts';
import { headerTexts, noAnswer, secretsOf } from '../n8n/transport';

const notKudosity = (host: string): string =>
	joinSentences(`${host} is not the Kudosity API`, checkBaseUrl);

function refusalText(
	{ fields }: ApiError,
	{ host, wrongKey, forbidden }: TestedCredential,
): string {
	const code = refusalCodeOf(fields);
	if (code === 'credential') return wrongKey;
	if (code === 'not_allowed' && forbidden) return forbidden;
	if (code === 'base_url' || code === 'not_found') return notKudosity(host);
	const { message, description } = textOfApiError(fields);
	return joinSentences(message, description);
}

/** Returns the message for a failed test. @throws any error that isn't a failed request */
function credentialTestText(error: unknown, tested: TestedCredential): string {
	if (error instanceof InputError) return joinSentences(error.message, error.remedy);
	if (error instanceof NoAnswerError) return textOfUntestable(error.code, tested);
	if (error instanceof ApiError) return refusalText(error, tested);
	if (error instanceof UnexpectedResponseError) {
		return joinSentences(`The response is ${error.reason}`, notKudosity(tested.host));
	}
	throw error;
}

type RawAnswer = { statusCode: number; headers?: Record<string, unknown>; body?: string };

const timeoutSeconds = 10;

type Tested = Pick<TestedCredential, 'wrongKey' | 'forbidden'> & {
	request: ApiRequest;
	authenticate(data: ICredentialDataDecryptedObject): object;
};

/**
 * Creates the transport for a credential test. For credential tests, n8n only offers the helper `request`, whose
 * options are named differently from those of n8n's other request helpers.
 */
const createTestTransport =
	(
		{ helpers }: ICredentialTestFunctions,
		data: ICredentialDataDecryptedObject,
		authentication: object,
	): Transport =>
	async ({ method, path, query }) => {
		try {
			const {
				statusCode,
				headers,
				body = '',
			}: RawAnswer = await helpers.request({
				...{ method, uri: `${safeBaseUrl(data.baseUrl)}${path}`, qs: query },
				...authentication,
				...{ json: false, simple: false, resolveWithFullResponse: true },
				followRedirect: false,
				timeout: timeoutSeconds * 1000,
			});
			const text = maskSecrets(body, secretsOf(data));
			return { kind: 'answer', status: statusCode, headers: headerTexts(headers), text };
		} catch (error) {
			return noAnswer(error);
		}
	};

/**
 * Creates a credential test. The test's promise never rejects, even after network errors, service errors or invalid
 * input.
 */
const credentialTest = ({ request, authenticate, ...texts }: Tested): ICredentialTestFunction =>
	async function ({ data = {} }) {
		const host = parseUrl(String(data.baseUrl))?.host ?? '';
		try {
			const transport = createTestTransport(this, data, authenticate(data));
			await requestJson(transport, request, z.looseObject({}));
			return { status: 'OK', message: 'Kudosity accepts this credential' };
		} catch (error) {
			const message = credentialTestText(error, { ...texts, host, timeoutSeconds });
			return { status: 'Error', message };
		}
	};

export const testBasicCredential = credentialTest({
	request: { connection: 'basic', method: 'GET', path: '/get-balance.json', repeatable: true },
	authenticate: basicAuth,
	wrongKey:
		"Kudosity did not accept this key and secret. Compare both with those under API Settings in Kudosity. Don't change the secret there if other apps use it",
});

export const testKeyCredential = credentialTest({
	request: {
		...{ connection: 'key', method: 'GET', path: '/v2/sms' },
		query: { limit: 1 },
		repeatable: true,
	},
	authenticate: apiKeyHeader,
	wrongKey:
		'Kudosity did not accept this key. Compare it with the one under API Settings in Kudosity',
	forbidden: 'Kudosity does not allow this key to use its messaging API',
});
