import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { callV1, sendV1, useEmulator } from './emulatorUnderTest.ts';
import { useEventReceiver } from './eventReceiver.ts';

describe('callbacks of v1', () => {
	const emulator = useEmulator({ retryDelaysMs: [] });
	const receiver = useEventReceiver();
	const control = () => emulator.control();

	/** The query of the first callback. */
	async function received(): Promise<Record<string, string>> {
		await control().waitForDeliveries({ eventType: 'callback', ok: true });
		const [first] = receiver.received;
		expect(first!.method).toBe('GET');
		return Object.fromEntries(new URL(first!.url, receiver.url()).searchParams);
	}

	const send = async (fields: Record<string, string>) => {
		const { body } = await sendV1<{ message_id: number }>(emulator, fields);
		return String(body.message_id);
	};

	it('tell about a delivery, after the parameters of the address', async () => {
		const id = await send({ dlr_callback: receiver.url() });
		await control().setStatus(id, 'DELIVERED');
		const query = await received();
		expect(Object.keys(query)[0]).toBe('token');
		expect(query).toMatchObject({ message_id: id, mobile: '61491578888', status: 'delivered' });
	});

	it('tell about a reply and an opt-out, signed with the secret of the account', async () => {
		const id = await send({ reply_callback: receiver.url() });
		await control().reply(id, 'STOP');
		const query = await received();
		const reply = { message_id: id, longcode: '61491570006', response: 'STOP', is_optout: 'yes' };
		expect(query).toMatchObject(reply);
		const json = JSON.stringify(query).replaceAll('/', '\\/');
		const signature = createHmac('sha256', 'playground-secret').update(json).digest('hex');
		expect(receiver.received[0]!.headers['x-transmitsms-signature']).toBe(signature);
	});

	it('go to the address of the number when the message names none', async () => {
		const forward_url = receiver.url();
		await callV1(emulator, 'edit-number-options', { number: 61491570006, forward_url });
		await control().inbound({ from: '61491578888', to: '61491570006', text: 'Hi' });
		expect(await received()).toMatchObject({ response: 'Hi', is_optout: 'no' });
	});

	it('tell about a click', async () => {
		const tracked = { message: '[tracked-link]', tracked_link_url: 'https://a.example/' };
		const id = await send({ ...tracked, link_hits_callback: receiver.url() });
		await control().click(id);
		expect(await received()).toMatchObject({ message_id: id, link_hits: '1' });
	});
});
