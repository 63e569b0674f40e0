import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';

const service = useEmulator();

const clean = async (phones: unknown[], fields: object = {}, options: object = {}) =>
	await service.run(
		'phoneNumber/clean',
		{ phoneNumber: '={{ $json.phone }}', defaultCountry: 'AU', ...fields },
		{ items: phones.map((phone) => ({ phone })), credentials: {}, ...options },
	);

describe('Clean', () => {
	it('adds what is known of each number to its item, without a credential and without a request', async () => {
		const { json, error } = await clean(['0491 570 006', 'n/a', '+61491570006']);

		expect(error).toBeUndefined();
		const known = { number: '61491570006', isValid: true, country: 'AU', type: 'mobile' };
		expect(json).toEqual([
			{ phone: '0491 570 006', cleaned: { ...known, isDuplicate: false, reason: null } },
			{
				phone: 'n/a',
				cleaned: {
					number: null,
					isValid: false,
					country: null,
					type: 'unknown',
					isDuplicate: false,
					reason: expect.stringContaining('The value is not a phone number'),
				},
			},
			{ phone: '+61491570006', cleaned: { ...known, isDuplicate: true, reason: null } },
		]);
		expect(await service.control.requests()).toEqual([]);
	});
});
