import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';
import { installDeduplicationStore, runKudosity } from './harness.ts';

const service = useEmulator();
const store = installDeduplicationStore();
beforeAll(async () => await store.install());
beforeEach(() => store.entries.clear());

type Item = { phone: string; key?: string | null };

const run = async (items: Item[], settings = {}) =>
	await runKudosity({
		parameters: {
			resource: 'sms',
			operation: 'send',
			message: 'Hello',
			sender: 'Acme',
			recipient: '={{ $json.phone }}',
			options: { sendOnceKey: '={{ $json.key }}', requestsPerSecond: 200 },
		},
		credentials: service.credentials,
		items: items as never,
		settings: { onError: 'continueRegularOutput', ...settings },
	});

const recipients = async () => (await service.control.messages()).map(({ recipient }) => recipient);

const ana = { phone: '61491570006', key: 'order-1' };
const ben = { phone: '61491570156', key: 'order-2' };

describe('Send Once Key', () => {
	it('skips a key that an earlier execution used, and says so', async () => {
		await run([ana]);
		const { json } = await run([ana, ben]);

		expect(json[0]).toEqual({ skipped: true, reason: expect.stringContaining('Send Once Key') });
		expect(json[1]).toMatchObject({ recipient: ben.phone });
		expect(await recipients()).toEqual([ana.phone, ben.phone]);
	});

	it('sends one of several items that have the same key in one run', async () => {
		const { json } = await run([ana, { ...ben, key: ana.key }, { ...ana }]);

		expect(json.filter(({ skipped }) => skipped)).toHaveLength(2);
		expect(await recipients()).toHaveLength(1);
	});

	it('gives the key to the next item when the first was refused', async () => {
		await service.control.addFault({
			fault: 'status403',
			match: { bodyIncludes: ana.phone, count: 1 },
		});
		const { json } = await run([ana, { ...ben, key: ana.key }]);

		expect(json[0]).toHaveProperty('error');
		expect(json[1]).toMatchObject({ recipient: ben.phone });
	});

	it('frees the key after a refusal, so that a later execution sends', async () => {
		await service.control.addFault({ fault: 'status403', match: { path: '/v2/sms', count: 1 } });
		await run([ana]);
		await run([ana]);

		expect(await recipients()).toEqual([ana.phone]);
	});

	it('keeps the key when the outcome is unknown', async () => {
		await service.control.addFault({ fault: 'status500', match: { path: '/v2/sms', count: 1 } });
		await run([ana]);
		const { json } = await run([ana]);

		expect(json[0]).toMatchObject({ skipped: true });
		expect(await recipients()).toEqual([]);
	});

	it('is off for items without a key', async () => {
		await run([
			{ phone: ana.phone, key: '' },
			{ phone: ana.phone, key: null },
			{ phone: ana.phone },
		]);

		expect(await recipients()).toHaveLength(3);
		expect(store.entries.size).toBe(0);
	});

	it('answers a retry of the node with what was accepted, not with skipped', async () => {
		await service.control.addFault({
			fault: 'status429',
			retryAfter: 0,
			match: { bodyIncludes: ben.phone, count: 7 },
		});
		const { json } = await run([ana, ben], {
			onError: 'stopWorkflow',
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 1,
		});

		expect(json).toMatchObject([{ recipient: ana.phone }, { recipient: ben.phone }]);
		expect(await recipients()).toEqual([ana.phone, ben.phone]);
	});
});
