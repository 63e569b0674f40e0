import { describe, expect, it } from 'vitest';
import { testBasicCredential, testKeyCredential } from '../../../seams.ts';

type Answer = { statusCode: number; body: string };
type Options = Record<string, unknown>;

const ok: Answer = { statusCode: 200, body: '{}' };
const html = '<!doctype html><title>Welcome</title>';

/** n8n's helper for tests of credentials: answers so, or fails so, and notes what it was asked for. */
const fakeHelper = (outcome: Answer | Error) => {
	const requests: Options[] = [];
	const request = async (options: Options) => {
		requests.push(options);
		if (outcome instanceof Error) throw outcome;
		return outcome;
	};
	return { requests, context: { helpers: { request } } as never };
};

const failure = (code: string) => Object.assign(new Error(`x api-key-1 ${code}`), { code });

const types = [
	{
		name: 'kudosityKeyApi',
		test: testKeyCredential,
		data: { apiKey: 'api-key-1', baseUrl: 'https://api.example' },
		url: 'https://api.example/v2/sms',
		proof: { headers: expect.objectContaining({ 'x-api-key': 'api-key-1' }) },
	},
	{
		name: 'kudosityBasicApi',
		test: testBasicCredential,
		data: { apiKey: 'api-key-1', apiSecret: 'api-secret-1', baseUrl: 'https://api.example' },
		url: 'https://api.example/get-balance.json',
		proof: { auth: { username: 'api-key-1', password: 'api-secret-1' } },
	},
] as const;

describe.each(types)('the test of $name', ({ name, test, data, url, proof }) => {
	const run = async (outcome: Answer | Error, changes: Options = {}) => {
		const { context, requests } = fakeHelper(outcome);
		const credential = { id: '1', name: 'Mine', type: name, data: { ...data, ...changes } };
		return { ...(await test.call(context, credential as never)), requests };
	};

	it('asks once, with the key, and follows no redirect', async () => {
		const { status, requests } = await run(ok);
		expect(status).toBe('OK');
		expect(requests).toMatchObject([{ method: 'GET', uri: url, followRedirect: false, ...proof }]);
	});

	it.each([
		['ENOTFOUND', /no host api\.example.*Base URL/],
		['EAI_AGAIN', /api\.example.*looked up.*Base URL.*network/],
		['ECONNREFUSED', /api\.example refuses.*Base URL/],
		['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate of api\.example.*Base URL/],
		['ERR_TLS_CERT_ALTNAME_INVALID', /certificate of api\.example.*Base URL/],
		['CERT_HAS_EXPIRED', /certificate of api\.example.*Base URL/],
		['ECONNABORTED', /api\.example did not answer within 10 seconds/],
		['ETIMEDOUT', /api\.example did not answer within 10 seconds/],
		['ECONNRESET', /connection to api\.example broke.*ECONNRESET/],
	])('says in words what %s means, and what to do', async (code, message) => {
		const answer = await run(failure(code));
		expect(answer).toMatchObject({ status: 'Error', message: expect.stringMatching(message) });
		expect(answer.message).not.toContain('api-key-1');
	});

	it('says that n8n itself has blocked the address', async () => {
		const blocked = Object.assign(new Error('blocked'), { name: 'SsrfBlockedIpError' });
		expect((await run(blocked)).message).toMatch(/n8n blocks requests to api\.example/);
	});

	it.each([
		[401, '{"error":{"code":"AUTH_FAILED"}}', /did not accept this key/],
		[404, html, /api\.example is not the Kudosity API.*Base URL/],
		[405, '', /api\.example is not the Kudosity API.*Base URL/],
		[302, '', /Base URL leads to another address/i],
		[200, html, /HTML page.*api\.example is not the Kudosity API.*Base URL/],
		[200, '', /empty.*api\.example is not the Kudosity API.*Base URL/],
		[200, '[1]', /api\.example is not the Kudosity API.*Base URL/],
		[200, '{"error":{"code":"AUTH_FAILED","description":"no"}}', /did not accept this key/],
		[429, '', /too many requests.*try again/i],
		[503, html, /could not process.*503.*try again/i],
	])('says what a %s with %j means, and what to do', async (statusCode, body, message) => {
		const answer = await run({ statusCode, body });
		expect(answer).toMatchObject({ status: 'Error', message: expect.stringMatching(message) });
	});

	it.each([
		[{ baseUrl: 'http://kudosity.example' }, /https/],
		[{ baseUrl: 'kudosity.example' }, /web address/],
		[{ baseUrl: 'https://user:pw@kudosity.example' }, /more than a host/],
		[{ apiKey: '' }, /'API Key' of the credential is empty\. Copy it/],
		[{ apiKey: 'api-key-1\n' }, /line break/],
	])('sends nothing with %j', async (changes, message) => {
		const answer = await run(ok, changes);
		expect(answer).toMatchObject({ status: 'Error', message: expect.stringMatching(message) });
		expect(answer.requests).toEqual([]);
	});

	it('never shows the key, even when the service repeats it', async () => {
		const description = Object.values(data).join(' ');
		const body = JSON.stringify({ error: { code: 'FIELD_INVALID', description } });
		const { message } = await run({ statusCode: 400, body });
		expect(message).not.toMatch(/key-1|secret-1/);
	});
});

describe('the test of kudosityKeyApi', () => {
	it('says of a 403 that the key is not for this API', async () => {
		const { context } = fakeHelper({ statusCode: 403, body: '' });
		const credential = { id: '1', name: 'Mine', type: 'kudosityKeyApi', data: types[0].data };
		const { message } = await testKeyCredential.call(context, credential as never);
		expect(message).toContain('did not accept this key for its messaging API');
	});
});
