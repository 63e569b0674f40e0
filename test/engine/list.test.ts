import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';

const service = useEmulator();

const getLists = async (parameters: object = {}) => await service.run('list/getAll', parameters);

describe('list.getAll', () => {
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
});
