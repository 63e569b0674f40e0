import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulatorUnderTest.ts';

interface Mms {
	id: string;
	status: string;
	created_at: string;
}

const picture = {
	sender: '61491570006',
	recipient: '61491578888',
	content_urls: ['https://example.com/picture.jpg'],
	subject: 'The gate',
	message: 'Here it is',
	message_ref: 'order-7',
};

describe('MMS', () => {
	const emulator = useEmulator();
	const send = (fields: object = {}) =>
		emulator.call<Mms>('/v2/mms', { json: { ...picture, ...fields } });

	it('are sent and read, flat, with nine and six fraction digits', async () => {
		const { status, body } = await send();
		expect(status).toBe(200);
		expect(body).toMatchObject({ ...picture, country: 'AU', status: 'pending' });
		expect(body.created_at).toMatch(/\.\d{9}Z$/);
		await emulator.control().setStatus(body.id, 'SENT');
		const read = await emulator.call<Mms>(`/v2/mms/${body.id}`);
		expect(read.body).toMatchObject({ ...picture, status: 'sent' });
		expect(read.body.created_at).toMatch(/\.\d{6}Z$/);
	});

	it.each([
		['content_urls', { content_urls: [] }],
		['content_urls', { content_urls: ['https://a.example/1', 'https://a.example/2'] }],
		['content_urls', { content_urls: ['picture.jpg'] }],
		['subject', { subject: 'x'.repeat(21) }],
		['subject', { subject: 'Café' }],
		['message', { message: 'x'.repeat(1001) }],
		['recipient', { recipient: '6421123456' }],
		['sender', { sender: '61491578888' }],
		['message_ref', { message_ref: 'x'.repeat(501) }],
	])('name %s as the issue of %j', async (name, fields) => {
		const { status, body } = await send(fields);
		expect(status).toBe(400);
		expect(body).toMatchObject({ error: { issues: [{ name }] } });
		expect(await emulator.control().messages()).toEqual([]);
	});

	it('answer with a sentence to an id that is none, or of nobody', async () => {
		const odd = await emulator.call('/v2/mms/17');
		expect([odd.status, odd.body]).toEqual([400, { error: 'invalid MMS ID' }]);
		const unknown = await emulator.call('/v2/mms/00000000-0000-4000-8000-000000000000');
		expect([unknown.status, unknown.body]).toEqual([404, { error: 'MMS not found' }]);
	});

	it('cannot be listed', async () => {
		expect((await emulator.call('/v2/mms')).status).toBe(404);
	});
});
