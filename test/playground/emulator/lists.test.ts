import { describe, expect, it } from 'vitest';
import { callV1, useEmulator } from './emulatorUnderTest.ts';

interface List {
	id: number;
	fields: unknown;
	members_active: number;
	members_total: number;
	members?: Array<{ msisdn: number; status: string }>;
}

describe('contact lists', () => {
	const emulator = useEmulator();
	const call = (operation: string, fields: Record<string, string | number> = {}) =>
		callV1<List>(emulator, operation, fields);

	it('can be made, with fields by slot, gaps included', async () => {
		const { body } = await call('add-list', {
			name: 'Guests',
			field_1: 'Email',
			field_10: 'Table',
		});
		expect(body).toMatchObject({
			id: expect.any(Number),
			name: 'Guests',
			members_active: 0,
			fields: { field_1: 'Email', field_10: 'Table' },
			error: { code: 'SUCCESS' },
		});
		const read = await call('get-list', { list_id: body.id });
		expect(read.body).toMatchObject({ id: body.id, members: [], members_total: 0 });
	});

	it('have an empty array for fields when there are none', async () => {
		const { body } = await call('add-list', { name: 'Plain' });
		expect(body.fields).toEqual([]);
	});

	it('show fields as name and value in the array style', async () => {
		const style = { response_style: 'array' };
		const { body } = await call('add-list', { name: 'Guests', field_3: 'Email', ...style });
		expect(body.fields).toEqual([{ name: 'field_3', value: 'Email' }]);
	});

	it('refuse a second one of the same name', async () => {
		const { status, body } = await call('add-list', { name: 'Customers' });
		expect([status, body.error.code]).toEqual([400, 'KEY_EXISTS']);
	});

	it.each([
		['add-list', {}, 'FIELD_EMPTY'],
		['get-list', {}, 'FIELD_EMPTY'],
		['get-list', { list_id: 'Customers' }, 'FIELD_INVALID'],
		['get-list', { list_id: 17 }, 'NOT_FOUND'],
		['remove-list', { list_id: 17 }, 'NOT_FOUND'],
		['add-field-to-list', { list_id: 4100001 }, 'MISSING_PARAM'],
	])('%s with %j answers 400 %s', async (operation, fields, code) => {
		const { status, body } = await call(operation, fields as Record<string, string>);
		expect([status, body.error.code]).toEqual([400, code]);
	});

	it('name a new field custom_n, and have it from then on', async () => {
		const { body } = await call('add-field-to-list', { list_id: 4100001, field_4: 'Handset' });
		expect(body).toMatchObject({ custom_4: 'Handset', id: 4100001 });
		const { body: list } = await call('get-list', { list_id: 4100001, members: 'none' });
		expect(list.fields).toEqual({ field_4: 'Handset' });
	});

	it('leave members out with members=none, and count the deleted in members_total', async () => {
		const { body } = await call('get-list', { list_id: 4100002, members: 'none' });
		expect(body).not.toHaveProperty('members');
		expect(body).toMatchObject({ members_active: 4, members_total: 5 });
	});

	it.each([
		['active', 4],
		['inactive', 1],
	])('show only members that are %s', async (members, count) => {
		const { body } = await call('get-list', { list_id: 4100002, members });
		expect(body.members).toHaveLength(count);
		expect(new Set(body.members!.map(({ status }) => status))).toEqual(new Set([members]));
	});

	it('are gone once removed', async () => {
		expect((await call('remove-list', { list_id: 4100001 })).body).toEqual({
			error: { code: 'SUCCESS', description: 'OK' },
		});
		expect((await call('get-list', { list_id: 4100001 })).body.error.code).toBe('NOT_FOUND');
	});

	it('page through 10,000 members, each once', async () => {
		await emulator.control().settings({ listMembers: 10_000 });
		const seen = new Set<number>();
		for (let page = 1; page <= 100; page += 1) {
			const { body } = await call('get-list', { list_id: 4100001, page, max: 100 });
			for (const { msisdn } of body.members!) seen.add(msisdn);
		}
		expect(seen.size).toBe(10_000);
	});
});
