import { describe, expect, it } from 'vitest';
import { contactsFileUrl } from '../helpers/contactsFile.ts';
import { continues, retries, useEmulator } from './emulator.ts';
import { type NodeSettings } from './harness.ts';
import { aPauseBegins } from './pauses.ts';
import { itRefuses } from './refuses.ts';

const service = useEmulator({ importMs: 0 });

/** Without custom fields. */
const customers = '4100001';
/** With the custom fields Suburb (slot 1) and Postcode (slot 4). */
const newsletter = '4100002';

const run = async (
	operation: string,
	fields: object = {},
	items?: object[],
	settings?: NodeSettings,
) => await service.run(`list/${operation}`, fields, { items, settings });

const requests = async () =>
	(await service.control.requests()).map(({ path, body }) => [path, body as object] as const);
const paths = async () => (await requests()).map(([path]) => path);
const fieldsOf = async (listId: string) => (await run('get', { listId })).json[0]?.fields;

describe('list.get', () => {
	it('gives the list without its contacts', async () => {
		const { json } = await run('get', { listId: newsletter });

		expect(json).toEqual([
			{
				id: newsletter,
				name: 'Newsletter',
				created: null,
				members_active: 4,
				members_total: 5,
				fields: { field_1: 'Suburb', field_4: 'Postcode' },
			},
		]);
	});

	it('takes a plain ID, as workflows that were written by hand have it', async () => {
		const listId = { __rl: true, mode: 'id', value: Number(newsletter) };

		expect((await run('get', { listId })).json).toMatchObject([{ id: newsletter }]);
		expect((await run('get', { listId: newsletter })).json).toMatchObject([{ id: newsletter }]);
	});
});

describe('list.create', () => {
	it('makes a list with custom fields in their order', async () => {
		const { json } = await run('create', { name: ' Guests ', fields: 'Email, Table' });

		expect(json).toMatchObject([
			{ id: expect.any(String), name: 'Guests', fields: { field_1: 'Email', field_2: 'Table' } },
		]);
	});

	it('takes the names from an expression that returns a list', async () => {
		const names = ['Email', 'Table'];
		await run('create', { name: 'Guests', fields: '={{ $json.names }}' }, [{ names }]);

		expect((await requests())[0]?.[1]).toEqual({
			name: 'Guests',
			field_1: 'Email',
			field_2: 'Table',
		});
	});

	it('keeps a name of such a list whole, as the heading of a file may hold a comma', async () => {
		const names = ['City, State', 'Email'];
		await run('create', { name: 'Guests', fields: '={{ $json.names }}' }, [{ names }]);

		expect((await requests())[0]?.[1]).toMatchObject({ field_1: 'City, State', field_2: 'Email' });
	});

	it('says so when the name is taken', async () => {
		const { error } = await run('create', { name: 'Customers' });

		expect(error?.message).toBe('This already exists in your Kudosity account');
	});

	itRefuses(service, 'list/create', { name: 'Guests' }, [
		[
			{ fields: 'a,b,c,d,e,f,g,h,i,j,k' },
			/^'Custom Fields' has 11 names, but only 10 are allowed/,
			'Remove some',
		],
		[{ fields: 'Email, email' }, /^'Custom Fields' has the same name twice/, 'Use each name once'],
	]);
});

describe('list.delete', () => {
	it('says what was deleted', async () => {
		expect((await run('delete', { listId: customers })).json).toEqual([
			{ deleted: true, id: customers },
		]);
		expect((await run('get', { listId: customers })).error?.code).toBe('not_found');
	});

	// The service could read it as all lists.
	itRefuses(service, 'list/delete', {}, [
		[{ listId: '={{ 0 }}' }, "'List' is not the ID of a list"],
	]);
});

