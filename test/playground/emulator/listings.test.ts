import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulatorUnderTest.ts';

interface Numbers {
	page: { count: number; number: number };
	numbers_total: number;
	numbers: Array<{ number: number; next_charge?: string | null }>;
}
interface Lists {
	page: { count: number; number: number };
	lists_total: number;
	lists: Array<{ id: number; created: string | null; fields: unknown }>;
}

describe('get-numbers.json', () => {
	const emulator = useEmulator();

	it('lists owned numbers ten to a page unless told', async () => {
		const { body } = await emulator.call<Numbers>('/get-numbers.json');
		expect(body).toMatchObject({
			page: { count: 2, number: 1 },
			numbers_total: 12,
			filter: 'owned',
			error: { code: 'SUCCESS' },
		});
		expect(body.numbers).toHaveLength(10);
		expect(body.numbers[0]).toEqual({
			number: 61491570006,
			price: 15,
			auto_renew: true,
			next_charge: '2030-01-01',
			status: 'active',
		});
		expect(body.numbers[9]).toMatchObject({ next_charge: null, status: 'inactive' });
	});

	it('lists available numbers with nothing but number and price', async () => {
		const { body } = await emulator.call<Numbers>('/get-numbers.json?filter=available');
		expect(body.numbers_total).toBe(30);
		expect(Object.keys(body.numbers[0]!)).toEqual(['number', 'price']);
	});

	it('visits each of 10,000 numbers once, 100 to a page at most', async () => {
		await emulator.control().settings({ numbersOwned: 10_000 });
		const seen = new Set<number>();
		for (let page = 1; page <= 100; page += 1) {
			const { body } = await emulator.call<Numbers>(`/get-numbers.json?max=500&page=${page}`);
			expect(body.page).toEqual({ count: 100, number: page });
			for (const { number } of body.numbers) seen.add(number);
		}
		expect(seen.size).toBe(10_000);
	});

	it('lets the account send from any number it owns', async () => {
		await emulator.control().settings({ numbersOwned: 2000 });
		const { body } = await emulator.call<Numbers>('/get-numbers.json?max=100&page=19');
		const sender = String(body.numbers[0]!.number);
		const json = { message: 'Hi', sender, recipient: '61491578888' };
		expect((await emulator.call('/v2/sms', { json })).status).toBe(200);
	});

	it('has an empty page past the end', async () => {
		const { body } = await emulator.call<Numbers>('/get-numbers.json?page=9');
		expect(body.numbers).toEqual([]);
	});

	it('leaves an empty array out when told to', async () => {
		await emulator.control().settings({ numbersOwned: 0, omitEmptyArrays: true });
		const { body } = await emulator.call<Numbers>('/get-numbers.json');
		expect(body.numbers_total).toBe(0);
		expect(body).not.toHaveProperty('numbers');
	});

	it.each([
		['repeatPage', 'page=2', { page: { count: 2, number: 1 } }],
		['ignoreMax', 'max=100', { page: { count: 2, number: 1 } }],
		['growingCount', 'page=3&max=4', { page: { count: 4, number: 3 }, numbers_total: 14 }],
	] as const)('misbehaves with %s', async (fault, query, expected) => {
		await emulator.control().addFault({ fault, match: { path: '/get-numbers.json' } });
		await emulator.call('/get-numbers.json');
		const { body } = await emulator.call<Numbers>(`/get-numbers.json?${query}`);
		expect(body).toMatchObject(expected);
	});
});

describe('get-lists.json', () => {
	const emulator = useEmulator();

	it('shows the shapes that the service is known for', async () => {
		const { body } = await emulator.call<Lists>('/get-lists.json');
		expect(body.lists_total).toBe(3);
		expect(body.lists[0]!.fields).toEqual([]);
		expect(body.lists[1]).toMatchObject({
			created: null,
			fields: { field_1: 'Suburb', field_4: 'Postcode' },
		});
	});

	it('pages through as many lists as are set', async () => {
		await emulator.control().settings({ lists: 25 });
		const { body } = await emulator.call<Lists>('/get-lists.json?page=3');
		expect(body.page).toEqual({ count: 3, number: 3 });
		expect(body.lists).toHaveLength(5);
	});
});
