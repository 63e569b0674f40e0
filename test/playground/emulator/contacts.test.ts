import { describe, expect, it } from 'vitest';
import { sendV1, sendV2, useEmulator } from './emulatorUnderTest.ts';
import { useEventReceiver } from './eventReceiver.ts';

type Read = Record<string, Record<string, unknown>> & { event_type: string };

describe('what contacts do', () => {
	const emulator = useEmulator({ retryDelaysMs: [] });
	const receiver = useEventReceiver();
	const control = () => emulator.control();

	async function eventsAfter(count: number): Promise<Read[]> {
		await control().waitForDeliveries({ ok: true }, { count });
		const events = receiver.received.map(({ payload }) => JSON.parse(payload) as Read);
		return events.sort((a, b) => a.event_type.localeCompare(b.event_type));
	}

	async function sendSubscribed(fields: object = {}): Promise<string> {
		const json = { name: 'Everything', url: receiver.url() };
		await emulator.call('/v2/webhook', { json });
		return (await sendV2(emulator, { message_ref: 'order-7', ...fields })).body.id;
	}

	it('quotes the latest message to the contact in a reply', async () => {
		const id = await sendSubscribed();
		await control().reply(id, 'Yes ');
		const [event] = await eventsAfter(1);
		expect(event).toMatchObject({
			event_type: 'SMS_INBOUND',
			mo: {
				type: 'SMS',
				message: 'Yes ',
				sender: '61491578888',
				recipient: '61491570006',
				last_message: { id, message_ref: 'order-7', message: 'Hello' },
			},
		});
	});

	it('has no earlier message to quote in a text out of the blue', async () => {
		await sendSubscribed();
		await control().inbound({ from: '61491573087', to: '61491570006', text: 'Hi?' });
		const [event] = await eventsAfter(1);
		expect(event!.mo).not.toHaveProperty('last_message');
	});

	it.each(['STOP', ' stop ', 'Stop\n'])('opts the contact out who answers %j', async (text) => {
		const id = await sendSubscribed();
		await control().reply(id, text);
		const [inbound, optOut] = (await eventsAfter(2)).reverse();
		expect(inbound).toMatchObject({ event_type: 'SMS_INBOUND', mo: { message: text } });
		expect(optOut).toMatchObject({
			event_type: 'OPT_OUT',
			opt_out: { source: 'SMS_INBOUND', source_message: { id, message_ref: 'order-7' } },
		});
		expect(await control().optOuts()).toEqual([
			{ accountId: 'playground', contact: '61491578888' },
		]);
	});

	it('refuses to write to a contact who has opted out, on both APIs', async () => {
		const id = await sendSubscribed();
		await control().optOut(id);
		const [optOut] = await eventsAfter(1);
		expect(optOut).toMatchObject({ opt_out: { source: 'LINK_HIT', source_message: { id } } });
		const v2 = await sendV2(emulator);
		expect(v2.body).toMatchObject({ error: { status: 400, issues: [{ name: 'recipient' }] } });
		const v1 = await sendV1(emulator);
		expect(v1.body).toMatchObject({ error: { description: { optouts: [61491578888] } } });
		expect(await control().messages()).toHaveLength(1);
	});

	it('does not take a text that merely contains the word for an opt-out', async () => {
		const id = await sendSubscribed();
		await control().reply(id, 'please stop by');
		expect(await control().optOuts()).toEqual([]);
	});

	it('counts the clicks on a link', async () => {
		const id = await sendSubscribed({ message: 'https://example.com/a', track_links: true });
		await control().click(id);
		await eventsAfter(1);
		await control().click(id);
		await control().waitForDeliveries({ ok: true }, { count: 2 });
		const hits = receiver.received.map(({ payload }) => (JSON.parse(payload) as Read).link_hit);
		expect(hits).toMatchObject([
			{ hits: 1, url: 'https://example.com/a' },
			{ hits: 2, url: 'https://example.com/a' },
		]);
	});

	it('cannot click in a message without a tracked link', async () => {
		const id = await sendSubscribed();
		await expect(control().click(id)).rejects.toThrow('no tracked link');
	});

	it('sends pictures', async () => {
		const id = await sendSubscribed();
		const media = [{ name: 'image-0.png', content: 'iVBORw0KGgo=' }];
		await control().inbound({ channel: 'MMS', from: '61491578888', to: '61491570006', media });
		const [event] = await eventsAfter(1);
		expect(event).toMatchObject({
			event_type: 'MMS_INBOUND',
			mo: { type: 'MMS', media, last_message: { id } },
		});
	});

	it('names the shared number that delivered, when there is one', async () => {
		await control().settings({ routedVia: '61491570110' });
		const id = await sendSubscribed();
		await control().reply(id, 'Yes');
		const [event] = await eventsAfter(1);
		expect(event!.mo).toMatchObject({
			routed_via: '61491570110',
			last_message: { routed_via: '61491570110' },
		});
	});
});
