import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';

const service = useEmulator();

/** The recipient of what was sent, or why nothing was. */
const recipientOf = async (phone: unknown, { country = '', option = '' } = {}) => {
	const kudosityKeyApi = { ...service.credentials.kudosityKeyApi, defaultCountry: country };
	const options = option ? { defaultCountry: option } : {};
	const { error } = await service.sms([{ phone }], options, { credentials: { kudosityKeyApi } });
	return error?.message ?? (await service.recipients())[0];
};

const spellings = [
	'0491 570 156',
	'491570156',
	'+61 (0)491 570 156',
	'0011 61 491 570 156',
	'61491570156',
	61491570156,
	'61491570156.0',
	'+61 0491570156',
	'0061491570156',
];

describe('a recipient', () => {
	it('has the country of the credential where the option is left blank', async () => {
		expect(await recipientOf('0491 570 156', { country: 'AU', option: '  ' })).toBe('61491570156');
	});

	it('has no country at all where an expression for the option delivers none', async () => {
		const unknown = { country: 'AU', option: '={{ $json.country }}' };
		expect(await recipientOf('0470 12 34 56', unknown)).toMatch(/^'Recipient' /);
		expect(await recipientOf('+61 491 570 156', unknown)).toBe('61491570156');
	});

	it.each(spellings)('written as %j is the same number for an Australian account', async (text) => {
		expect(await recipientOf(text, { country: 'AU' })).toBe('61491570156');
	});

	it.each(['+61 491 570 156', '0061 491 570 156', '61491570156', 61491570156, '61491570156.0'])(
		'written as %j needs no Default Country',
		async (text) => {
			expect(await recipientOf(text)).toBe('61491570156');
		},
	);

	it.each(['0491 570 156', '491570156', '614915701560', 61491570006.5, '6.149E+10'])(
		'written as %j is refused without one, and nothing is sent',
		async (text) => {
			expect(await recipientOf(text)).toMatch(/^'Recipient' /);
			expect(await service.control.requests()).toEqual([]);
		},
	);

	it('takes the option before the credential', async () => {
		const countries = { country: 'AU', option: 'GB' };
		expect(await recipientOf('07700 900123', countries)).toBe('447700900123');
	});

	it('is refused with the remedy that helps', async () => {
		const { error } = await service.sms([{ phone: '0491 570 156' }]);
		expect(error?.description).toContain('Default Country');
	});
});

describe('a list', () => {
	it('is read once for all items that ask for the same', async () => {
		const fields = { filter: 'owned', returnAll: false, limit: '={{ $json.limit }}' };
		const items = [{ limit: 2 }, { limit: 2 }, { limit: 3 }];
		const { items: output } = await service.run('number/getAll', fields, { items });

		expect(await service.control.requests()).toHaveLength(2);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 1, 1, 2, 2, 2].map((item) => ({ item })),
		);
	});
});
