import { describe, expect, it } from 'vitest';
import { callV1, sendV1, sendV2, useEmulator } from './emulatorUnderTest.ts';

describe('the account book', () => {
	const emulator = useEmulator();
	const control = () => emulator.control();
	const parties = { sender: '61491570006', recipient: '61491578888' };
	const text = { content_type: 'text', content: { text: { message: 'Hi' } } };

	it('has a line for each recipient of each message of every channel', async () => {
		await sendV1(emulator, { to: '61491578888,61491573087' });
		await sendV2(emulator, { message_ref: 'order-7' });
		const content_urls = ['https://example.com/picture.jpg'];
		await emulator.call('/v2/mms', { json: { ...parties, content_urls } });
		await emulator.call('/v2/rcs/messages', { json: { ...parties, ...text } });
		await emulator.call('/v2/whatsapp/messages', { json: { ...parties, ...text } });
		expect(await control().accepted()).toMatchObject([
			{ api: 'v1', channel: 'SMS', recipient: '61491578888', text: 'Hello' },
			{ api: 'v1', channel: 'SMS', recipient: '61491573087' },
			{ api: 'v2', channel: 'SMS', recipient: '61491578888', message_ref: 'order-7' },
			{ channel: 'MMS' },
			{ channel: 'RCS' },
			{ channel: 'WHATSAPP' },
		]);
		const ben = await control().accepted({ recipient: '61491573087' });
		expect(ben).toHaveLength(1);
	});

	it('has nothing of what was refused for want of money', async () => {
		await control().settings({ balance: 0.05 });
		expect((await sendV2(emulator)).status).toBe(400);
		expect((await sendV1(emulator)).status).toBe(400);
		const rcs = await emulator.call('/v2/rcs/messages', { json: { ...parties, ...text } });
		expect(rcs.status).toBe(400);
		expect(await control().accepted()).toEqual([]);
	});

	it('costs money line by line', async () => {
		const balance = async () =>
			(await callV1<{ balance: number }>(emulator, 'get-balance')).body.balance;
		const before = await balance();
		await sendV1(emulator, { to: '61491578888,61491573087' });
		await sendV2(emulator);
		expect(await balance()).toBeCloseTo(before - 3 * 0.079, 3);
	});

	it('gets the money back for a message that is cancelled before its time', async () => {
		const balance = async () => (await callV1(emulator, 'get-balance')).body;
		const before = await balance();
		const send_at = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
		const { body } = await sendV1<{ message_id: number }>(emulator, { send_at });
		expect(await balance()).not.toEqual(before);
		await callV1(emulator, 'cancel-sms', { id: body.message_id });
		expect(await balance()).toEqual(before);
	});
});

describe('the reading lag', () => {
	const emulator = useEmulator({ readLagMs: 60_000 });

	it('hides a message from the list as well, and never a reply', async () => {
		const { body } = await sendV2(emulator);
		await emulator.control().reply(body.id, 'Yes');
		const list = await emulator.call<{ smses: Array<{ direction: string }> }>('/v2/sms');
		expect(list.body.smses.map(({ direction }) => direction)).toEqual(['IN']);
	});
});
