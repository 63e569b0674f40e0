import { expect, it } from 'vitest';
import { continues, useDeduplicationStore, useEmulator } from './emulator.ts';

const service = useEmulator();
const store = useDeduplicationStore();

const [ana, ben, cleo] = ['61491570006', '61491570156', '61491570157'];

type Item = { to: string; key: string };

const run = async (items: Item[], settings: object = continues) =>
	await service.bulk(
		items,
		{ deduplicationKey: '={{ $json.key }}', requestsPerSecond: 500 },
		{ settings },
	);

const sentTo = async () =>
	(await service.control.requests({ path: '/send-sms.json' })).map(
		({ body }) => (body as { to: string }).to,
	);
const codes = (json: Array<{ details?: unknown }>) =>
	json.map(({ details }) => (details as { code: string } | undefined)?.code);

it('skips a later item with the key of an earlier one, so its numbers get nothing', async () => {
	const { json } = await run([
		{ to: ana, key: 'J' },
		{ to: ben, key: 'K' },
		{ to: `${ana}, ${cleo}`, key: 'K' },
	]);

	expect(await sentTo()).toEqual([`${ana},${ben}`]);
	expect(json).toMatchObject([{ recipients: 1 }, { recipients: 1 }, { code: 'already_messaged' }]);
});

it('lets a later item with the key of an earlier one fail as that did, and leaves the key to a later run', async () => {
	await service.control.inbound({ from: ben, to: '61491570159', text: 'STOP' });
	const items = [
		{ to: ana, key: 'J' },
		{ to: ben, key: 'K' },
		{ to: cleo, key: 'K' },
	];
	const { json } = await run(items);

	expect(await sentTo()).toEqual([`${ana},${ben}`]);
	expect(json[0]).toMatchObject({ recipients: 1 });
	expect(codes(json).slice(1)).toEqual(['opted_out', 'opted_out']);
	const later = await run(items.slice(2));
	expect(later.json).toMatchObject([{ recipients: 1 }]);
});

it('releases the keys of all items of a refused request together', async () => {
	await service.fault('status403', { path: '/send-sms.json' });
	const before = store.removals();
	const items = Array.from({ length: 30 }, (_, index) => ({
		to: String(61491570000 + index),
		key: `K${index}`,
	}));
	await run(items);

	expect(store.entries.size).toBe(0);
	expect(store.removals() - before).toBeLessThanOrEqual(2);
});

it('does not send to a number again that may have had the message', async () => {
	const path = '/send-sms.json';
	await service.fault('status500AfterAcceptance', { path, count: 1 });
	const items = [
		{ to: ana, key: 'J' },
		{ to: 'nobody', key: 'K' },
		{ to: ana, key: 'K' },
	];
	const { json } = await run(items);

	expect(await service.control.messages()).toHaveLength(1);
	expect(codes(json)).toEqual(['outcome_unknown', 'invalid_number', 'outcome_unknown']);
	expect((await run(items)).json).toMatchObject([
		{ code: 'already_messaged' },
		{},
		{ code: 'already_messaged' },
	]);
	expect(await service.control.messages()).toHaveLength(1);
});
