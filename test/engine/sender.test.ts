import { describe, expect, it } from 'vitest';
import { retries, useEmulator } from './emulator.ts';

const service = useEmulator();
const { run } = service;
const number = '61491570156';

const register = async () => {
	const { json } = await run('sender/register', { phoneNumber: number, country: 'AU' });
	return String(json[0]?.registration_id);
};

const sendCode = async () => {
	const registrationId = await register();
	await run('sender/requestVerification', { registrationId, originatingSender: 'Acme' });
	const texts = (await service.control.messages()).map(({ text }) => text);
	return { registrationId, code: /\d{6}$/.exec(String(texts.at(-1)))?.[0] ?? '' };
};

const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const methods = async () => (await service.control.requests()).map(({ method }) => method);

describe('sender', () => {
	it('is registered, verified by its code, listed and deleted', async () => {
		const confirmed = await run('sender/confirmVerification', await sendCode());
		const listed = await run('sender/getAll', {
			filters: { sender: number, status: ['VERIFIED'] },
		});
		const deleted = await run('sender/delete', { phoneNumber: `+${number}` });

		expect(confirmed.json).toMatchObject([{ status: 'CONFIRMED' }]);
		expect(listed.json).toMatchObject([{ sender: number, status: 'VERIFIED' }]);
		expect(deleted.error).toBeUndefined();
		expect(deleted.json).toEqual([{ deleted: true, id: number }]);
	});

	it('is a number of its Country, also where the credential has another one', async () => {
		const basic = { ...service.credentials.kudosityKeyApi, defaultCountry: 'AU' };
		const credentials = { ...service.credentials, kudosityKeyApi: basic };
		const fields = { phoneNumber: '027 555 1234', country: 'NZ' };
		await run('sender/register', fields, { credentials });

		expect((await service.control.requests())[0]?.body).toMatchObject({ sender: '64275551234' });
	});

	it('is deleted under its number as it is written, where a recipient would be refused', async () => {
		const key = { ...service.credentials.kudosityKeyApi, defaultCountry: 'AU' };
		const credentials = { ...service.credentials, kudosityKeyApi: key };
		await run('sender/delete', { phoneNumber: '+491570006' }, { credentials });
		await run('sender/register', { phoneNumber: '+491570006', country: 'AU' }, { credentials });

		const requests = await service.control.requests();
		expect(requests.map(({ method }) => method)).toEqual(['DELETE']);
	});

	it('tells how many attempts a wrong code leaves', async () => {
		const { registrationId, code } = await sendCode();
		const { error } = await run('sender/confirmVerification', {
			registrationId,
			code: another(code),
		});

		expect(error?.code).toBe('invalid_value');
		expect(error?.description).toContain('Attempts remaining: 4');
	});

	it('spends one attempt on a wrong code, also with Retry On Fail', async () => {
		const { registrationId, code } = await sendCode();
		const fields = { registrationId, code: another(code) };
		const { error } = await run('sender/confirmVerification', fields, { settings: retries });

		expect(error?.description).toContain('Attempts remaining: 4');
	});

	it('is told at once that it was registered a moment ago', async () => {
		await register();
		const before = await methods();
		const { error } = await run('sender/register', { phoneNumber: number, country: 'AU' });

		expect(error?.code).toBe('rate_limited');
		expect(error?.description).toContain('within the last 30 minutes');
		expect(await methods()).toEqual([...before, 'POST']);
	});

	it.each(['sender/register', 'sender/confirmVerification'])(
		'%s says what helps where its own limit is reached, and not that the account is busy',
		async (name) => {
			const { registrationId, code } = await sendCode();
			const fields = { registrationId, code: another(code), phoneNumber: number, country: 'AU' };
			for (let attempt = 1; attempt <= 5; attempt++) {
				await run('sender/confirmVerification', fields);
			}
			const { error } = await run(name, fields);

			expect(error?.code).toBe('rate_limited');
			expect(error?.message).toBe('Too many attempts for this sender');
			expect(error?.description).toContain('wait 30 minutes');
			expect(error?.description).not.toContain('Max Requests per Second');
		},
	);

	it.each([
		['a 429', 'status429', {}],
		["a firewall's page", 'html', { status: 403 }],
	] as const)(
		'is tried again by Retry On Fail after %s, which spent no attempt',
		async (...how) => {
			const [, fault, details] = how;
			const fields = await sendCode();
			const match = { path: '/v2/senders/registrations', method: 'POST', count: 1 };
			await service.fault(fault, match, details);
			const { json, error } = await run('sender/confirmVerification', fields, {
				settings: retries,
			});

			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ status: 'CONFIRMED' }]);
		},
	);

	it('is found in whatever way its number is written', async () => {
		await register();
		const { json } = await run('sender/getAll', { filters: { sender: '+61 491 570 156' } });

		expect(json).toMatchObject([{ sender: number }]);
	});

	it.each(['12345', '12345a', '={{ 12345 }}'])('does not spend an attempt on %s', async (code) => {
		const { registrationId } = await sendCode();
		const before = await methods();
		const { error } = await run('sender/confirmVerification', { registrationId, code });

		expect(error?.message).toBe("'Code' is not a 6-digit code");
		expect(await methods()).toEqual(before);
	});

	it('gets one code for each registration', async () => {
		const { registrationId } = await sendCode();
		const { error } = await run('sender/requestVerification', {
			registrationId,
			originatingSender: 'Acme',
		});

		expect(error?.description).toContain('already been sent');
	});

	it('is listed by pages as far as Limit reaches', async () => {
		const one = await run('sender/getAll', { limit: 1 });
		const all = await run('sender/getAll', { returnAll: true });

		expect(one.json).toHaveLength(1);
		expect(all.json).toHaveLength(2);
		expect((await service.control.requests()).map(({ query }) => query)).toEqual([
			{ page: '1', limit: '1' },
			{ page: '1', limit: '100' },
		]);
	});
});
