import { describe, expect, it } from 'vitest';
import { createContexts } from './harness.ts';

type Answer = { statusCode: number; body: string };
type Options = Record<string, unknown>;

const ok: Answer = { statusCode: 200, body: '{}' };
const html = '<!doctype html><title>Welcome</title>';

const types = {
	kudosityKeyApi: {
		data: { apiKey: 'api-key-1', baseUrl: 'https://api.example' },
		url: 'https://api.example/v2/sms',
		proof: { headers: expect.objectContaining({ 'x-api-key': 'api-key-1' }) },
	},
	kudosityBasicApi: {
		data: { apiKey: 'api-key-1', apiSecret: 'api-secret-1', baseUrl: 'https://api.example' },
		url: 'https://api.example/get-balance.json',
		proof: { auth: { username: 'api-key-1', password: 'api-secret-1' } },
	},
};
const names = Object.keys(types) as Array<keyof typeof types>;

/** Presses Test in the dialog of a credential; n8n's helper answers so, or fails so. */
const press = async (name: keyof typeof types, outcome: Answer | Error, changes: Options = {}) => {
	const { nodeType } = await createContexts('kudosity', { parameters: {}, credentials: {} });
	const used = nodeType.description.credentials?.find((each) => each.name === name);
	const test = nodeType.methods!.credentialTest![String(used?.testedBy)]!;
	const requests: Options[] = [];
	const request = async (options: Options) => {
		requests.push(options);
		if (outcome instanceof Error) throw outcome;
		return outcome;
	};
	const data = { ...types[name].data, ...changes };
	const credential = { id: '1', name: 'Mine', type: name, data };
	const told = await test.call({ helpers: { request } } as never, credential as never);
	return { ...told, requests };
};

/** Each case with what is said, where it is not what is expected. */
const differing = async <Case>(
	cases: Array<[Case, RegExp]>,
	say: (each: Case) => Promise<{ status: string; message: string }>,
) => {
	const told = await Promise.all(cases.map(async ([each]) => await say(each)));
	return told.filter(
		({ status, message }, index) =>
			status !== 'Error' || !cases[index]![1].test(message) || /key-1|secret-1/.test(message),
	);
};

describe.each(names)('the test of %s', (name) => {
	const { url, proof, data } = types[name];

	it('asks once, with the key, and follows no redirect', async () => {
		const { status, requests } = await press(name, ok);
		expect(status).toBe('OK');
		expect(requests).toMatchObject([{ method: 'GET', uri: url, followRedirect: false, ...proof }]);
		expect((await press(name, ok, { baseUrl: 'http://[::1]:4010' })).status).toBe('OK');
	});

	it('says in words how the connection failed, what to do, and never the key', async () => {
		const cases: Array<[string, RegExp]> = [
			['ENOTFOUND', /not find api\.example.*Base URL.*network/],
			['EAI_AGAIN', /not find api\.example.*Base URL.*network/],
			['ECONNREFUSED', /api\.example refuses.*Base URL/],
			['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate of api\.example.*Base URL/],
			['ERR_TLS_CERT_ALTNAME_INVALID', /certificate of api\.example.*Base URL/],
			['CERT_HAS_EXPIRED', /certificate of api\.example.*NODE_EXTRA_CA_CERTS.*Base URL/],
			['INVALID_CA', /certificate of api\.example.*NODE_EXTRA_CA_CERTS.*Base URL/],
			['ERR_SSL_WRONG_VERSION_NUMBER', /connection to api\.example was lost.*WRONG_VERSION/],
			['ECONNABORTED', /api\.example did not respond within 10 seconds/],
			['ETIMEDOUT', /api\.example did not respond within 10 seconds/],
			['ECONNRESET', /connection to api\.example was lost.*ECONNRESET/],
			['SsrfBlockedIpError', /n8n blocks requests to api\.example/],
		];
		const failing = async (code: string) =>
			await press(name, Object.assign(new Error(`x api-key-1 ${code}`), { code, name: code }));
		expect(await differing(cases, failing)).toEqual([]);
	});

	it('says what the service answered, what to do, and never the key', async () => {
		const keys = { error: { code: 'FIELD_INVALID', description: Object.values(data).join(' ') } };
		const cases: Array<[[number, string], RegExp]> = [
			[[401, '{"error":{"code":"AUTH_FAILED"}}'], /did not accept this key/],
			[[404, html], /api\.example is not the Kudosity API.*Base URL/],
			[[405, ''], /api\.example is not the Kudosity API.*Base URL/],
			[[302, ''], /Base URL redirects to another address/i],
			[[200, html], /HTML page.*api\.example is not the Kudosity API.*Base URL/],
			[[200, ''], /empty.*api\.example is not the Kudosity API.*Base URL/],
			[[200, '[1]'], /api\.example is not the Kudosity API.*Base URL/],
			[[200, '{"error":{"code":"AUTH_FAILED","description":"no"}}'], /did not accept this key/],
			[[429, ''], /too many requests.*try again/i],
			[[503, html], /could not process.*503.*try again/i],
			[[400, JSON.stringify(keys)], /does not accept one of the values.*\*\*\*/],
			[[403, ''], name === 'kudosityKeyApi' ? /to use its messaging API/ : /not allowed/],
		];
		const answering = async ([statusCode, body]: [number, string]) =>
			await press(name, { statusCode, body });
		expect(await differing(cases, answering)).toEqual([]);
	});

	it.each([
		[{ baseUrl: 'http://kudosity.example' }, /https/],
		[{ baseUrl: 'kudosity.example' }, /not a valid URL/],
		[{ baseUrl: 'https://user:pw@kudosity.example' }, /more than a host/],
		[
			{ apiKey: '' },
			/'API Key' in the credential is empty\. Copy the value again from API Settings/,
		],
	])('sends nothing with %j', async (changes, message) => {
		const { status, requests, ...told } = await press(name, ok, changes);
		expect({ status, requests }).toEqual({ status: 'Error', requests: [] });
		expect(told.message).toMatch(message);
	});

	it.each(['key\r\nX-Injected: yes', 'key\n', ' key', 'key ', 'ke\u200by', 'key\u0000'])(
		'refuses what was copied along with a key, and does not show it: %j',
		async (apiKey) => {
			const { message, requests } = await press(name, ok, { apiKey });
			expect(message).toContain("'API Key' in the credential has an invisible");
			expect(message).not.toMatch(/X-Injected/);
			expect(requests).toEqual([]);
		},
	);
});

it('takes a key and a secret as they are, and says where a missing secret comes from', async () => {
	const [apiKey, apiSecret] = ['my key a+b/c==', 'ключ-ähnlich'];
	const { requests } = await press('kudosityBasicApi', ok, { apiKey, apiSecret });
	expect(requests).toMatchObject([{ auth: { username: apiKey, password: apiSecret } }]);
	const missing = await press('kudosityBasicApi', ok, { apiSecret: '' });
	expect(missing.message).toMatch(/^'API Secret' in the credential is empty\. .*choose one/);
});
