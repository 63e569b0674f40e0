import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../../playground/emulator/events/events.ts';
import { contentTypes } from '../../../playground/emulator/events/samples.ts';
import { sendV2, useEmulator } from './emulatorUnderTest.ts';
import { useEventReceiver } from './eventReceiver.ts';

interface EventRead {
	event_type: string;
	webhook_id: string;
	webhook_name: string;
	status?: { id: string; status: string };
	mo?: { id: string; content_type?: string; content?: object };
}

describe('event deliveries', () => {
	const emulator = useEmulator({ retryDelaysMs: [] });
	const receiver = useEventReceiver();
	const control = () => emulator.control();
	const events = () => receiver.received.map(({ payload }) => JSON.parse(payload) as EventRead);

	async function subscribe(fields: object = {}): Promise<string> {
		const json = { name: 'Everything', url: receiver.url(), ...fields };
		const { body } = await emulator.call<{ id: string }>('/v2/webhook', { json });
		return body.id;
	}

	it('tells a webhook that a message was sent and delivered', async () => {
		const webhookId = await subscribe();
		await control().settings({ autoStatus: true, statusDelaysMs: [0, 30] });
		const { body } = await sendV2(emulator, { message_ref: 'order-7' });
		await control().waitForDeliveries({ webhookId, ok: true }, { count: 2 });
		expect(events()).toMatchObject(
			['SENT', 'DELIVERED'].map((status) => ({
				event_type: 'SMS_STATUS',
				webhook_id: webhookId,
				webhook_name: 'Everything',
				status: { id: body.id, message_ref: 'order-7', status },
			})),
		);
	});

	it('tells about a v1 message once for each recipient', async () => {
		await subscribe();
		await control().settings({ autoStatus: true, statusDelaysMs: [0] });
		const form = { message: 'Hi', to: '61491578888,61491573087', from: '61491570006' };
		await emulator.call('/send-sms.json', { form });
		await control().waitForDeliveries({ ok: true }, { count: 2 });
		expect(events()[0]!.status).not.toHaveProperty('message_ref');
	});

	it('posts alphabetical JSON with the headers of the service and no signature', async () => {
		await subscribe();
		await control().emit({ event_type: 'SMS_INBOUND', wait: true });
		const { headers, payload } = receiver.received[0]!;
		const keys = Object.keys(JSON.parse(payload) as object);
		expect(keys).toEqual([...keys].sort());
		expect(headers['user-agent']).toBe('Go-http-client/2.0');
		expect(headers['content-type']).toBe('application/json');
		expect(Object.keys(headers).filter((name) => /sign|auth/.test(name))).toEqual([]);
	});

	it('leaves out webhooks that do not want the event', async () => {
		await subscribe({ filter: { event_type: ['OPT_OUT'] } });
		await subscribe({ event_type: 'LINK_HIT' });
		expect(await control().emit({ event_type: 'SMS_INBOUND' })).toMatchObject({ started: 0 });
		expect(await control().emit({ event_type: 'LINK_HIT' })).toMatchObject({ started: 1 });
	});

	it('tries again on its schedule until the receiver takes the event', async () => {
		await control().settings({ retryDelaysMs: [10, 20] });
		await subscribe();
		receiver.answerNext(500, 404);
		await control().emit({ event_type: 'SMS_STATUS' });
		const [delivered] = await control().waitForDeliveries({ ok: true });
		expect(delivered!.attempt).toBe(3);
		expect(new Set(receiver.received.map(({ payload }) => payload)).size).toBe(1);
		const attempts = await control().deliveries();
		expect(attempts.map(({ status }) => status)).toEqual([500, 404, 200]);
		expect(attempts).toMatchObject(Array(3).fill({ responseBody: 'seen' }));
	});

	it('gives up at the end of its schedule', async () => {
		await control().settings({ retryDelaysMs: [10] });
		await subscribe({ url: 'http://127.0.0.1:9/closed' });
		await control().emit({ event_type: 'SMS_STATUS' });
		const failed = await control().waitForDeliveries({ ok: false }, { count: 2 });
		expect(failed.map(({ attempt, status }) => [attempt, status])).toEqual([
			[1, null],
			[2, null],
		]);
	});

	it('delivers each event twice, byte for byte, when told to', async () => {
		await control().settings({ duplicateEvents: true });
		await subscribe();
		await control().emit({ event_type: 'OPT_OUT', wait: true });
		expect(receiver.received).toHaveLength(2);
		expect(receiver.received[0]!.payload).toBe(receiver.received[1]!.payload);
	});

	it('delivers in swapped pairs when told to', async () => {
		await control().settings({ shuffle: true });
		await subscribe();
		const { body } = await sendV2(emulator);
		await control().setStatus(body.id, 'SENT');
		await control().setStatus(body.id, 'DELIVERED');
		await control().waitForDeliveries({ ok: true }, { count: 2 });
		expect(events().map(({ status }) => status?.status)).toEqual(['DELIVERED', 'SENT']);
	});

	it.each(eventTypes)('can emit %s', async (eventType) => {
		await subscribe({ filter: { event_type: [eventType] } });
		await control().emit({ event_type: eventType, wait: true });
		expect(events()).toMatchObject([{ event_type: eventType, webhook_name: 'Everything' }]);
	});

	it.each(contentTypes)('can emit a rich reply of kind %s', async (contentType) => {
		const to = await subscribe();
		await control().emit({ event_type: 'WHATSAPP_INBOUND', contentType, to, wait: true });
		const [event] = events();
		expect(event!.mo!.content_type).toBe(contentType);
		expect(Object.keys(event!.mo!.content!)).toEqual([contentType.toLowerCase()]);
	});

	it.each([
		['SMS', '61491570006', ['OPT_OUT', 'SMS_INBOUND']],
		['SMS', 'MyShop', ['OPT_OUT', 'SMS_INBOUND']],
		['SMS', '12345', ['OPT_OUT', 'SMS_INBOUND']],
		['WHATSAPP', 'AU.13491208655302741918', ['OPT_OUT', 'WHATSAPP_INBOUND']],
		['RCS', '61491570006', ['OPT_OUT']],
		['MMS', '61491570006', ['MMS_INBOUND']],
	] as const)('tells of a STOP by %s from %s as %j', async (channel, from, types) => {
		await subscribe();
		await control().inbound({ channel, from, to: '61491570156', text: 'Stop' });
		await control().waitForDeliveries({ ok: true }, { count: types.length });
		expect(
			events()
				.map(({ event_type }) => event_type)
				.sort(),
		).toEqual(types);
	});

	it('merges overrides into the sample and takes fields away with null', async () => {
		const to = await subscribe();
		const overrides = { mo: { message: 'Yes', last_message: null } };
		await control().emit({ event_type: 'SMS_INBOUND', overrides, to, wait: true });
		expect(events()[0]!.mo).toMatchObject({ message: 'Yes', sender: '61491578888' });
		expect(events()[0]!.mo).not.toHaveProperty('last_message');
	});

	it('emits many events, each with its own id', async () => {
		await subscribe();
		await control().emit({ event_type: 'SMS_INBOUND', count: 25, wait: true });
		expect(new Set(events().map(({ mo }) => mo!.id)).size).toBe(25);
	});

	it('posts a raw body untouched', async () => {
		const to = await subscribe();
		await control().emit({ raw: '{"half":', to, wait: true });
		expect(receiver.received[0]!.payload).toBe('{"half":');
	});

	it('says so when it is told to emit to nobody it knows', async () => {
		await expect(control().emit({ event_type: 'OPT_OUT', to: 'nobody' })).rejects.toThrow('404');
	});
});
