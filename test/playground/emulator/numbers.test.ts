import { describe, expect, it } from 'vitest';
import { callV1, sendV2, useEmulator } from './emulatorUnderTest.ts';

describe('numbers', () => {
	const emulator = useEmulator();
	const call = (operation: string, fields: Record<string, string | number> = {}) =>
		callV1<Record<string, unknown>>(emulator, operation, fields);
	const balance = async () => (await call('get-balance')).body.balance as number;

	it('can be looked up when they are leased', async () => {
		const { body } = await call('get-number', { number: '61491570006' });
		expect(body).toMatchObject({ number: 61491570006, status: 'active', auto_renew: true });
	});

	it.each(['61491578888', '61485000000'])('that are not leased are refused: %s', async (number) => {
		const { status, body } = await call('get-number', { number });
		expect([status, body.error.code]).toEqual([400, 'FIELD_INVALID']);
	});

	it('can be leased once, for their price, and sent from', async () => {
		const before = await balance();
		const { body } = await call('lease-number', { number: 61485000001 });
		expect(body).toMatchObject({ number: 61485000001, status: 'active', auto_renew: true });
		expect(await balance()).toBe(before - (body.price as number));
		expect((await sendV2(emulator, { sender: '61485000001' })).status).toBe(200);
		const again = await call('lease-number', { number: 61485000001 });
		expect(again.body.error).toEqual({
			code: 'FIELD_INVALID',
			description: 'This number is not available for lease.',
		});
		const owned = await call('get-numbers', { max: 100 });
		expect(owned.body.numbers_total).toBe(13);
		const available = await call('get-numbers', { filter: 'available' });
		expect(available.body.numbers_total).toBe(29);
	});

	it('can be leased without a choice', async () => {
		const { body } = await call('lease-number');
		expect(body.number).toBe(61485000000);
	});

	it('are not leased without money', async () => {
		await emulator.control().settings({ balance: 1 });
		const { body } = await call('lease-number');
		expect(body.error.code).toBe('LEDGER_ERROR');
		expect((await call('get-numbers', { max: 100 })).body.numbers_total).toBe(12);
	});

	it('take options and never show them', async () => {
		const options = { number: 61491570006, forward_url: 'https://example.com/replies' };
		const { body } = await call('edit-number-options', options);
		expect(body).toEqual({ error: { code: 'SUCCESS', description: 'OK' } });
		const read = await call('get-number', { number: 61491570006 });
		expect(read.body).not.toHaveProperty('forward_url');
	});

	it.each([
		['0491 570 006', 'AU', { countrycode: 61, international: 61491570006, type: 1, isValid: true }],
		['+61 491 570 006', 'au', { international: 61491570006, type: 1 }],
		['(03) 7010 1234', 'Australia', { international: 61370101234, type: 0, isValid: true }],
		['12', 'AU', { type: 10, isValid: false }],
	])('are formatted: %s in %s', async (msisdn, countrycode, expected) => {
		const { body } = await call('format-number', { msisdn, countrycode });
		expect(body.number).toMatchObject({ rawinput: null, ...expected });
	});

	it('are not formatted without a country', async () => {
		const { body } = await call('format-number', { msisdn: '0491570006' });
		expect(body.error).toEqual({
			code: 'FIELD_EMPTY',
			description: "Required field 'countrycode' is empty",
		});
	});
});
