import { describe, expect, it } from 'vitest';
import { continues, phones, retries, useEmulator } from './emulator.ts';

const service = useEmulator();

type Item = { to: unknown; text?: string };

const run = async (items: Item[], settings = {}) =>
	await service.bulk(items, { requestsPerSecond: 500 }, { settings });

const requests = async () => await service.control.requests({ path: '/send-sms.json' });

describe('items that send the same', () => {
	it('go out together, each paired with the message that its number went out under', async () => {
		const { items } = await run([{ to: '61491570006' }, { to: '61491570156' }]);

		expect(await requests()).toMatchObject([{ body: { to: '61491570006,61491570156' } }]);
		const [first, second] = items;
		expect(first).toMatchObject({ json: { recipients: 1 }, pairedItem: { item: 0 } });
		expect(second?.json.message_id).toBe(first?.json.message_id);
		expect(second).toMatchObject({ json: { recipients: 1 }, pairedItem: { item: 1 } });
		expect(first?.json.request).toMatchObject({ recipients: 2, parts: 2 });
	});

	it('take six requests when there are 3,000 of them', async () => {
		const { json } = await run(phones(3000).map((to) => ({ to })));

		expect(json).toHaveLength(3000);
		expect(await requests()).toHaveLength(6);
		expect(await service.control.messages()).toHaveLength(6);
	});

	it('send to each number once, whatever its spelling', async () => {
		const { json } = await run([
			{ to: ['61491570006', '+61 491 570 156'] },
			{ to: '+61491570006' },
			{ to: '61491570157' },
		]);

		expect(await requests()).toMatchObject([
			{ body: { to: '61491570006,61491570156,61491570157' } },
		]);
		expect(json.map(({ recipients, duplicate }) => [recipients, duplicate])).toEqual([
			[2, undefined],
			[0, true],
			[1, undefined],
		]);
	});

	it('stay apart from those with another text', async () => {
		await run([{ to: '61491570006' }, { to: '61491570156', text: 'Open again' }]);

		expect((await requests()).map(({ body }) => (body as { to: string }).to)).toEqual([
			'61491570006',
			'61491570156',
		]);
	});

	it('send 500 messages where an expression gives all 500 numbers to each of 500 items', async () => {
		const to = phones(500);
		const { json } = await run(to.map(() => ({ to })));

		expect(await requests()).toHaveLength(1);
		expect(json.filter(({ duplicate }) => duplicate)).toHaveLength(499);
	});
});

describe('items that go out together', () => {
	const three = [{ to: '61491570006' }, { to: '61491570156' }, { to: '61491570157' }];

	it('are sent once when n8n runs the node again', async () => {
		await service.fault('status500AfterAcceptance', { count: 1 });
		const { json } = await run(three, { ...retries, ...continues });

		expect(json).toHaveLength(3);
		for (const { error } of json) expect(error).toMatch(/^Kudosity did not confirm the request/);
		expect(await service.control.messages()).toHaveLength(1);
	});

	it('are sent by the second try when the first one was refused', async () => {
		await service.fault('status403', { count: 1 });
		const { json, error } = await run(three, retries);

		expect(error).toBeUndefined();
		expect(json.map(({ recipients }) => recipients)).toEqual([1, 1, 1]);
		expect(await service.control.messages()).toHaveLength(1);
	});

	it('go on without the one that is wrong', async () => {
		const items = [{ to: '61491570006' }, { to: 'Sam' }, { to: '61491570157' }];
		const { json } = await run(items, continues);

		expect(json[1]?.error).toMatch(/^'Recipients' has no valid phone number/);
		expect(await requests()).toMatchObject([{ body: { to: '61491570006,61491570157' } }]);
	});
});
