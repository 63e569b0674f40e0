import { describe, expect, it } from 'vitest';
import { sendV2, useEmulator } from './emulatorUnderTest.ts';

interface Registered {
	data: { registration_id: string; status: string };
}
interface Registrations {
	data: { registrations: Array<{ sender: string; status: string }> };
	meta: { pagination: object };
}

const mobile = '61491577426';
const registrations = '/v2/senders/registrations';

describe('sender registrations', () => {
	const emulator = useEmulator();
	const register = (fields: object = {}) =>
		emulator.call<Registered>(registrations, {
			json: { sender: mobile, country: 'AU', type: 'PERSONAL_MOBILE_NUMBER', ...fields },
		});
	const verify = (id: string, json: object = {}) =>
		emulator.call(`${registrations}/${id}/verifications`, {
			json: { method: 'SMS', originating_sender: '61491570006', ...json },
		});
	const confirm = (id: string, code: unknown) =>
		emulator.call(`${registrations}/${id}/verifications/confirmation`, { json: { code } });
	const registered = async () => (await register()).body.data.registration_id;
	const sentCode = async () => {
		const [message] = await emulator.control().messages({ recipient: mobile });
		return message!.text.slice(-6);
	};

	it('are listed by page, status and sender', async () => {
		await register();
		const all = await emulator.call<Registrations>(`${registrations}?limit=2`);
		expect(all.body.data.registrations).toHaveLength(2);
		expect(all.body.meta.pagination).toEqual({ type: 'page', page: 1, limit: 2, total_count: 3 });
		const query = `?status=VERIFIED,PENDING_APPROVAL&sender=${mobile}`;
		const one = await emulator.call<Registrations>(registrations + query);
		expect(one.body.data.registrations).toMatchObject([
			{ sender: mobile, country: 'AU', status: 'PENDING_APPROVAL' },
		]);
		expect(one.text).not.toContain('playground');
	});

	it.each(['limit=101', 'limit=0', 'page=0', 'page=x'])('refuse %s', async (query) => {
		expect((await emulator.call(`${registrations}?${query}`)).status).toBe(400);
	});

	it('are created with 201, and refused again within 30 minutes', async () => {
		expect((await register()).status).toBe(201);
		expect((await register()).status).toBe(429);
		await emulator.control().settings({ verificationMs: 0 });
		expect((await register()).status).toBe(201);
	});

	it.each([
		['sender', 'sender is required', { sender: '' }],
		['sender', 'sender is invalid', { sender: 'Acme' }],
		['country', 'country must be two capital letters', { country: 'Australia' }],
		['type', 'type must be one of: PERSONAL_MOBILE_NUMBER', { type: 'ALPHANUMERIC' }],
	])('name %s as the issue: %s', async (name, message, fields) => {
		const { status, body } = await register(fields);
		expect(status).toBe(400);
		expect(body).toMatchObject({ error: { issues: [{ name, message }] } });
	});

	it('are verified by the code that was sent, and can then be sent from', async () => {
		const id = await registered();
		const sent = await verify(id);
		expect(sent.status).toBe(201);
		expect(sent.body).toMatchObject({
			data: { registration_id: id, status: 'SENT', attempts_remaining: 5 },
		});
		expect(sent.text).not.toContain(await sentCode());
		expect((await sendV2(emulator, { sender: mobile })).status).toBe(400);
		const { status, body } = await confirm(id, await sentCode());
		expect(status).toBe(200);
		expect(body).toMatchObject({ data: { registration_id: id, status: 'CONFIRMED' } });
		expect((await sendV2(emulator, { sender: mobile })).status).toBe(200);
		expect((await register()).status).toBe(409);
	});

	it('send one code only', async () => {
		const id = await registered();
		await verify(id);
		expect((await verify(id)).status).toBe(409);
	});

	it.each([
		['method', { method: 'CALL' }],
		['originating_sender', { originating_sender: '' }],
	])('name %s as the issue of a verification', async (name, fields) => {
		const { body } = await verify(await registered(), fields);
		expect(body).toMatchObject({ error: { issues: [{ name }] } });
	});

	it('count wrong codes down and then give up', async () => {
		const id = await registered();
		await verify(id);
		const wrong = (await sentCode()) === '000000' ? '111111' : '000000';
		for (const attempts_remaining of [4, 3, 2, 1, 0]) {
			const { status, body } = await confirm(id, wrong);
			expect(status).toBe(400);
			expect(body).toMatchObject({ error: { attempts_remaining, issues: [{ name: 'code' }] } });
		}
		expect((await confirm(id, await sentCode())).status).toBe(429);
	});

	it('answer 400 to a code of another form, and 409 when none was sent', async () => {
		const id = await registered();
		expect((await confirm(id, '12')).status).toBe(400);
		expect((await confirm(id, '123456')).status).toBe(409);
	});

	it('answer 404 to an id of nobody', async () => {
		const { status, body } = await verify('00000000-0000-4000-8000-000000000000');
		expect(status).toBe(404);
		expect(body).toMatchObject({ error: { detail: 'sender registration not found' } });
	});

	it('are deleted by number with 204 and no body', async () => {
		const id = await registered();
		await verify(id);
		await confirm(id, await sentCode());
		const remove = () => emulator.call(`/v2/senders/phone-numbers/${mobile}`, { method: 'DELETE' });
		const first = await remove();
		expect([first.status, first.text]).toEqual([204, '']);
		expect((await remove()).status).toBe(404);
		expect((await sendV2(emulator, { sender: mobile })).status).toBe(400);
		const odd = await emulator.call('/v2/senders/phone-numbers/Acme', { method: 'DELETE' });
		expect(odd.status).toBe(400);
	});
});
