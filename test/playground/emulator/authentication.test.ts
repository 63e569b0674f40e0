import { describe, expect, it } from 'vitest';
import { basic, useEmulator } from './emulatorUnderTest.ts';

const authFailed = {
	error: { code: 'AUTH_FAILED', description: 'The auth data you have provided is invalid.' },
};

describe('authentication', () => {
	const emulator = useEmulator();

	it('answers a v1 call without auth data with AUTH_FAILED_NO_DATA', async () => {
		const { status, body } = await emulator.callBare('/get-balance.json');
		expect(status).toBe(401);
		expect(body).toMatchObject({ error: { code: 'AUTH_FAILED_NO_DATA' } });
	});

	it.each([
		['a wrong secret', basic('playground-key', 'guess')],
		['an unknown key', basic('nobody', 'playground-secret')],
		['an empty secret', basic('playground-key', '')],
		['another scheme', 'Bearer playground-key'],
		['no colon', `Basic ${Buffer.from('playground-key').toString('base64')}`],
	])('refuses %s on v1 with AUTH_FAILED', async (_label, authorization) => {
		const call = { headers: { authorization } };
		const { status, body } = await emulator.callBare('/get-balance.json', call);
		expect(status).toBe(401);
		expect(body).toEqual(authFailed);
	});

	it('refuses every v1 call while the account holder has set no secret', async () => {
		const accounts = [{ id: 'playground', apiKey: 'playground-key', apiSecret: '' }];
		await emulator.control().settings({ accounts });
		const call = { headers: { authorization: basic('playground-key', '') } };
		expect((await emulator.callBare('/get-balance.json', call)).status).toBe(401);
	});

	it.each(['/v2/sms', '/v2/webhook'])('refuses a wrong key on %s in v1 form', async (path) => {
		const { status, body } = await emulator.callBare(path, { headers: { 'x-api-key': 'x' } });
		expect(status).toBe(401);
		expect(body).toEqual(authFailed);
	});

	it('refuses a missing key on the RCS operations with a problem', async () => {
		const { status, body } = await emulator.callBare('/v2/rcs/messages');
		expect(status).toBe(401);
		expect(body).toMatchObject({ error: { status: 401, title: 'API Authentication Failed' } });
	});

	it('keeps webhooks when the key of their account is rotated', async () => {
		const webhook = { name: 'Replies', url: 'https://example.com/hook' };
		await emulator.call('/v2/webhook', { json: webhook });
		const accounts = [{ id: 'playground', apiKey: 'rotated', apiSecret: 's' }];
		await emulator.control().settings({ accounts });
		expect((await emulator.call('/v2/webhook')).status).toBe(401);
		const { body } = await emulator.callBare<{ webhooks: object[] }>('/v2/webhook', {
			headers: { 'x-api-key': 'rotated' },
		});
		expect(body.webhooks).toHaveLength(1);
	});

	it('shows one account nothing of another', async () => {
		const accounts = ['first', 'second'].map((id) => ({ id, apiKey: id, apiSecret: id }));
		await emulator.control().settings({ accounts });
		const json = { name: 'Replies', url: 'https://example.com/hook' };
		await emulator.callBare('/v2/webhook', { json, headers: { 'x-api-key': 'first' } });
		const other = await emulator.callBare('/v2/webhook', { headers: { 'x-api-key': 'second' } });
		expect(other.body).toEqual({});
	});

	it('keeps no credentials in the request log', async () => {
		await emulator.call('/get-balance.json');
		const log = JSON.stringify(await emulator.control().requests());
		expect(log).toContain('"authorization":"***"');
		expect(log).not.toContain('playground-key');
	});
});
