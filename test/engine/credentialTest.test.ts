/** The Test button of a credential: the built nodes with n8n's own request helper, which unit tests replace. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { createControl } from '../../playground/emulator/control/client.ts';
import { startEmulator } from '../../playground/emulator/server.ts';
import { choosePort } from '../../playground/n8n/ports.ts';
import { useEmulator } from './emulator.ts';
import { require } from './engineModules.ts';
import { createContexts } from './harness.ts';

const { CredentialTestContext }: typeof import('n8n-core') = require('n8n-core');

const service = useEmulator();

describe.each([
	['kudosity', 'kudosityBasicApi', '/get-balance.json'],
	['kudosity', 'kudosityKeyApi', '/v2/sms'],
	['kudosityTrigger', 'kudosityKeyApi', '/v2/sms'],
] as const)('%s: the test of %s', (node, type, path) => {
	const test = async (changes: object = {}) => {
		const { credentials } = service;
		const { nodeType } = await createContexts(node, { parameters: {}, credentials });
		const { credentials: uses = [] } = nodeType.description;
		const { testedBy } = uses.find(({ name }) => name === type)!;
		const data = { ...credentials[type], ...changes };
		return await nodeType.methods!.credentialTest![testedBy as string]!.call(
			new CredentialTestContext() as never,
			{ id: '1', name: 'Mine', type, data: data as ICredentialDataDecryptedObject },
		);
	};

	it('accepts the right key', async () => {
		expect(await test()).toMatchObject({ status: 'OK' });
		expect(await service.control.requests({ path, status: 200 })).toHaveLength(1);
	});

	it('says that a wrong key was not accepted, without naming it', async () => {
		const { status, message } = await test({ apiKey: 'another-key' });
		expect(status).toBe('Error');
		expect(message).toMatch(/did not accept this key.*API Settings/);
		expect(message).not.toContain('another-key');
	});

	it('says that nothing answers at the base URL', async () => {
		const { message } = await test({ baseUrl: `http://127.0.0.1:${await choosePort()}` });
		expect(message).toMatch(/127\.0\.0\.1:\d+ refuses connections.*Base URL/);
	});

	it('says which host was not found', async () => {
		const { message } = await test({ baseUrl: 'https://kudosity.invalid' });
		expect(message).toMatch(/not find kudosity\.invalid.*Base URL.*network/);
	});

	it.each([
		[404, /is not the Kudosity API.*Base URL/],
		[200, /HTML page.*is not the Kudosity API.*Base URL/],
		[503, /could not process.*503/],
	])('says what a page with status %i means', async (status, words) => {
		const headers = { 'content-type': 'text/html' };
		const body = '<html><body>Welcome</body></html>';
		await service.control.addFault({ fault: 'custom', status, headers, body });
		expect(await test()).toMatchObject({ status: 'Error', message: expect.stringMatching(words) });
	});

	it('follows no redirect to another host', async () => {
		const elsewhere = await startEmulator();
		const location = `${elsewhere.url}${path}`;
		await service.control.addFault({ fault: 'redirect', status: 302, location });
		expect((await test()).message).toContain('base URL redirects to another address');
		expect(await service.control.requests({ path, status: 302 })).toHaveLength(1);
		expect(await createControl(elsewhere.url).requests()).toEqual([]);
		await elsewhere.close();
	});
});
