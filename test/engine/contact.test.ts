import { describe, expect, it } from 'vitest';
import { phones, retries, useEmulator } from './emulator.ts';
import type { NodeSettings } from './harness.ts';

const service = useEmulator();

const sam = '61491570006';
/** With the custom fields Suburb (slot 1) and Postcode (slot 4). */
const newsletter = '4100002';
/** Without custom fields. */
const customers = '4100001';

const custom = (values: Record<string, string>) => ({
	values: Object.entries(values).map(([name, value]) => ({ name, value })),
});

const run = async (operation: string, fields: object, items?: object[], settings?: NodeSettings) =>
	await service.run(
		`contact/${operation}`,
		{ contact: sam, listId: newsletter, ...fields },
		{ items, settings },
	);
const upsert = async (fields: object = {}, items?: object[], settings?: NodeSettings) =>
	await run('upsert', fields, items, settings);
const stored = async (fields: object = {}) => (await run('get', fields)).json[0];

const requests = async () =>
	(await service.control.requests()).map(({ path, body }) => [path, body as object] as const);
const paths = async () => (await requests()).map(([path]) => path);

const answers = async (path: string, body: object, status = 200) =>
	await service.answer(body, { path }, status);

describe('contact.upsert', () => {
	it('adds a contact with one request, its number as digits', async () => {
		const { json } = await upsert({ contact: '+61 491 570 006', firstName: 'Sam' });

		expect(json).toMatchObject([
			{ list_id: newsletter, msisdn: sam, first_name: 'Sam', status: 'active' },
		]);
		expect(await requests()).toEqual([
			['/add-to-list.json', { list_id: newsletter, msisdn: sam, first_name: 'Sam' }],
		]);
	});

	it('keeps no white space around names and values, as files with other line ends have it', async () => {
		await upsert({
			firstName: 'Sam\r',
			lastName: '\u00a0Lee',
			customFields: custom({ Suburb: ' Carlton North\r' }),
		});

		const written = { first_name: 'Sam', last_name: 'Lee', field_1: 'Carlton North' };
		expect((await requests()).at(-1)?.[1]).toMatchObject(written);
	});

	it('writes custom fields by their names, whatever slots they have', async () => {
		const customFields = custom({ postcode: '3053', Suburb: 'Carlton' });
		const { json } = await upsert({ customFields });

		expect(json).toMatchObject([{ fields: { Suburb: 'Carlton', Postcode: 3053 } }]);
		expect((await requests()).at(-1)).toEqual([
			'/add-to-list.json',
			expect.objectContaining({ field_1: 'Carlton', field_4: '3053' }),
		]);
	});

	it('changes one that is there, and keeps what was left empty', async () => {
		await upsert({ firstName: 'Sam', customFields: custom({ Suburb: 'Carlton' }) });
		const { json } = await upsert({
			firstName: '',
			lastName: 'Lee',
			customFields: custom({ Suburb: '', Postcode: '3053' }),
		});

		const wanted = {
			first_name: 'Sam',
			last_name: 'Lee',
			fields: { Suburb: 'Carlton', Postcode: 3053 },
		};
		expect(json).toMatchObject([wanted]);
		expect(await stored()).toMatchObject(wanted);
	});

	it('gives the contact where nothing is to be changed', async () => {
		await upsert({ firstName: 'Sam' });
		const { json } = await upsert();

		expect(json).toMatchObject([{ msisdn: sam, first_name: 'Sam' }]);
		expect((await paths()).slice(1)).toEqual(['/add-to-list.json', '/get-contact.json']);
	});

	const there = { list_id: 4100002, msisdn: 61491570006, status: 'active', last_name: null };

	it.each([
		['shows the old values', { ...there, first_name: 'Old', created_at: '2025-03-14 02:26:05' }],
		['repeats the new ones', { ...there, first_name: 'Sam', created_at: '2025-03-14 02:26:05' }],
		['shows nothing of them', there],
	])('changes one that the service left alone with a success that %s', async (_, body) => {
		await upsert({ firstName: 'Old' });
		await answers('/add-to-list.json', body);
		await upsert({ firstName: 'Sam' });

		expect(await stored()).toMatchObject({ first_name: 'Sam' });
	});

	it('needs no second request for a value that comes back as a number', async () => {
		await upsert({ customFields: custom({ Postcode: '0800' }) });

		expect(await paths()).toEqual(['/get-list.json', '/add-to-list.json']);
	});

	it('does not bring back a contact who has opted out', async () => {
		await upsert();
		await run('optOut', {});
		const { error } = await upsert({ firstName: 'Sam' });

		expect(error?.message).toBe('The recipient has opted out');
		expect(await paths()).not.toContain('/edit-list-member.json');
	});

	it.each(['optout', 'inactive'])('nor one that a success calls %s', async (status) => {
		await answers('/add-to-list.json', { ...there, status, first_name: 'Old' });
		const { error } = await upsert({ firstName: 'Sam' });

		expect(error).toMatchObject({ message: 'The recipient has opted out', code: 'opted_out' });
		expect(await paths()).toEqual(['/add-to-list.json']);
	});

	it('does not change one that was deleted', async () => {
		await upsert();
		await run('delete', {});
		const { error } = await upsert({ firstName: 'Sam' });

		expect(error?.message).toBe('The contact was deleted from this list earlier');
	});

	it.each(['status500AfterAcceptance', 'resetAfterAcceptance'] as const)(
		'ends as asked when the answer is lost: %s',
		async (fault) => {
			await service.fault(fault, { path: '/add-to-list.json' });
			const { json, error } = await upsert({ firstName: 'Sam' });

			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ msisdn: sam, first_name: 'Sam' }]);
		},
	);

	it('reads the fields of a list once for all items', async () => {
		const items = ['156', '157', '158', '159'].map((end) => ({ contact: `61491570${end}` }));
		const fields = { contact: '={{ $json.contact }}', customFields: custom({ Suburb: 'Carlton' }) };
		const { json } = await upsert(fields, items);

		expect(json.map(({ msisdn }) => msisdn)).toEqual(items.map(({ contact }) => contact));
		expect((await paths()).filter((path) => path === '/get-list.json')).toHaveLength(1);
	});

	it('lets the last of several items about one contact count', async () => {
		const items = ['A', 'B', 'C', 'D'].map((name) => ({ name }));
		await service.fault(
			'slow',
			{ path: '/add-to-list.json', bodyIncludes: '"A"' },
			{ delayMs: 1_500 },
		);
		await upsert({ firstName: '={{ $json.name }}' }, items);

		expect(await stored()).toMatchObject({ first_name: 'D' });
	});

	it('names the fields there are when one does not exist, and writes nothing', async () => {
		const { error } = await upsert({ customFields: custom({ Email: 'sam@example.com' }) });

		expect(error?.message).toBe("'Custom Fields' has 'Email', which is not a field of the list");
		expect(error?.description).toBe(
			"Use one of these: 'Suburb', 'Postcode'. Or add the field with List → Add Field",
		);
		expect(await paths()).toEqual(['/get-list.json']);
	});

	it.each([
		[customers, { Email: 'x' }, 'The list has no custom fields. Add one with List → Add Field'],
		[newsletter, { Suburb: 'x', suburb: 'y' }, 'Use each field only once'],
	])('refuses names that cannot be right in list %s', async (listId, names, remedy) => {
		const { error } = await upsert({ listId, customFields: custom(names) });

		expect(error?.description).toContain(remedy);
		expect(await paths()).toEqual(['/get-list.json']);
	});
});

