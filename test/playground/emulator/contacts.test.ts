import { describe, expect, it } from 'vitest';
import { callV1, sendV1, sendV2, useEmulator } from './emulatorUnderTest.ts';
import { useEventReceiver, type ReceivedEvent } from './eventReceiver.ts';

type Read = Record<string, Record<string, unknown>> & { event_type: string };
const read = ({ payload }: ReceivedEvent) => JSON.parse(payload) as Read;

describe('what contacts do', () => {
	const emulator = useEmulator({ retryDelaysMs: [] });
	const receiver = useEventReceiver();
	const control = () => emulator.control();

	/** By type, since events of different types are posted side by side. */
	async function eventsAfter(count: number): Promise<Read[]> {
		await control().waitForDeliveries({ ok: true }, { count });
		return receiver.received.map(read).sort((a, b) => a.event_type.localeCompare(b.event_type));
	}

	async function sendSubscribed(fields: object = {}): Promise<string> {
		const json = { name: 'Everything', url: receiver.url() };
		await emulator.call('/v2/webhook', { json });
		return (await sendV2(emulator, { message_ref: 'order-7', ...fields })).body.id;
	}

	it('quotes the latest message to the contact in a reply', async () => {
		const id = await sendSubscribed();
		await control().reply(id, 'Yes ');
		expect(await eventsAfter(1)).toMatchObject([
			{
				event_type: 'SMS_INBOUND',
				mo: {
					message: 'Yes ',
					sender: '61491578888',
					recipient: '61491570006',
					last_message: { id, message_ref: 'order-7', message: 'Hello' },
				},
			},
		]);
	});

	it('has no earlier message to quote in a text out of the blue', async () => {
		await sendSubscribed();
		await control().inbound({ from: '61491573087', to: '61491570006', text: 'Hi?' });
		const [event] = await eventsAfter(1);
		expect(event!.mo).not.toHaveProperty('last_message');
	});

	it('opts out with STOP, however it is written, and leaves the lists', async () => {
		const member = { list_id: 4100002, msisdn: 61491578888 };
		await callV1(emulator, 'add-to-list', member);
		const id = await sendSubscribed();
		await control().reply(id, ' Stop\n');
		expect(await eventsAfter(2)).toMatchObject([
			{ event_type: 'OPT_OUT', opt_out: { source: 'SMS_INBOUND', source_message: { id } } },
			{ event_type: 'SMS_INBOUND', mo: { message: ' Stop\n' } },
		]);
		const { body } = await callV1<{ status: string }>(emulator, 'get-contact', member);
		expect(body.status).toBe('optout');
	});

	it('is not written to after an opt-out, by either API', async () => {
		const id = await sendSubscribed();
		await control().optOut(id);
		const v2 = await sendV2(emulator);
		expect(v2.body).toMatchObject({ error: { status: 400, issues: [{ name: 'recipient' }] } });
		const v1 = await sendV1(emulator, { to: '61491578888,nobody' });
		expect(v1.body).toMatchObject({
			error: {
				code: 'RECIPIENTS_ERROR',
				description: { fails: ['nobody'], optouts: [61491578888] },
			},
		});
		expect(await control().accepted()).toHaveLength(1);
	});

	it('stays in other lists when the global opt-out is off', async () => {
		await control().settings({ globalOptOut: false });
		const member = { list_id: 4100002, msisdn: 61491578888 };
		await callV1(emulator, 'add-to-list', member);
		await callV1(emulator, 'optout-list-member', member);
		expect((await sendV2(emulator)).status).toBe(200);
	});

	it('does not opt out with a text that merely contains the word', async () => {
		await control().reply(await sendSubscribed(), 'please stop by');
		expect(await control().optOuts()).toEqual([]);
	});

	it('clicks on a tracked link, and is counted', async () => {
		const id = await sendSubscribed({ message: 'https://example.com/a', track_links: true });
		await control().click(id);
		const [{ link_hit }] = (await eventsAfter(1)) as [Read];
		expect(link_hit).toMatchObject({ hits: 1, url: 'https://example.com/a' });
		const [message] = await control().messages();
		const visit = await fetch(/http:\S+/.exec(message!.sentText)![0], { redirect: 'manual' });
		expect(visit.headers.get('location')).toBe('https://example.com/a');
		const [, second] = await eventsAfter(2);
		expect(second!.link_hit).toMatchObject({ hits: 2 });
	});

	it('sends pictures', async () => {
		const id = await sendSubscribed();
		const media = [{ name: 'image-0.png', content: 'iVBORw0KGgo=' }];
		await control().inbound({ channel: 'MMS', from: '61491578888', to: '61491570006', media });
		expect(await eventsAfter(1)).toMatchObject([
			{ event_type: 'MMS_INBOUND', mo: { type: 'MMS', media, last_message: { id } } },
		]);
	});

	it('gets the SMS in place of a message that failed, once, unless opted out meanwhile', async () => {
		const json = {
			recipient: '61491578888',
			content_type: 'text',
			content: { text: { message: 'Hi' } },
			sms_fallback: { message: 'By SMS' },
		};
		const send = async () =>
			(await emulator.call<{ data: { id: string } }>('/v2/whatsapp/messages', { json })).body.data;
		const [first, second] = [await send(), await send()];
		await control().setStatus(first.id, 'UNDELIVERABLE');
		await control().setStatus(first.id, 'FAILED');
		await control().optOut(second.id);
		await control().setStatus(second.id, 'FAILED');
		expect(await control().messages({ channel: 'SMS' })).toMatchObject([
			{ text: 'By SMS', fallbackFor: first.id },
		]);
	});
});
