import { expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';

const service = useEmulator();

/** Something else that n8n has to do, such as answering a webhook: how often it gets its turn. */
const countTurns = async (task: () => Promise<unknown>): Promise<number> => {
	let turns = 0;
	const beating = setInterval(() => turns++, 1);
	await task();
	clearInterval(beating);
	return turns;
};

it('lets others in while it cleans thousands of numbers', async () => {
	const items = Array.from({ length: 2_500 }, (_, n) => ({
		phone: `0491 57${String(n % 2250).padStart(4, '0')}\r`,
		country: 'AU',
	}));
	const run = async () =>
		await service.run(
			'phoneNumber/clean',
			{ phoneNumber: '={{ $json.phone }}', defaultCountry: '={{ $json.country }}' },
			{ items, credentials: {} },
		);
	const turns = await countTurns(async () => {
		const { json } = await run();
		const duplicates = json.filter(({ cleaned }) => Object(cleaned).isDuplicate);
		expect([json.length, duplicates.length]).toEqual([2_500, 250]);
	});
	expect(turns).toBeGreaterThan(10);
});

it('lets others in while it reads the fields of many items', async () => {
	// The last one is wrong, so all are read and nothing is sent.
	const items = Array.from({ length: 1500 }, (_, n) => ({
		phone: n === 1499 ? 'nobody' : '61491570156',
	}));
	await service.sms(items.slice(-1));
	const turns = await countTurns(async () => {
		const { error } = await service.sms(items);
		expect(error?.message).toBe("'Recipient' is not a phone number");
	});

	expect(await service.control.requests({ path: '/v2/sms' })).toEqual([]);
	expect(turns).toBeGreaterThan(10);
});
