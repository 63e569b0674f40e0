import { describe, expect, it } from 'vitest';
import { callV1, sendV1, useEmulator } from './emulatorUnderTest.ts';

const [ana, ben] = ['61491578888', '61491573087'];
const inMinutes = (minutes: number) =>
	new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');

interface Sent {
	message_id: number;
}

describe('messages sent with v1', () => {
	const emulator = useEmulator();
	const control = () => emulator.control();
	const call = (operation: string, fields: Record<string, string | number> = {}) =>
		callV1<Record<string, unknown>>(emulator, operation, fields);
	const send = async (fields: Record<string, string> = {}) =>
		(await sendV1<Sent>(emulator, { to: `${ana},${ben}`, ...fields })).body.message_id;

	it('can be read by GET and POST, with the text as it was submitted', async () => {
		const id = await send({
			message: 'See [tracked-link]',
			tracked_link_url: 'https://a.example/',
		});
		const { body } = await call('get-sms', { message_id: id });
		expect(body).toMatchObject({
			message_id: id,
			recipients: 2,
			sms: 2,
			cost: 0.158,
			message: 'See [tracked-link]',
			delivery_stats: { delivered: 0, pending: 2, bounced: 0, responses: 0, optouts: 0 },
		});
		expect((await emulator.call(`/get-sms.json?message_id=${id}`)).body).toEqual(body);
	});

	it('name the list that they went to', async () => {
		const id = await send({ to: '', list_id: '4100001' });
		const { body } = await call('get-sms', { message_id: id });
		expect(body.list).toEqual({ id: 4100001, name: 'Customers' });
	});

	it('have digits as a number, even as a text', async () => {
		const id = await send({ message: '4182' });
		expect((await call('get-sms', { message_id: id })).body.message).toBe(4182);
	});

	it('are counted by what became of them', async () => {
		const id = await send({
			message: 'See [tracked-link]',
			tracked_link_url: 'https://a.example/',
		});
		await control().setStatus(String(id), 'DELIVERED', undefined, ana);
		await control().setStatus(String(id), 'HARD_BOUNCE', undefined, ben);
		await control().click(String(id));
		await control().reply(String(id), 'STOP', ana);
		const { body } = await call('get-sms-stats', { message_id: id });
		expect(body.stats).toEqual({
			hard_bounced: 1,
			soft_bounced: 0,
			total: 2,
			recipientCount: 2,
			delivered: 1,
			pending: 0,
			bounced: 1,
			responses: 1,
			'opt-outs': 1,
			link_hits: 1,
		});
	});

	it('list their recipients by delivery and opt-out', async () => {
		const id = await send();
		await control().setStatus(String(id), 'DELIVERED', undefined, ana);
		await control().setStatus(String(id), 'FAILED', undefined, ben);
		await control().optOut(String(id), ana);
		const recipients = async (fields: Record<string, string> = {}) => {
			const { body } = await call('get-sms-sent', { message_id: id, ...fields });
			return (body.recipients as Array<{ msisdn: number }>).map(({ msisdn }) => String(msisdn));
		};
		expect(await recipients()).toEqual([ana, ben]);
		expect(await recipients({ delivery: 'delivered' })).toEqual([ana]);
		expect(await recipients({ delivery: 'failed' })).toEqual([ben]);
		expect(await recipients({ optouts: 'true' })).toEqual([ana]);
		expect(await recipients({ optouts: 'false' })).toEqual([ben]);
		const { body } = await call('get-sms-sent', { message_id: id });
		expect(body).toMatchObject({
			total: 2,
			message: { message_id: id, recipients: 2 },
			recipients: [{ delivery_status: 'delivered', optout: true, first_name: null }, {}],
		});
	});

	it('tell about one recipient', async () => {
		const id = await send();
		await control().setStatus(String(id), 'SOFT_BOUNCE', undefined, ana);
		const { body } = await call('get-sms-delivery-status', { message_id: id, msisdn: ana });
		expect(body.stats).toMatchObject({
			message_id: id,
			sender_id: 61491570006,
			mobile: 61491578888,
			status: 'soft-bounce',
			message: 'Hello',
		});
		const other = await call('get-sms-delivery-status', { message_id: id, mobile: ana });
		expect(other.body.error.description).toBe("Required field 'msisdn' is empty");
	});

	it('can be cancelled once, before they are sent, and then cost nothing', async () => {
		const { body: before } = await call('get-balance');
		const id = await send({ send_at: inMinutes(60) });
		expect((await call('cancel-sms', { id })).body).toMatchObject({ success: 'OK' });
		expect((await call('get-balance')).body).toEqual(before);
		const again = await call('cancel-sms', { id });
		expect([again.status, again.body.error.code]).toEqual([400, 'ALREADY_SENT']);
	});

	it('cannot be cancelled once sent', async () => {
		const id = await send();
		expect((await call('cancel-sms', { id })).body.error.code).toBe('ALREADY_SENT');
	});

	it.each(['get-sms', 'get-sms-stats', 'get-sms-sent', 'get-sms-delivery-status'])(
		'answer 400 NOT_FOUND to %s with an id of nobody',
		async (operation) => {
			const { status, body } = await call(operation, { message_id: 17, msisdn: ana });
			expect([status, body.error]).toEqual([
				400,
				{ code: 'NOT_FOUND', description: 'Message with this ID does not exist' },
			]);
		},
	);

	it('give their replies, with the message if asked', async () => {
		const id = await send();
		await control().reply(String(id), 'Yes', ana);
		await control().reply(String(id), 'No', ben);
		const { body } = await call('get-sms-responses', { message_id: id, include_original: 'true' });
		expect(body).toMatchObject({
			page: { count: 1, number: 1 },
			total: 2,
			responses: [
				{
					message_id: id,
					msisdn: 61491578888,
					response: 'Yes',
					longcode: 61491570006,
					first_name: null,
					original_message: 'Hello',
				},
				{ response: 'No' },
			],
		});
		const one = await call('get-sms-responses', { message_id: id, msisdn: ben });
		expect(one.body).toMatchObject({ total: 1, responses: [{ response: 'No' }] });
	});

	it.each([
		['neither message nor keyword', {}],
		['a keyword without its number', { keyword: 'NEWS' }],
		['a keyword id that is no number', { keyword_id: 'NEWS' }],
	])('refuse to give replies with %s', async (_label, fields) => {
		const { body } = await call('get-sms-responses', fields as Record<string, string>);
		expect(body.error.code).toBe('FIELD_INVALID');
	});

	it('take local numbers with their country, each once', async () => {
		const fields = { to: `0491578888,${ana}`, countrycode: 'AU' };
		expect((await sendV1(emulator, fields)).body).toMatchObject({ recipients: 1 });
	});

	it('start to be delivered at their time only', async () => {
		await control().settings({ autoStatus: true, statusDelaysMs: [0, 0] });
		await send({ send_at: inMinutes(60) });
		await send();
		await control().waitForMessages({ status: 'DELIVERED' });
		expect(await control().messages({ status: 'PENDING' })).toHaveLength(1);
	});
});
