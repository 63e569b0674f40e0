import { describe, expect, it } from 'vitest';
import { basic, useEmulator } from './emulatorUnderTest.ts';

const authFailed = {
	error: { code: 'AUTH_FAILED', description: 'The auth data you have provided is invalid.' },
};

describe('authentication', () => {
	const emulator = useEmulator();
	const withKey = async (apiKey: string, json?: object) =>
		await emulator.callBare<{ webhooks?: object[] }>('/v2/webhook', {
			headers: { 'x-api-key': apiKey },
			...(json && { json }),
		});
	const webhook = { name: 'Replies', url: 'https://example.com/hook' };

	it.each([
		['a wrong secret', basic('playground-key', 'guess')],
		['an unknown key', basic('nobody', 'playground-secret')],
		['an empty secret', basic('playground-key', '')],
		['another scheme', 'Bearer playground-key'],
		['no colon', `Basic ${Buffer.from('playground-key').toString('base64')}`],
	])('refuses %s on v1', async (_label, authorization) => {
		const call = { headers: { authorization } };
		const { status, body } = await emulator.callBare('/get-balance.json', call);
		expect([status, body]).toEqual([401, authFailed]);
	});

	it('refuses every v1 call while the account holder has set no secret', async () => {
		const accounts = [{ id: 'playground', apiKey: 'playground-key', apiSecret: '' }];
		await emulator.control().settings({ accounts });
		const call = { headers: { authorization: basic('playground-key', '') } };
		expect((await emulator.callBare('/get-balance.json', call)).status).toBe(401);
	});

	it('refuses a wrong key on v2 in v1 form, but on the RCS operations with a problem', async () => {
		const { status, body } = await withKey('x');
		expect([status, body]).toEqual([401, authFailed]);
		const rcs = await emulator.callBare('/v2/rcs/messages');
		expect(rcs.body).toMatchObject({ error: { status: 401, title: 'API Authentication Failed' } });
	});

	it('keeps webhooks when the key of their account is rotated', async () => {
		await withKey('playground-key', webhook);
		const accounts = [{ id: 'playground', apiKey: 'rotated', apiSecret: 's' }];
		await emulator.control().settings({ accounts });
		expect((await withKey('playground-key')).status).toBe(401);
		expect((await withKey('rotated')).body.webhooks).toHaveLength(1);
	});

	it('shows one account nothing of another', async () => {
		const accounts = ['first', 'second'].map((id) => ({ id, apiKey: id, apiSecret: id }));
		await emulator.control().settings({ accounts });
		await withKey('first', webhook);
		expect((await withKey('second')).body).toEqual({});
	});

	it('keeps no credentials in the request log', async () => {
		await emulator.call('/get-balance.json');
		const log = JSON.stringify(await emulator.control().requests());
		expect(log).toContain('"authorization":"***"');
		expect(log).not.toContain('playground-key');
	});
});
