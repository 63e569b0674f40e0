import { describe, expect, it } from 'vitest';
import { credentialsFor, useEmulator } from './emulator.ts';
import { itRefuses } from './refuses.ts';

const service = useEmulator();
const { run } = service;

const bodies = async () => (await service.control.requests()).map(({ body }) => body);
const count = async () => (await service.control.requests()).length;

it.each([
	['number/lease', {}],
	['number/update', { number: '61491570006' }],
	['keyword/create', { keyword: 'JOIN', number: '61491570006' }],
	['keyword/update', { keyword: 'JOIN', number: '61491570006', options: { status: 'Open' } }],
])('%s forwards to no address of this machine that Kudosity cannot reach', async (name, fields) => {
	const options = {
		...('options' in fields && fields.options),
		forwardUrl: 'http://localhost:5678/webhook/abc',
	};
	const credentials = credentialsFor('https://service.invalid');
	const { error } = await run(name, { ...fields, options }, { credentials });

	expect(error?.message).toBe("Kudosity can't reach this URL: it is a local address");
});

describe('account.getBalance', () => {
	it('gives the balance as a number, without the success code', async () => {
		const { json } = await run('account/getBalance');

		expect(json).toEqual([{ balance: expect.any(Number), currency: 'AUD' }]);
	});
});

describe('number.get', () => {
	it('gives one owned number, as text, however it is written', async () => {
		const { json } = await run('number/get', { number: '+61 491 570 006' });

		expect(json).toMatchObject([{ number: '61491570006', status: 'active' }]);
		expect(json[0]).not.toHaveProperty('error');
	});

	it('says why when the number is not leased to the account', async () => {
		const { error } = await run('number/get', { number: '61485000001' });

		expect(error?.code).toBe('invalid_value');
		expect(error?.description).toContain('not leased to you');
	});
});

describe('number.lease', () => {
	const lease = async (fields: object, settings = {}) =>
		await run('number/lease', fields, { settings });

	it('leases the number that was asked for', async () => {
		const { json } = await lease({ number: '61485000001' });

		expect(json).toMatchObject([{ number: '61485000001', price: 20, status: 'active' }]);
	});

	it('leases any available number when none is named', async () => {
		const { json } = await lease({});

		expect(json).toMatchObject([{ number: '61485000000', price: 15 }]);
		expect(await bodies()).toEqual([undefined]);
	});

	itRefuses(service, 'number/lease', {}, [
		...['={{ $json.phone }}', "={{ '' }}", '={{ null }}', "={{ ' ' }}"].map(
			(number): [object, string] => [{ number }, "'Number' is empty"],
		),
		[{ options: { forwardUrl: '={{ $json.url }}' } }, "'Options > Forward to URL' is empty"],
		[
			{ options: { forwardUrl: 'http://10.0.0.1/x' } },
			"'Options > Forward to URL' is not a public https URL",
		],
	]);

	it('passes on that the balance is too low', async () => {
		await service.control.settings({ balance: 1 });
		const { error } = await lease({});

		expect(error?.code).toBe('no_balance');
	});

	it('says that the number is not available', async () => {
		const { error } = await lease({ number: '61491570156' });

		expect(error?.description).toContain('not available for lease');
	});
});

describe('number.update', () => {
	const number = '61491570006';

	it('changes no number when one of many items changes nothing', async () => {
		const items = Array.from({ length: 61 }, (_, index) => ({ text: index < 60 ? 'Thanks' : '' }));
		const options = { welcomeMessage: '={{ $json.text }}' };
		const { error } = await run('number/update', { number, options }, { items });

		expect(error?.message).toBe('There is nothing to change');
		expect(await count()).toBe(0);
	});

	it('sends what is set in the words of the service, and nothing else', async () => {
		const { json } = await run('number/update', {
			number,
			options: {
				forwardEmail: 'team@example.com, sam@example.com',
				forwardSms: '+61 491 570 156, 61491570157',
				listId: 4100001,
				welcomeMessage: 'Thanks',
				membersMessage: '',
			},
		});

		expect(json).toEqual([{ number, updated: true }]);
		expect(await bodies()).toEqual([
			{
				number,
				forward_email: 'team@example.com,sam@example.com',
				forward_sms: '61491570156,61491570157',
				list_id: '4100001',
				welcome_message: 'Thanks',
			},
		]);
	});

	itRefuses(service, 'number/update', { number }, [
		[{ options: {} }, 'There is nothing to change'],
		[{ options: { welcomeMessage: ' ' } }, 'There is nothing to change'],
		[
			{ options: { forwardSms: '61491570156, 12' } },
			/^'Options > Forward to Phone Numbers' has an invalid phone number: the one at position 2/,
		],
		[
			{ options: { forwardEmail: 'team' } },
			/^'Options > Forward to Email' has an entry that is not an email address/,
		],
		[
			{ options: { forwardEmail: 'sam@a.example;lee@a.example' } },
			/has an entry that is not an email address/,
		],
		[{ options: { listId: 'mine' } }, "'Options > List ID' is not the ID of a list"],
	]);
});

describe('number.format', () => {
	it('gives the international form as text', async () => {
		const { json } = await run('number/format', { phoneNumber: '0491 570 006', country: 'au' });

		expect(json).toMatchObject([{ international: '61491570006', type: 'mobile', isValid: true }]);
	});

	it.each([
		['61491571028.0', '61491571028'],
		[61491571028, '61491571028'],
		['0061 491 571 028', '61491571028'],
		['0011 61 491 571 028', '61491571028'],
		['+61 0491 571 028', '61491571028'],
		['+64 21 555 0123', '64215550123'],
		['0011 64 21 555 0123', '64215550123'],
		['64215550123', '64215550123'],
	])('takes %j, as a send does', async (phoneNumber, international) => {
		const { json } = await run('number/format', { phoneNumber, country: 'AU' });

		expect(json).toMatchObject([{ international, type: 'mobile', isValid: true }]);
	});

	it('tells landlines from mobiles, in words or with Simplify off as Kudosity does', async () => {
		const fields = { phoneNumber: '03 7010 0000', country: 'AU' };
		const { json } = await run('number/format', fields);
		const { json: raw } = await run('number/format', { ...fields, simplify: false });

		expect([json, raw]).toMatchObject([[{ type: 'landline' }], [{ type: 0 }]]);
	});

	it('keeps a type that nobody knows', async () => {
		const number = { international: '61491570006', type: 7 };
		await service.answer({ number }, { path: '/format-number.json' });
		const { json } = await run('number/format', { phoneNumber: '0491 570 006', country: 'AU' });

		expect(json).toMatchObject([number]);
	});

	it('tells a number that is none, without failing', async () => {
		const { json } = await run('number/format', { phoneNumber: '12', country: 'AU' });

		expect(json).toMatchObject([{ type: 'invalid', isValid: false }]);
	});

	itRefuses(service, 'number/format', {}, [
		[{ phoneNumber: '={{ " " }}', country: 'AU' }, "'Phone Number' is empty"],
		[
			{ phoneNumber: '12', country: '={{ "Atlantis" }}' },
			"'Country' is not a country",
			'Select one from the list',
		],
	]);
});
