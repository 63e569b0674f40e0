import { describe, expect, it } from 'vitest';
import { callV1, sendV1, sendV2, useEmulator } from './emulatorUnderTest.ts';

const contact = '61491578888';

describe('contacts in lists', () => {
	const emulator = useEmulator();
	const call = (operation: string, fields: Record<string, string | number> = {}) =>
		callV1<Record<string, unknown>>(emulator, operation, fields);
	const add = (fields: Record<string, string | number> = {}) =>
		call('add-to-list', { list_id: 4100002, msisdn: contact, ...fields });

	it('are added with their fields by name, what looks like a number as a number', async () => {
		const { body } = await add({ first_name: 'Robin', field_1: 'Carlton', field_4: '3053' });
		expect(body).toMatchObject({
			list_id: 4100002,
			msisdn: 61491578888,
			first_name: 'Robin',
			last_name: '',
			created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
			status: 'active',
			fields: { Suburb: 'Carlton', Postcode: 3053 },
		});
	});

	it('have no fields where the list has none', async () => {
		const { body } = await add({ list_id: 4100001 });
		expect(body).not.toHaveProperty('fields');
	});

	it('have a list of name and value in the array style', async () => {
		const { body } = await add({ field_4: '3053', response_style: 'array' });
		expect(body.fields).toEqual([
			{ name: 'Suburb', value: '' },
			{ name: 'Postcode', value: 3053 },
		]);
	});

	it('keep what an edit does not name', async () => {
		await add({ first_name: 'Robin', field_1: 'Carlton' });
		await call('edit-list-member', { list_id: 4100002, msisdn: contact, last_name: 'Reed' });
		const { body } = await call('get-contact', { list_id: 4100002, msisdn: contact });
		expect(body).toMatchObject({
			first_name: 'Robin',
			last_name: 'Reed',
			fields: { Suburb: 'Carlton' },
		});
	});

	it('take a local number with its country', async () => {
		const { body } = await add({ msisdn: '0491 578 888', countrycode: 'Australia' });
		expect(body.msisdn).toBe(61491578888);
	});

	it.each([
		['a number that is none', { msisdn: 'nobody' }, 'BAD_MOBILE'],
		['no number', { msisdn: '' }, 'FIELD_EMPTY'],
		['an unknown country', { countrycode: 'Atlantis' }, 'BAD_MOBILE_COUNTRY'],
		['a list of nobody', { list_id: 17 }, 'NOT_FOUND'],
	])('are refused with %s', async (_label, fields, code) => {
		const { status, body } = await add(fields as Record<string, string>);
		expect([status, body.error.code]).toEqual([400, code]);
	});

	it('are not added twice', async () => {
		await add();
		const { body } = await add();
		expect(body.error).toEqual({
			code: 'KEY_EXISTS',
			description: 'Contact with such mobile already exists',
		});
	});

	it.each(['get-contact', 'edit-list-member', 'delete-from-list', 'optout-list-member'])(
		'answer NOT_FOUND as a 400 to %s when they are in no list',
		async (operation) => {
			const { status, body } = await call(operation, { list_id: 4100002, msisdn: contact });
			expect([status, body.error]).toEqual([
				400,
				{
					code: 'NOT_FOUND',
					description: 'Contact with such mobile does not exist in this list',
				},
			]);
		},
	);

	it('are deleted from one list, or with 0 from all, and then count as deleted', async () => {
		await add();
		await add({ list_id: 4100001 });
		const one = await call('delete-from-list', { list_id: 4100002, msisdn: contact });
		expect(one.body.list_ids).toEqual([4100002]);
		const all = await call('delete-from-list', { list_id: 0, msisdn: contact });
		expect(all.body.list_ids).toEqual([4100001]);
		expect((await add()).body.error.code).toBe('DUPLICATE_DELETED');
	});

	it('are refused by every send once they opted out of one list', async () => {
		await add();
		await add({ list_id: 4100001 });
		const { body } = await call('optout-list-member', { list_id: 4100002, msisdn: contact });
		expect(body.list_ids).toEqual([4100002]);
		expect((await sendV2(emulator)).status).toBe(400);
		const sent = await sendV1(emulator, { to: `${contact},61491573087` });
		expect(sent.body).toMatchObject({ recipients: 1, optouts: [61491578888] });
		const other = await call('get-contact', { list_id: 4100001, msisdn: contact });
		expect(other.body.status).toBe('optout');
		expect((await add({ list_id: 4100003 })).body.error.code).toBe('OPTOUT');
	});

	it('stay in other lists when the global opt-out is off', async () => {
		await emulator.control().settings({ globalOptOut: false });
		await add();
		await add({ list_id: 4100001 });
		await call('optout-list-member', { list_id: 4100002, msisdn: contact });
		expect((await sendV2(emulator)).status).toBe(200);
		const sent = await sendV1(emulator, { to: '', list_id: '4100002' });
		expect(sent.body).toMatchObject({ recipients: 4 });
	});

	it('leave their lists as opted out by answering STOP', async () => {
		await add();
		const { body } = await sendV2(emulator);
		await emulator.control().reply(body.id, 'STOP');
		const read = await call('get-contact', { list_id: 4100002, msisdn: contact });
		expect(read.body.status).toBe('optout');
	});
});