it('lets an opt-out wait for a change that is under way, which could undo it', async () => {
	await upsert();
	await service.fault('slow', { path: '/add-to-list.json' }, { delayMs: 300 });
	const changed = upsert({ firstName: 'Sam' });
	await service.control.waitForRequests({ path: '/add-to-list.json' }, { count: 2 });
	await run('optOut', { from: 'all' });
	await changed;

	expect((await paths()).slice(-2)).toEqual(['/edit-list-member.json', '/optout-list-member.json']);
});

describe('contact.get', () => {
	it('keeps names of digits as text', async () => {
		await upsert({ firstName: '42' });

		expect(await stored()).toMatchObject({ first_name: '42', list_id: newsletter, msisdn: sam });
	});
});

describe.each(['optOut', 'delete'])('contact.%s', (operation) => {
	it('is about one list', async () => {
		await service.control.settings({ globalOptOut: false });
		await upsert({ listId: customers });
		await upsert();
		const { json } = await run(operation, {});

		expect(json).toMatchObject([{ list_ids: [newsletter] }]);
		expect(await stored({ listId: customers })).toMatchObject({ status: 'active' });
	});

	it('is about all lists when asked, of which the choice of a list says nothing', async () => {
		await upsert({ listId: customers });
		await upsert();
		const { json } = await run(operation, { from: 'all' });

		expect(json[0]?.list_ids).toEqual([customers, newsletter]);
	});

	it.each(['0', '00', 0, '', ' ', '-1', '1e3', null, undefined, [], {}])(
		'never takes %j for all lists',
		async (value) => {
			await upsert();
			const before = await paths();
			const { error } = await run(operation, { listId: '={{ $json.value }}' }, [{ value }]);

			expect(error?.message).toMatch(/^'List' is /);
			expect(await paths()).toEqual(before);
		},
	);

	it('is about nothing where an expression for From delivers nothing', async () => {
		await upsert();
		const before = await paths();
		const { error } = await run(operation, { from: '={{ $json.everywhere }}' });

		expect(error?.message).toBe("'Lists' has an unknown value");
		expect(await paths()).toEqual(before);
	});
});

