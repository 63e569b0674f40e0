import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { z } from 'zod/v4';
import { basicProof, keyProof, safeBaseUrl } from '../api/credential';
import { withoutSecrets } from '../api/privacy';
import { requestJson } from '../api/request';
import type { ApiRequest, Transport } from '../api/transport';
import { secretsOf } from '../runtime/nodeTransport';
import { noAnswer } from '../runtime/requestFailure';
import { credentialTestText, type TestedCredential } from './credentialTestTexts';

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
	const host = URL.canParse(String(data.baseUrl)) ? new URL(String(data.baseUrl)).host : '';
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
		proof: basicProof,
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
		proof: keyProof,
		wrongKey: 'Kudosity did not accept this key. Compare it with the API Settings of your account',
		forbidden: 'Kudosity did not accept this key for its messaging API',
	});
};
