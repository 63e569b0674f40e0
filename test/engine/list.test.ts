import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';

const service = useEmulator();

const getLists = async (parameters: object = {}) => await service.run('list/getAll', parameters);

describe('list.getAll', () => {
	it('stops at a page that repeats', async () => {
		await service.control.settings({ lists: 250 });
		await service.fault('repeatPage');
		const { items, error } = await getLists({ returnAll: true });

		expect(error?.message).toBe('Kudosity sent an answer that cannot be read');
		expect(error?.description).toContain('page 1 where page 2 was asked for');
		expect(items).toEqual([]);
	});

	it('gives one item for each list, with its id as text', async () => {
		const { json } = await getLists();

		expect(json).toEqual([
			{
				id: '4100001',
				name: 'Customers',
				created: '2025-03-14 02:26:05',
				members_active: 3,
				fields: [],
				members_total: 3,
			},
			expect.objectContaining({
				id: '4100002',
				fields: { field_1: 'Suburb', field_4: 'Postcode' },
			}),
			expect.objectContaining({ id: '4100003', members_active: 0 }),
		]);
	});

	it('keeps a name that consists of digits as text', async () => {
		const body = {
			page: { count: 1, number: 1 },
			lists_total: 1,
			lists: [{ id: 1, name: 2026, members_active: '5', members_total: 6 }],
			error: { code: 'SUCCESS', description: 'OK' },
		};
		await service.answer(body);
		const { json } = await getLists();

		expect(json).toEqual([{ id: '1', name: '2026', members_active: 5, members_total: 6 }]);
	});

	it('reads all pages', async () => {
		await service.control.settings({ lists: 250 });
		const { json } = await getLists({ returnAll: true });

		expect(json.map(({ id }) => id)).toEqual(
			Array.from({ length: 250 }, (_, index) => String(4100001 + index)),
		);
		expect(await service.control.requests({ path: '/get-lists.json' })).toHaveLength(3);
	});
});