describe('contact.optOut', () => {
	it.each([{}, { status: 'ok' }, { list_ids: [] }])(
		'is not done where %j says no list',
		async (body) => {
			await answers('/optout-list-member.json', body);
			const { error } = await run('optOut', { from: 'all' });

			expect(error?.code).toBe('unreadable_answer');
		},
	);

	it('is not refused by a service that is in trouble', async () => {
		const match = { path: '/optout-list-member.json', count: 'forever' } as const;
		await service.fault('status500AfterAcceptance', match);
		const { error } = await run('optOut', { from: 'all' });

		expect(error?.code).toBe('unavailable');
		expect(error?.description).toContain('Try again later');
	});

	it('is repeated when its answer is lost', async () => {
		await upsert();
		const match = { path: '/optout-list-member.json' };
		await service.fault('status500', match);
		await service.fault('resetAfterAcceptance', match);
		const { json, error } = await run('optOut', { from: 'all' });

		expect(error).toBeUndefined();
		expect(json).toEqual([{ msisdn: sam, list_ids: [newsletter] }]);
		expect(await stored()).toMatchObject({ status: 'optout' });
	});
});

it('opts out everybody else too when one contact is in no list', async () => {
	const items = phones(30).map((contact) => ({ contact }));
	const contact = '={{ $json.contact }}';
	await upsert({ contact }, items.slice(1));
	const { error } = await run('optOut', { contact, from: 'all' }, items);

	expect(error).toMatchObject({ code: 'not_found', itemIndex: 0 });
	const { json } = await service.run('list/getContacts', { listId: newsletter, returnAll: true });
	expect(json.filter(({ status }) => status === 'optout')).toHaveLength(29);
});

it('opts out everybody else too when the service names no list for one', async () => {
	const items = phones(30).map((contact) => ({ contact }));
	const contact = '={{ $json.contact }}';
	await upsert({ contact }, items);
	await answers('/optout-list-member.json', { list_ids: [] });
	const { error } = await run('optOut', { contact, from: 'all' }, items);

	expect(error?.code).toBe('unreadable_answer');
	const { json } = await service.run('list/getContacts', { listId: newsletter, returnAll: true });
	expect(json.filter(({ status }) => status === 'optout')).toHaveLength(29);
});

describe('contact.delete', () => {
	it('puts out what was deleted', async () => {
		await upsert();
		const { json } = await run('delete', {});

		expect(json).toEqual([{ deleted: true, id: sam, list_ids: [newsletter] }]);
	});

	it('is done once when Retry On Fail runs all items again', async () => {
		const items = ['156', '157', '158'].map((end) => ({ contact: `61491570${end}` }));
		const contact = '={{ $json.contact }}';
		await upsert({ contact }, items);
		await service.fault('status403', {
			path: '/delete-from-list.json',
			bodyIncludes: '61491570158',
		});
		const { json, error } = await run('delete', { contact }, items, retries);

		expect(error).toBeUndefined();
		expect(json.map(({ id }) => id)).toEqual(items.map((item) => item.contact));
	});
});
