import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAYGROUND_API_KEY, PLAYGROUND_API_SECRET } from '../../playground/emulator/account.ts';
import type { CredentialTestResult } from '../../playground/n8n/credentialCalls.ts';
import { createControl } from '../../playground/emulator/control.ts';
import { startEmulator } from '../../playground/emulator/server.ts';
import { choosePort } from '../../playground/n8n/ports.ts';
import { RestError } from '../../playground/n8n/session.ts';
import { startPlayground, type Playground } from './harness.ts';

let playground: Playground;

beforeAll(async () => {
	playground = await startPlayground();
});

afterAll(async () => await playground.stop());

describe('the package in n8n', () => {
	it('offers both nodes under the names of an installed community package', async () => {
		const names = (await playground.rest.nodeTypes()).map(({ name }) => name);
		expect(names).toContain('n8n-nodes-kudosity-messaging.kudosity');
		expect(names).toContain('n8n-nodes-kudosity-messaging.kudosityTrigger');
	});

	it('offers the action node as a tool for agents', async () => {
		const names = (await playground.rest.nodeTypes()).map(({ name }) => name);
		expect(names).toContain('n8n-nodes-kudosity-messaging.kudosityTool');
	});

	it('offers both credential types', async () => {
		const names = (await playground.rest.credentialTypes()).map(({ name }) => name);
		expect(names).toEqual(expect.arrayContaining(['kudosityBasicApi', 'kudosityKeyApi']));
	});
});

const secrets = { apiKey: PLAYGROUND_API_KEY, apiSecret: PLAYGROUND_API_SECRET };

/** What the user reads: n8n 1 refuses to store a credential with an empty field, n8n 2 leaves it to its test. */
const refusal = async (test: Promise<CredentialTestResult>): Promise<string> => {
	try {
		const { status, message } = await test;
		return status === 'Error' ? message : '';
	} catch (error) {
		return error instanceof RestError ? error.reason : '';
	}
};

describe.each([
	{ type: 'kudosityBasicApi', path: '/get-balance.json' },
	{ type: 'kudosityKeyApi', path: '/v2/sms' },
])('the test of $type', ({ type, path }) => {
	const test = async (changes: Record<string, string> = {}) =>
		await playground.rest.testCredential(type, {
			...secrets,
			baseUrl: playground.emulator.url,
			...changes,
		});

	it('accepts the right key', async () => {
		expect(await test()).toMatchObject({ status: 'OK' });
		expect(await playground.control.requests({ path, status: 200 })).not.toHaveLength(0);
	});

	it('says that a wrong key was not accepted', async () => {
		const { status, message } = await test({ apiKey: 'another-key' });
		expect(status).toBe('Error');
		expect(message).toMatch(/did not accept this key.*API Settings/);
	});

	it('says which field is empty', async () => {
		expect(await refusal(test({ apiKey: '' }))).toMatch(/API ?Key/i);
	});

	it('says that nothing answers at the base URL', async () => {
		const { status, message } = await test({ baseUrl: `http://127.0.0.1:${await choosePort()}` });
		expect(status).toBe('Error');
		expect(message).toMatch(/127\.0\.0\.1:\d+ refuses connections.*Base URL/);
	});

	it('says which host does not exist', async () => {
		const { status, message } = await test({ baseUrl: 'https://kudosity.invalid' });
		expect(status).toBe('Error');
		// Without a network, no name can be looked up.
		expect(message).toMatch(/(no host|The host) kudosity\.invalid.*Base URL/);
	});

	it.each([
		[404, 'text/html', /is not the Kudosity API.*Base URL/],
		[200, 'text/html', /HTML page.*is not the Kudosity API.*Base URL/],
		[503, 'text/html', /could not process.*503/],
	])('says what a page with status %i means', async (status, type, words) => {
		const headers = { 'content-type': type };
		const body = '<html><body>Welcome</body></html>';
		await playground.control.addFault({ fault: 'custom', status, headers, body });
		expect(await test()).toMatchObject({ status: 'Error', message: expect.stringMatching(words) });
	});

	it('sends the key to no unencrypted host', async () => {
		const { status, message } = await test({ baseUrl: 'http://kudosity.example' });
		expect(status).toBe('Error');
		expect(message).toContain('https');
	});

	it('follows no redirect to another host', async () => {
		const elsewhere = await startEmulator();
		const requestsThere = createControl(elsewhere.url).requests;
		const location = `${elsewhere.url}${path}`;
		await playground.control.addFault({ fault: 'redirect', status: 302, location });
		const { status, message } = await test();
		expect(status).toBe('Error');
		expect(message).toContain('base URL leads to another address');
		expect(await playground.control.requests({ path, status: 302 })).toHaveLength(1);
		expect(await requestsThere()).toEqual([]);
		await elsewhere.close();
	});

	it('never repeats the key or the secret', async () => {
		const answers = await Promise.all([
			test({ apiKey: 'another-key' }),
			test({ baseUrl: 'http://kudosity.example' }),
			test({ baseUrl: `http://127.0.0.1:${await choosePort()}` }),
		]);
		const text = JSON.stringify(answers);
		for (const secret of ['another-key', ...Object.values(secrets)]) {
			expect(text).not.toContain(secret);
		}
	});
});

describe('the test of kudosityBasicApi', () => {
	it('says that the secret is missing', async () => {
		const { url: baseUrl } = playground.emulator;
		const data = { ...secrets, apiSecret: '', baseUrl };
		const test = playground.rest.testCredential('kudosityBasicApi', data);
		expect(await refusal(test)).toMatch(/API ?Secret/i);
	});
});

describe('a workflow', () => {
	it('sends three messages with the key and hands on three paired items', async () => {
		const recipients = ['61491573087', '61491574118', '61491574632'];
		const { status, nodes } = await playground.run(
			recipients.map((recipient) => ({ recipient })),
			playground.kudosity({
				resource: 'sms',
				operation: 'send',
				message: 'Three of a kind',
				sender: '61491570006',
				recipient: '={{ $json.recipient }}',
				options: {},
			}),
		);
		expect(status).toBe('success');
		expect(nodes.Kudosity?.items.map(({ json }) => json.recipient)).toEqual(recipients);
		expect(nodes.Kudosity?.items.map(({ pairedItem }) => pairedItem)).toEqual(
			recipients.map((_, item) => ({ item })),
		);
		const messages = await playground.control.messages({ text: 'Three of a kind' });
		expect(messages.map(({ recipient }) => recipient)).toEqual(recipients);
	});
});