describe('list.addField', () => {
	it('takes the first slot that is free, and replaces no other field', async () => {
		const { json } = await run('addField', { listId: newsletter, name: 'Email' });

		expect(json).toEqual([{ id: newsletter, field: 'field_2', name: 'Email' }]);
		expect(await fieldsOf(newsletter)).toEqual({
			field_1: 'Suburb',
			field_2: 'Email',
			field_4: 'Postcode',
		});
	});

	it('leaves a field alone that is there', async () => {
		const { json } = await run('addField', { listId: newsletter, name: 'postcode' });

		expect(json).toEqual([{ id: newsletter, field: 'field_4', name: 'Postcode' }]);
		expect(await paths()).toEqual(['/get-list.json']);
	});

	it('gives each of several items a slot of its own', async () => {
		const items = ['A', 'B', 'C'].map((name) => ({ name }));
		await run('addField', { listId: customers, name: '={{ $json.name }}' }, items);

		expect(await fieldsOf(customers)).toEqual({ field_1: 'A', field_2: 'B', field_3: 'C' });
	});

	it('refuses an eleventh field', async () => {
		const items = 'ABCDEFGHIJ'.split('').map((name) => ({ name }));
		await run('addField', { listId: customers, name: '={{ $json.name }}' }, items);
		const { error } = await run('addField', { listId: customers, name: 'K' });

		expect(error?.message).toBe('The list already has 10 custom fields');
		expect(Object.keys((await fieldsOf(customers)) as object)).toHaveLength(10);
	});
});

