import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';
import { itRefuses } from './refuses.ts';

const service = useEmulator();

const customers = '4100001';

const getContacts = async (fields: object = {}) =>
	await service.run('list/getContacts', { listId: customers, ...fields });
const withStatus = (status: string) => ({ filters: { status } });

const bodies = async () =>
	(await service.control.requests({ path: '/get-list.json' })).map(({ body }) => body);

const answers = async (...pages: object[]) => {
	for (const body of pages) {
		await service.answer(body);
	}
};

describe('list.getContacts', () => {
	it('gives one item for each contact, numbers and IDs as text', async () => {
		const { json } = await getContacts({ limit: 1 });

		expect(json).toEqual([
			{
				list_id: customers,
				msisdn: '61491573087',
				first_name: null,
				last_name: null,
				created_at: '2025-03-14 02:26:05',
				status: 'active',
			},
		]);
		expect(await bodies()).toEqual([{ list_id: customers, page: '1', max: '1' }]);
	});

	it('reads all pages of 100, and only those that are wanted', async () => {
		await service.control.settings({ listMembers: 1_234 });
		const all = await getContacts({ returnAll: true });

		expect(new Set(all.json.map(({ msisdn }) => msisdn)).size).toBe(1_234);
		expect(await bodies()).toHaveLength(13);
		expect((await getContacts({ limit: 150 })).json).toHaveLength(150);
		expect(await bodies()).toHaveLength(15);
	});

	itRefuses(service, 'list/getContacts', { listId: customers }, [
		// Without it, those who have opted out would come as well.
		[withStatus('={{ $json.status }}'), "'Filters > Status' is empty"],
		[withStatus("={{ 'none' }}"), "'Filters > Status' has an unknown value"],
	]);

	it.each([
		['active', 2],
		['inactive', 1],
	])('gives only %s contacts', async (status, count) => {
		const contact = '61491573087';
		await service.run('contact/optOut', { contact, listId: customers });
		const { json } = await getContacts(withStatus(status));

		expect(json.some(({ msisdn }) => msisdn === contact)).toBe(status === 'inactive');
		expect(json).toHaveLength(count);
		expect(await bodies()).toMatchObject([{ members: status }]);
	});

	it('does not mind totals that count more than there is', async () => {
		const members = [{ list_id: 1, msisdn: 61491570156, status: 'active' }];
		const page = { count: 1, number: 1 };
		await answers({ page, id: 1, members_total: 500, members_active: '0', members });
		const { json } = await getContacts({ returnAll: true, ...withStatus('active') });

		expect(json).toEqual([{ list_id: '1', msisdn: '61491570156', status: 'active' }]);
	});

	it('gives a number twice that was deleted and added again', async () => {
		const msisdn = 61491570156;
		const members = [
			{ msisdn, status: 'inactive', created_at: '2024-01-01 00:00:00' },
			{ msisdn, status: 'active', created_at: '2025-01-01 00:00:00' },
		];
		await answers({ page: { count: 1, number: 1 }, members });

		expect((await getContacts()).json.map(({ status }) => status)).toEqual(['inactive', 'active']);
	});

	it.each([
		['without its key', {}],
		['that is null', { members: null }],
	])('has no items for an empty list %s', async (_, body) => {
		await answers({ page: { count: 0, number: 1 }, members_total: 7, ...body });
		const { json, error } = await getContacts({ returnAll: true });

		expect([json, error]).toEqual([[], undefined]);
	});
});
