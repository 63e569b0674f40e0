import { describe, expect, it } from 'vitest';
import { sendV2, useEmulator } from './emulatorUnderTest.ts';

interface Problem {
	error: { status: number; issues: Array<{ name: string; message: string }> };
}
interface SmsList {
	smses: Array<{ message: string; status: string; direction: string }>;
	total_records: string;
	total_segments: string;
}

describe('POST /v2/sms', () => {
	const emulator = useEmulator();

	it('accepts a message and answers with its record', async () => {
		const { status, body } = await sendV2(emulator, { message_ref: 'order-7' });
		expect(status).toBe(200);
		expect(body).toMatchObject({
			id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			recipient: '61491578888',
			recipient_country: 'AU',
			message_ref: 'order-7',
			status: 'pending',
			sms_count: '1',
			is_gsm: true,
			direction: 'OUT',
			created_at: expect.stringMatching(/\.\d{9}Z$/),
		});
	});

	it('counts the parts of a Unicode text', async () => {
		const { body } = await sendV2(emulator, { message: 'Привет '.repeat(11) });
		expect(body).toMatchObject({ sms_count: '2', is_gsm: false });
	});

	it.each([
		['a plus sign', '+61491578888'],
		['a local number', '0491 578 888'],
	])('takes a recipient written with %s', async (_label, recipient) => {
		expect((await sendV2(emulator, { recipient })).body.recipient).toBe('61491578888');
	});

	it('takes a sender name of up to 11 characters', async () => {
		expect((await sendV2(emulator, { sender: 'Green Cafe' })).status).toBe(200);
	});

	it.each([
		['sender', 'Sender not found', { sender: '61491578888' }],
		['sender', 'Sender not found', { sender: 'TwelveLetter' }],
		['sender', 'sender is required', { sender: undefined }],
		['message', 'message is required', { message: '' }],
		['recipient', 'recipient is invalid', { recipient: 'nobody' }],
		['message_ref', expect.stringContaining('500'), { message_ref: 'r'.repeat(501) }],
	])('names %s as the issue: %s', async (name, message, fields) => {
		const { status, body } = await sendV2(emulator, fields);
		expect(status).toBe(400);
		expect(body).toMatchObject({ error: { status: 400, title: 'Invalid Request' } });
		expect((body as unknown as Problem).error.issues).toEqual([{ name, message }]);
		expect(await emulator.control().messages()).toEqual([]);
	});

	it('refuses a body that is not JSON', async () => {
		const headers = { 'content-type': 'application/json' };
		const { status, body } = await emulator.call('/v2/sms', { form: { a: 'b' }, headers });
		expect(status).toBe(400);
		expect(body).toMatchObject({ error: { title: 'Invalid Request' } });
	});

	it('replaces links by tracked ones that count visits', async () => {
		const { body } = await sendV2(emulator, {
			message: 'See https://example.com/menu [opt-out-link]',
			track_links: true,
		});
		expect(body.message).toMatch(/^See http:\S+\/l\/\S+ http:\S+\/l\/\S+$/);
		const link = body.message.split(' ')[1]!;
		const visit = await fetch(link, { redirect: 'manual' });
		expect(visit.headers.get('location')).toBe('https://example.com/menu');
		expect(await emulator.control().click(body.id)).toEqual({ hits: 2 });
	});
});

describe('GET /v2/sms', () => {
	const emulator = useEmulator();

	it('pages oldest first, with totals as text on the first page only', async () => {
		for (const message of ['one', 'two', 'three']) await sendV2(emulator, { message });
		const first = await emulator.call<SmsList>('/v2/sms?limit=2');
		expect(first.body.smses.map(({ message }) => message)).toEqual(['one', 'two']);
		expect(first.body).toMatchObject({ total_records: '3', total_segments: '3' });
		const second = await emulator.call<SmsList>('/v2/sms?limit=2&page=2');
		expect(second.body.smses.map(({ message }) => message)).toEqual(['three']);
		expect(second.body.total_records).toBe('0');
	});

	it.each([
		['message_ref=order-7', ['one']],
		['recipient=%2B61491573087', ['two']],
		['status=PENDING&sender=61491570006', ['one', 'two']],
		['direction=IN', ['reply']],
		['order_by=CREATED_AT_DESC&direction=OUT', ['two', 'one']],
	])('finds by %s', async (query, texts) => {
		const { body } = await sendV2(emulator, { message: 'one', message_ref: 'order-7' });
		await sendV2(emulator, { message: 'two', recipient: '61491573087' });
		await emulator.control().reply(body.id, 'reply');
		const list = await emulator.call<SmsList>(`/v2/sms?${query}`);
		expect(list.body.smses.map(({ message }) => message)).toEqual(texts);
	});

	it('shows the status in lower case in the list and in upper case by id', async () => {
		const { body } = await sendV2(emulator);
		await emulator.control().setStatus(body.id, 'DELIVERED');
		const list = await emulator.call<SmsList>('/v2/sms');
		expect(list.body.smses[0]!.status).toBe('delivered');
		expect((await emulator.call(`/v2/sms/${body.id}`)).body).toMatchObject({ status: 'DELIVERED' });
	});

	it('answers 404 with a sentence for an unknown message, and for a new one within the read lag', async () => {
		const unknown = await emulator.call('/v2/sms/00000000-0000-4000-8000-000000000000');
		expect([unknown.status, unknown.body]).toEqual([404, { error: 'SMS not found' }]);
		await emulator.control().settings({ readLagMs: 60_000 });
		const { body } = await sendV2(emulator);
		expect((await emulator.call(`/v2/sms/${body.id}`)).status).toBe(404);
	});
});
