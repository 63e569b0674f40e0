import { afterEach, describe, expect, it, vi } from 'vitest';
import { continues, phones, toPhone, useDeduplicationStore, useEmulator } from './emulator.ts';
import { createTool, timeFields } from './harness.ts';

const service = useEmulator();
useDeduplicationStore();
afterEach(() => void vi.useRealTimers());

const itemsOf = (count: number) => phones(count).map((phone) => ({ phone }));
const sms = { ...toPhone, message: 'Hello' };

const send = async (count: number, options: object = {}, settings: object = continues) =>
	await service.run('sms/send', { ...sms, options }, { items: itemsOf(count), settings });

describe('the clock of the machine', () => {
	it('may be set back by an hour without a pause of an hour', async () => {
		await send(1);
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
		const begunMs = performance.now();
		const { error } = await send(1);

		expect(error).toBeUndefined();
		expect(performance.now() - begunMs).toBeLessThan(60_000);
	});

	it('says on which day a message counts: that on which it is sent, not that of the beginning of its run', async () => {
		const options = { maxPerRecipientPerDay: 1, requestsPerSecond: 500 };
		await service.control.settings({ latencyMs: 50 });
		vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T23:50:00-05:00') });
		const sending = send(100, options);
		await service.control.waitForRequests({ path: '/v2/sms' }, { count: 1 });
		vi.setSystemTime(new Date('2026-03-02T00:20:00-05:00'));
		await sending;
		const { json } = await send(100, options);

		expect(json[0]).toMatchObject({ recipient: itemsOf(1)[0]!.phone });
		expect(json.at(-1)).toMatchObject({ details: { code: 'limit_reached' } });
	});
});

describe('many items', () => {
	it('ask once for what they all need, and again after a failure', async () => {
		const path = '/get-list.json';
		await service.fault('status500', { path, count: 7 });
		const customFields = { values: [{ name: 'Suburb', value: 'Carlton' }] };
		const { json } = await service.run(
			'contact/upsert',
			{ contact: '={{ $json.phone }}', listId: '4100002', customFields },
			{ items: itemsOf(100), settings: continues },
		);

		// Those that were under way at once.
		expect(json.filter(({ error }) => error)).toHaveLength(50);
		expect(await service.control.requests({ path })).toHaveLength(7 + 1);
	});

	it('ask n8n once for each field that has no expression, however deep', async () => {
		const readsOf = async (count: number, options: object) =>
			(await timeFields(async () => await send(count, { dryRun: 'always', ...options }))).fields
				.reads;
		const fixed = (await readsOf(101, {})) - (await readsOf(1, {}));
		const perItem =
			(await readsOf(101, { messageRef: '={{ $json.phone }}' })) - (await readsOf(1, {}));

		expect([fixed, perItem]).toEqual([100, 200]);
	});

	it('are each told what is wrong with a value that all have', async () => {
		const { json } = await service.run(
			'sms/send',
			{ ...sms, message: ' ' },
			{ items: itemsOf(3), settings: continues },
		);
		expect(json).toEqual(
			Array(3).fill(
				expect.objectContaining({ error: expect.stringContaining("'Message' is empty") }),
			),
		);
	});

	it('in doubt are looked for with three requests a second at most', async () => {
		await service.fault('status500', { method: 'POST', path: '/v2/sms', count: 'forever' });
		await send(40, { requestsPerSecond: 500 });

		const looks = await service.control.requests({ method: 'GET', path: '/v2/sms' });
		expect(looks.length).toBeGreaterThan(2 * 40);
		expect(looks.length).toBeLessThanOrEqual(40 + 3 * 150);
	});
});

it('remembers for each node what may have been sent, also where nodes have no ids, as an API can make them', async () => {
	const toolOf = async (name: string) =>
		await createTool({
			parameters: { resource: 'sms', operation: 'send', ...sms },
			credentials: service.credentials,
			settings: { name, id: undefined },
			executionId: 'of-both',
		});
	const [one, other] = [await toolOf('One'), await toolOf('Other')];
	const [ana] = itemsOf(1);
	await service.fault('status500', { path: '/v2/sms', method: 'POST' });

	expect(await one(ana)).toContain('Kudosity did not confirm the request');
	expect(await one(ana)).toContain('Kudosity did not confirm the request');
	expect(await service.control.messages()).toHaveLength(0);
	expect(await other(ana)).toContain('recipient');
	expect(await service.control.messages()).toHaveLength(1);
});

it('asks for a text with half of an emoji as it is, but for the half', async () => {
	const filters = { messageRef: 'a\ud83d-1 👍' };
	await service.run('sms/getAll', { filters });
	expect(await service.control.requests()).toMatchObject([{ query: { message_ref: 'a-1 👍' } }]);
});
