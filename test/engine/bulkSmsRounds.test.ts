import { expect, it } from 'vitest';
import { continues, useDeduplicationStore, useEmulator } from './emulator.ts';

const service = useEmulator();
useDeduplicationStore();

const [ana, ben, cleo] = ['61491570006', '61491570156', '61491570157'];

type Item = { to: string; key: string };

/** Items of one Deduplication Key go out one after the other: with the second one, a later round begins. */
const run = async (items: Item[]) =>
	await service.bulk(
		items,
		{ deduplicationKey: '={{ $json.key }}', requestsPerSecond: 500 },
		{ settings: continues },
	);

const sentTo = async () =>
	(await service.control.requests({ path: '/send-sms.json' })).map(
		({ body }) => (body as { to: string }).to,
	);
const optOut = async (number: string) =>
	await service.control.inbound({ from: number, to: '61491570159', text: 'STOP' });

it('sends to a number once, also for an item that had to wait for its key', async () => {
	await optOut(ben);
	const items = [
		{ to: ana, key: 'J' },
		{ to: ben, key: 'K' },
		{ to: `${ana}, ${cleo}`, key: 'K' },
	];
	const { json } = await run(items);

	expect(await sentTo()).toEqual([`${ana},${ben}`, cleo]);
	expect(json).toMatchObject([
		{ recipients: 1 },
		{ error: expect.stringContaining('opted out') },
		{ message_ids: [expect.any(String), expect.any(String)], recipients: 1, duplicate: true },
	]);
});

it('makes no request for an item all of whose numbers had the message before', async () => {
	await optOut(ben);
	const { json } = await run([
		{ to: ana, key: 'J' },
		{ to: ben, key: 'K' },
		{ to: ana, key: 'K' },
	]);

	expect(await sentTo()).toEqual([`${ana},${ben}`]);
	expect(json[2]).toMatchObject({
		message_id: json[0]?.message_id,
		recipients: 0,
		duplicate: true,
	});
});

it('sends to a number again whose request was refused', async () => {
	await service.fault('status403', { path: '/send-sms.json', count: 1 });
	const { json } = await run([
		{ to: ana, key: 'K' },
		{ to: ana, key: 'K' },
	]);

	expect(await sentTo()).toEqual([ana, ana]);
	expect(json).toMatchObject([{ details: { code: 'not_allowed' } }, { recipients: 1 }]);
	expect(await service.control.messages()).toHaveLength(1);
});

it('does not send to a number again that may have had the message', async () => {
	await service.fault('status500AfterAcceptance', {
		path: '/send-sms.json',
		bodyIncludes: ana,
		count: 1,
	});
	const { json } = await run([
		{ to: ana, key: 'J' },
		{ to: 'nobody', key: 'K' },
		{ to: ana, key: 'K' },
	]);

	expect(await service.control.messages()).toHaveLength(1);
	expect(json.map(({ details }) => (details as { code: string }).code)).toEqual([
		'outcome_unknown',
		'invalid_number',
		'outcome_unknown',
	]);
});
