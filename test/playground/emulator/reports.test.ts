import { describe, expect, it } from 'vitest';
import { callV1, sendV1, sendV2, useEmulator } from './emulatorUnderTest.ts';

const [ana, ben] = ['61491578888', '61491573087'];
const daysAgo = (days: number) =>
	new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

describe('reports', () => {
	const emulator = useEmulator();
	const call = (operation: string, fields: Record<string, string | number> = {}) =>
		callV1<Record<string, unknown>>(emulator, operation, fields);
	const today = () => ({ start: daysAgo(1), end: daysAgo(0) });

	it('count what went to each recipient, by either API', async () => {
		await sendV1(emulator, { to: `${ana},${ben}` });
		await sendV2(emulator);
		expect((await call('get-sms-sent-count')).body.count).toBe(3);
		const before = { start: daysAgo(3), end: daysAgo(2) };
		expect((await call('get-sms-sent-count', before)).body.count).toBe(0);
	});

	it('list what was sent, a row for each recipient', async () => {
		const { body: sent } = await sendV1<{ message_id: number }>(emulator, { to: `${ana},${ben}` });
		const { body } = await call('get-user-sms-sent', today());
		expect(body).toMatchObject({
			total: 2,
			messages: [
				{
					id: expect.any(Number),
					message_id: sent.message_id,
					message: 'Hello',
					msisdn: 61491578888,
					caller_id: 61491570006,
					status: 'pending',
				},
				{ msisdn: 61491573087 },
			],
		});
		const one = await call('get-user-sms-sent', { ...today(), msisdn: ben });
		expect(one.body.total).toBe(1);
	});

	it('show each message with its cost as a negative number', async () => {
		await sendV1(emulator);
		await sendV1(emulator, { to: '', list_id: '4100002' });
		const { body } = await call('get-message-report');
		expect(body).toMatchObject({
			messages_total: 2,
			sms_total: 5,
			messages: [
				{ type: 'api', cost: -0.079, status: 'completed', pending: 1, msisdn: 61491578888 },
				{ type: 'campaign', cost: -0.316, pending: 4 },
			],
		});
		const campaigns = await call('get-message-report', { type: 'campaign' });
		expect(campaigns.body.messages_total).toBe(1);
	});

	it('name messages of v2 by a number that v1 knows', async () => {
		await sendV2(emulator);
		const { body } = await call('get-message-report');
		const [{ id }] = body.messages as [{ id: number }];
		const read = await call('get-sms', { message_id: id });
		expect(read.body).toMatchObject({ message_id: id, message: 'Hello' });
	});

	it('show the fields of a contact on a list that is named', async () => {
		const list_id = 4100002;
		await call('add-to-list', { list_id, msisdn: ana, first_name: 'Robin', field_1: 'Carlton' });
		await sendV1(emulator);
		const { body } = await call('get-message-report', { list_id });
		expect(body.messages).toMatchObject([
			{ first_name: 'Robin', fields: { Suburb: 'Carlton', Postcode: '' } },
		]);
	});

	it('tell the history of a contact, sorted as asked', async () => {
		await sendV1(emulator);
		const { body: second } = await sendV2(emulator);
		await emulator.control().setStatus(second.id, 'DELIVERED');
		const sorting = { sort_field: 'message_id', order: 'desc' };
		const { body } = await call('get-contact-sms-stats', { mobile: ana, ...sorting });
		expect(body).toMatchObject({
			total: 2,
			records: [{ delivery_status: 'delivered' }, { delivery_status: 'pending' }],
		});
	});

	it('tell what a contact has answered', async () => {
		const { body: sent } = await sendV2(emulator);
		await emulator.control().reply(sent.id, 'Yes');
		const { body } = await call('get-user-sms-responses', { mobile: ana });
		expect(body).toMatchObject({ total: 1, responses: [{ response: 'Yes', msisdn: 61491578888 }] });
		expect((await call('get-user-sms-responses', { mobile: ben })).body.total).toBe(0);
	});

	it.each([
		['get-sms-sent-count', { start: daysAgo(8), end: daysAgo(0) }, 'FIELD_INVALID'],
		['get-message-report', { start: daysAgo(31), end: daysAgo(0) }, 'FIELD_INVALID'],
		['get-message-report', { type: 'fax' }, 'FIELD_INVALID'],
		['get-user-sms-sent', { start: daysAgo(1) }, 'FIELD_EMPTY'],
		['get-user-sms-sent', { start: 'yesterday', end: daysAgo(0) }, 'FIELD_INVALID'],
		['get-contact-sms-stats', {}, 'FIELD_EMPTY'],
		['get-contact-sms-stats', { mobile: ana, sort_field: 'cost' }, 'FIELD_INVALID'],
		['get-user-sms-responses', {}, 'FIELD_EMPTY'],
	])('%s refuses %j', async (operation, fields, code) => {
		const { status, body } = await call(operation, fields as Record<string, string>);
		expect([status, body.error.code]).toEqual([400, code]);
	});
});
