import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulatorUnderTest.ts';

interface Answer {
	data: { id: string; messages: Array<{ id: string }> };
}

const text = {
	recipient: '61491578888',
	content_type: 'text',
	content: { text: { message: 'Half past nine?' } },
	message_ref: 'order-7',
};

describe('WhatsApp', () => {
	const emulator = useEmulator();
	const path = '/v2/whatsapp/messages';
	const send = (fields: object = {}) =>
		emulator.call<Answer>(path, { json: { ...text, ...fields } });

	it.each([
		['text', { text: { message: 'Hi' } }],
		['template', { template: { name: 'welcome', parameters: ['Jo'], locale: 'en_AU' } }],
		['custom', { custom: { type: 'sticker', sticker: { id: '7' } } }],
	])('sends %s from the sender of the account', async (content_type, content) => {
		const { status, body } = await send({ content_type, content });
		expect(status).toBe(200);
		expect(body.data).toMatchObject({
			sender: '61491570006',
			recipient: '61491578888',
			message_ref: 'order-7',
			content_type,
			content,
		});
		expect(body.data).not.toHaveProperty('status');
		const read = await emulator.call<Answer>(`${path}/${body.data.id}`);
		expect(read.body.data).toMatchObject({ status: 'QUEUED', content, account_id: 'playground' });
	});

	it('goes on to READ and shows the events', async () => {
		await emulator.control().settings({ autoStatus: true, statusDelaysMs: [0, 0, 0] });
		const { body } = await send();
		await emulator.control().waitForMessages({ status: 'READ' });
		const read = await emulator.call<Answer>(`${path}/${body.data.id}`);
		expect(read.body.data).toMatchObject({
			status: 'READ',
			events: [{ event_type: 'SENT' }, { event_type: 'DELIVERED' }, { event_type: 'READ' }],
		});
	});

	it('lists by cursor, newest first, and by campaign', async () => {
		const ids: string[] = [];
		for (let sent = 0; sent < 3; sent += 1) ids.unshift((await send()).body.data.id);
		const first = await emulator.call<Answer & { meta: { pagination: { next_cursor: string } } }>(
			`${path}?limit=2`,
		);
		expect(first.body.data.messages.map(({ id }) => id)).toEqual(ids.slice(0, 2));
		const { next_cursor } = first.body.meta.pagination;
		const second = await emulator.call<Answer>(`${path}?limit=2&cursor=${next_cursor}`);
		expect(second.body.data.messages.map(({ id }) => id)).toEqual(ids.slice(2));
		const campaign = '6fdae71c-dad7-4c36-9734-a69693ecf3b4';
		const none = await emulator.call<Answer>(`${path}?campaign_id=${campaign}`);
		expect(none.body.data.messages).toEqual([]);
	});

	it.each([
		['content_type', { content_type: 'sticker' }],
		['content', { content: { text: {} } }],
		['content', { content_type: 'template', content: { template: { name: '' } } }],
		[
			'content',
			{ content_type: 'template', content: { template: { name: 'a', parameters: [1] } } },
		],
		['content', { content_type: 'custom', content: { custom: {} } }],
		['sender', { sender: '61491570156' }],
		['recipient', { recipient: '' }],
		['sms_fallback', { sms_fallback: { sender: 'Acme' } }],
	])('names %s as the issue of %j', async (name, fields) => {
		const { status, body } = await send(fields);
		expect(status).toBe(400);
		expect(body).toMatchObject({ error: { issues: [{ name }] } });
	});

	it('says that the account has no sender', async () => {
		await emulator.control().settings({ whatsappSenders: [] });
		expect((await send()).body).toMatchObject({
			error: {
				issues: [{ name: 'account_id', message: 'no WhatsApp sender found for this account' }],
			},
		});
	});

	it('falls back to an SMS, once, when it fails', async () => {
		const { body } = await send({ sms_fallback: { sender: 'Acme', message: 'By SMS' } });
		const { id } = body.data;
		await emulator.control().setStatus(id, 'UNDELIVERABLE');
		await emulator.control().setStatus(id, 'FAILED');
		expect(await emulator.control().messages({ channel: 'SMS' })).toMatchObject([
			{ sender: 'Acme', recipient: '61491578888', text: 'By SMS', fallbackFor: id },
		]);
	});

	it('does not fall back for somebody who opted out in the meantime', async () => {
		const { body } = await send({ sms_fallback: { message: 'By SMS' } });
		await emulator.control().optOut(body.data.id);
		await emulator.control().setStatus(body.data.id, 'FAILED');
		expect(await emulator.control().messages({ channel: 'SMS' })).toEqual([]);
	});

	it('refuses who opted out, and takes replies', async () => {
		const { body } = await send();
		await emulator.control().reply(body.data.id, 'Yes');
		expect(await emulator.control().inboundMessages()).toMatchObject([{ channel: 'WHATSAPP' }]);
		await emulator.control().reply(body.data.id, 'STOP');
		expect((await send()).body).toMatchObject({ error: { issues: [{ name: 'recipient' }] } });
	});
});

describe('RCS', () => {
	const emulator = useEmulator({ smsOnlyContacts: ['61491573087'] });
	const check = (fields: object) =>
		emulator.call('/v2/rcs/capabilities', { json: { sender: 'PlaygroundAgent', ...fields } });

	it('says which numbers it reaches, in the order of the request', async () => {
		const { body } = await check({ phone_numbers: ['61491573087', 'nobody', '+61491578888'] });
		expect(body).toMatchObject({
			data: {
				results: [
					{ phone_number: '61491573087', code: 'UNREACHABLE' },
					{ phone_number: 'nobody', code: 'INVALID_DESTINATION_ADDRESS' },
					{ phone_number: '+61491578888', code: 'ENABLED' },
				],
			},
		});
	});

	it('says so when the agent is of somebody else', async () => {
		const { status, body } = await check({ sender: 'Other', phone_numbers: ['61491578888'] });
		expect(status).toBe(403);
		expect(body).toMatchObject({ error: { detail: 'sender is not owned by this account' } });
	});

	it.each([[[]], [Array<string>(101).fill('61491578888')], ['61491578888']])(
		'takes between 1 and 100 numbers, not %j',
		async (phone_numbers) => {
			const { body } = await check({ phone_numbers });
			expect(body).toMatchObject({ error: { issues: [{ name: 'phone_numbers' }] } });
		},
	);

	it('falls back by itself for whom it does not reach', async () => {
		await emulator.control().settings({ autoStatus: true, statusDelaysMs: [0, 0, 0] });
		const json = {
			sender: 'PlaygroundAgent',
			recipient: '61491573087',
			content_type: 'text',
			content: { text: { message: 'Hi' } },
			sms_fallback: { message: 'By SMS' },
		};
		await emulator.call('/v2/rcs/messages', { json });
		const [sms] = await emulator.control().waitForMessages({ channel: 'SMS' });
		expect(sms).toMatchObject({ text: 'By SMS', recipient: '61491573087' });
	});
});