describe('list.importContacts', () => {
	const wait = { options: { waitForCompletion: true } };
	const columns = (...names: string[]) => ({ values: names.map((column) => ({ column })) });
	const importInto = async (fields: object, items?: object[], settings?: NodeSettings) =>
		await run('importContacts', { fileUrl: await contactsFileUrl(), ...fields }, items, settings);

	it('only says where it goes, unless it is to wait', async () => {
		const { json } = await importInto({ listId: customers });

		expect(json).toEqual([{ list_id: customers }]);
		expect(await paths()).toEqual(['/add-contacts-bulk.json']);
	});

	it('waits for the end, and says how many contacts came', async () => {
		await service.control.settings({ importMs: 100 });
		const { json } = await importInto({ listId: newsletter, ...wait });

		expect(json).toEqual([
			{
				list_id: newsletter,
				status: 'completed',
				importlength: 2,
				completed: 2,
				duplicates: 0,
				skipped: 1,
				optout: 0,
				imported: 1,
				timedOut: false,
			},
		]);
	});

	it('makes a list with a field for each column', async () => {
		const fields = { target: 'new', name: 'Guests', columns: columns('Email'), ...wait };
		const listId = String((await importInto(fields)).json[0]?.list_id);

		expect(await fieldsOf(listId)).toEqual({ field_1: 'Email' });
		expect((await run('getContacts', { listId })).json).toMatchObject([
			{ msisdn: '61491570156', first_name: 'Sam', fields: { Email: 'sam@example.com' } },
		]);
	});

	it('keeps the fields of a list, and gives new ones free slots', async () => {
		await importInto({ listId: newsletter, columns: columns('postcode', 'Email', 'Table') });

		expect(await fieldsOf(newsletter)).toEqual({
			field_1: 'Suburb',
			field_2: 'Email',
			field_3: 'Table',
			field_4: 'Postcode',
		});
	});

	it('puts out the progress so far when the time is up', async () => {
		await service.control.settings({ importMs: 3_600_000 });
		const options = { waitForCompletion: true, timeoutSeconds: 12 };
		const { json } = await importInto({ listId: customers, options });

		expect(json).toMatchObject([{ list_id: customers, status: 'in progress', timedOut: true }]);
	});

	it('says so when the file cannot be imported', async () => {
		const fileUrl = `${service.url}/missing.csv`;
		const { error } = await importInto({ listId: customers, fileUrl, ...wait });

		expect(error?.message).toBe('Kudosity could not import the file');
		expect(error?.description).toContain('columns Firstname, Lastname and Mobile');
		expect(error?.description).toContain(`The import was for list ${customers}`);
	});

	it('is done once, even if its progress cannot be read', async () => {
		await service.fault('status403', {
			path: '/add-contacts-bulk-progress.json',
			count: 'forever',
		});
		const { json, error } = await importInto({ listId: customers, ...wait }, [{}], retries);

		expect(error).toBeUndefined();
		expect(json).toEqual([{ list_id: customers, timedOut: true }]);
		expect((await paths()).filter((path) => path === '/add-contacts-bulk.json')).toHaveLength(1);
	});

	itRefuses(
		service,
		'list/importContacts',
		{ listId: customers },
		['http://example.com/a.csv', 'https://192.168.1.7/a.csv', 'a.csv', 'file:///etc/passwd'].map(
			(fileUrl) => [{ fileUrl }, "'File URL' is not a public https URL"],
		),
	);

	it('gives each new column of several files a slot of its own', async () => {
		const items = [{ column: 'Email' }, { column: 'Birthday' }];
		await importInto({ listId: customers, columns: columns('={{ $json.column }}') }, items);

		expect(Object.values((await fieldsOf(customers)) as object).sort()).toEqual([
			'Birthday',
			'Email',
		]);
	});

	it('lets a field be added while an import is waited for', async () => {
		await service.control.settings({ importMs: 3_600_000 });
		const options = { waitForCompletion: true, timeoutSeconds: 3_000 };
		let hasEnded = false;
		const importing = importInto({ listId: customers, options }).finally(() => (hasEnded = true));
		await expect.poll(paths).toContain('/add-contacts-bulk.json');
		const { json } = await run('addField', { listId: customers, name: 'Level' });

		expect({ json, hasEnded }).toMatchObject({ json: [{ name: 'Level' }], hasEnded: false });
		expect((await importing).json).toMatchObject([{ timedOut: true }]);
	});

	it('says what was begun when the execution is stopped while it waits', async () => {
		await service.control.settings({ importMs: 3_600_000 });
		const fields = { listId: customers, fileUrl: await contactsFileUrl(), ...wait };
		const stopping = { stopWhen: aPauseBegins };
		const { json, error } = await service.run('list/importContacts', fields, stopping);

		expect({ json, error }).toMatchObject({ json: [{ list_id: customers, timedOut: true }] });
	});

	it('tells the outcome of each of several files for one list', async () => {
		await service.control.settings({ importMs: 100 });
		const items = ['missing.csv', 'contacts.csv', 'missing.csv'].map((file) => ({ file }));
		const [good, bad] = [await contactsFileUrl(), `${service.url}/missing.csv`];
		const fileUrl = `={{ $json.file === 'missing.csv' ? '${bad}' : '${good}' }}`;
		const { json } = await importInto({ listId: customers, fileUrl, ...wait }, items, continues);

		expect(json).toMatchObject([
			{ error: expect.stringContaining('could not import the file') },
			{ status: 'completed', importlength: 2 },
			{ error: expect.stringContaining('could not import the file') },
		]);
	});

	it('refuses columns that leave no room, before anything is imported', async () => {
		const names = 'ABCDEFGHI'.split('');
		const { error } = await importInto({ listId: newsletter, columns: columns(...names) });

		expect(error?.message).toBe("'Columns' has 'I', but the list has no room for it");
		expect(await paths()).toEqual(['/get-list.json']);
	});
});

describe('list.getImport', () => {
	it('gives the progress as it is, also of an import that failed', async () => {
		await run('importContacts', { listId: customers, fileUrl: `${service.url}/missing.csv` });

		await expect
			.poll(async () => (await run('getImport', { listId: customers })).json)
			.toMatchObject([{ list_id: customers, status: 'failed', imported: 0 }]);
	});
});

describe('the lists to choose from', () => {
	const search = async (filter?: string) =>
		await service.search('searchLists', filter, { resource: 'list', operation: 'get' });

	it('come from all pages, in order of their names', async () => {
		await service.control.settings({ lists: 130 });

		expect(await search()).toHaveLength(130);
		expect((await search())[0]).toEqual({ name: 'Customers (4100001)', value: customers });
	});

	it('are found by name or ID', async () => {
		expect(await search('NEWS')).toEqual([{ name: 'Newsletter (4100002)', value: newsletter }]);
		expect(await search('4100003')).toMatchObject([{ value: '4100003' }]);
		expect(await search('nothing')).toEqual([]);
	});
});
