import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulatorUnderTest.ts';

interface WebhookAnswer {
	id: string;
	name: string;
	created_at: string;
}

const valid = {
	name: 'Replies',
	url: 'https://example.com/hook',
	filter: { event_type: ['SMS_INBOUND'], sender: ['61491570006'] },
};

describe('webhook management', () => {
	const emulator = useEmulator();
	const create = (fields: object = {}) =>
		emulator.call<WebhookAnswer>('/v2/webhook', { json: { ...valid, ...fields } });

	it('lists an empty object when there are no webhooks', async () => {
		expect((await emulator.call('/v2/webhook')).body).toEqual({});
	});

	it('creates with 201 and nine fraction digits, and reads with six', async () => {
		const { status, body } = await create({ rate_limit: 5 });
		expect(status).toBe(201);
		expect(body).toMatchObject({ ...valid, rate_limit: 5, is_sandbox: false });
		expect(body.created_at).toMatch(/\.\d{9}Z$/);
		const read = await emulator.call<WebhookAnswer>(`/v2/webhook/${body.id}`);
		expect(read.body.created_at).toMatch(/\.\d{6}Z$/);
		const list = await emulator.call('/v2/webhook');
		expect(list.body).toEqual({ webhooks: [read.body] });
	});

	it('takes an http URL, as the live service does', async () => {
		expect((await create({ url: 'http://127.0.0.1:5678/hook' })).status).toBe(201);
	});

	it('replaces the whole record with PUT', async () => {
		const { body } = await create({ rate_limit: 5 });
		const json = { name: 'Renamed', url: valid.url };
		const replaced = await emulator.call(`/v2/webhook/${body.id}`, { method: 'PUT', json });
		expect(replaced.status).toBe(200);
		expect(replaced.body).toMatchObject({ ...json, id: body.id, filter: null, rate_limit: 0 });
	});

	it('deletes once', async () => {
		const { body } = await create();
		const remove = () => emulator.call(`/v2/webhook/${body.id}`, { method: 'DELETE' });
		const first = await remove();
		expect([first.status, first.body]).toEqual([200, { message: 'deleted' }]);
		const second = await remove();
		expect([second.status, second.body]).toEqual([404, { error: 'Webhook not found' }]);
	});

	it('deletes when the request announces JSON and has no body', async () => {
		const { body } = await create();
		const headers = { 'content-type': 'application/json' };
		const call = { method: 'DELETE', headers };
		expect((await emulator.call(`/v2/webhook/${body.id}`, call)).status).toBe(200);
	});

	it('answers 400 with a sentence to an id that is no UUID', async () => {
		const { status, body } = await emulator.call('/v2/webhook/17', { method: 'DELETE' });
		expect([status, body]).toEqual([400, { error: 'invalid webhook ID' }]);
	});

	it.each([
		['name: length must be between 2 and 100', { name: 'x' }],
		['name: length must be between 2 and 100', { name: 'x'.repeat(101) }],
		['name: length must be between 2 and 100', { name: undefined }],
		['url: required', { url: undefined }],
		['url: must be a valid URL', { url: 'ftp://example.com' }],
		['rate_limit: greater than the maximum value of 10000', { rate_limit: 10_001 }],
		['rate_limit: less than the minimum value of 0', { rate_limit: -1 }],
		['filter.sender: must be an array of strings', { filter: { sender: 'x' } }],
		['filter.event_type: must be a valid value', { filter: { event_type: ['FAX'] } }],
		['event_type: must be a valid value', { event_type: 'FAX' }],
	])('refuses with "%s"', async (reason, fields) => {
		const { status, body } = await create(fields);
		expect([status, body]).toEqual([400, { error: `Validation Error: ${reason}` }]);
	});
});
