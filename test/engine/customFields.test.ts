import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';

const service = useEmulator();
const listId = '4100001';

/** A custom field is added to a list of which the service says this: the slot that it gets, or why it gets none. */
const add = async (fields: unknown, name = 'New') => {
	const body = { id: 4100001, name: 'Customers', fields };
	await service.control.addFault({
		fault: 'custom',
		status: 200,
		body,
		match: { path: '/get-list.json' },
	});
	const { error } = await service.run('list/addField', { listId, name });
	const written = await service.control.requests({ path: '/add-field-to-list.json' });
	return error?.message ?? written.map(({ body }) => body);
};

/** The slots under which these custom fields of a contact are written. */
const write = async (fields: unknown, ...names: string[]) => {
	const body = { id: 4100001, name: 'Customers', fields };
	await service.control.addFault({
		fault: 'custom',
		status: 200,
		body,
		match: { path: '/get-list.json' },
	});
	const customFields = { values: names.map((name) => ({ name, value: `for ${name}` })) };
	const { error } = await service.run('contact/upsert', {
		listId,
		contact: '61491570006',
		customFields,
	});
	const [request] = await service.control.requests({ path: '/add-to-list.json' });
	return error?.message ?? request?.body;
};

describe('the custom fields of a list', () => {
	it.each([
		['no fields', []],
		['nothing at all', undefined],
		['null', null],
		['empty names', { field_1: '', field_2: null, field_3: ' ' }],
		['entries without names', [null, {}, { name: 'field_1' }, { name: 'field_2', value: ' ' }]],
	])('are none for %s, so that the first slot is free', async (_, fields) => {
		expect(await add(fields)).toMatchObject([{ field_1: 'New' }]);
	});

	it.each([
		['a text', 'Email'],
		['names without slots', ['Email', 'Postcode']],
		['names by something else', { 1: 'Email', 2: 'Postcode' }],
		['odd entries', [null, { value: 'Email' }, { name: 7, value: 'x' }]],
	])('are not taken for none where nobody can read them: %s', async (_, fields) => {
		const unreadable = "Kudosity did not say which of the list's custom fields is which";
		expect(await add(fields)).toBe(unreadable);
		expect(await service.control.requests({ path: '/add-field-to-list.json' })).toEqual([]);
	});

	it.each([
		['an object', { field_10: 2026, field_2: 'Email', field_1: 'City' }],
		[
			'a list',
			[
				{ name: 'field_10', value: '2026' },
				{ name: 'field_2', value: 'Email' },
				{ name: 'field_1', value: 'City' },
			],
		],
		['the names of an answer', { custom_2: 'Email', custom_10: '2026', custom_1: 'City', id: 1 }],
	])('are read from %s, with their gaps', async (_, fields) => {
		expect(await add(fields)).toMatchObject([{ field_3: 'New' }]);
		expect(await write(fields, 'Email', '2026')).toMatchObject({
			field_2: 'for Email',
			field_10: 'for 2026',
		});
	});

	it.each([
		['whatever its case', { field_4: 'Email' }, ' email ', { field_4: 'for  email' }],
		[
			'the exact name first',
			{ field_1: 'EMAIL', field_2: 'Email' },
			'Email',
			{ field_2: 'for Email' },
		],
	])('are found by name, %s', async (_, fields, name, expected) => {
		expect(await write(fields, name)).toMatchObject(expected);
	});
});
