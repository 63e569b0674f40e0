import { describe, expect, it } from 'vitest';
import { continues, useEmulator } from './emulator.ts';
import type { NodeSettings } from './harness.ts';
import { itRefuses } from './refuses.ts';

const service = useEmulator();

const getNumbers = async (parameters: object = {}, items?: object[], settings?: NodeSettings) =>
	await service.run('number/getAll', parameters, { items, settings });

const all = { returnAll: true };
const queries = async () => (await service.control.requests()).map(({ query }) => query);

describe('number.getAll', () => {
	it.each([
		['repeatPage', 'Kudosity sent a response that could not be read'],
		['malformedJson', 'Kudosity sent a response that could not be read'],
		['html200AfterAcceptance', 'Kudosity sent a response that could not be read'],
		['status403', 'Your Kudosity account is not allowed to do this'],
	] as const)('stops with a clear text at %s, and gives no half list', async (fault, message) => {
		await service.control.settings({ numbersOwned: 250 });
		await service.fault(fault, { count: 'forever' });
		const { items, error } = await getNumbers(all);

		expect(error?.message).toBe(message);
		expect(items).toEqual([]);
	});

	itRefuses(service, 'number/getAll', {}, [
		[{ limit: '={{ "many" }}' }, "'Limit' must be a whole number of at least 1"],
		[{ limit: '={{ true }}' }, "'Limit' must be a whole number of at least 1"],
		[{ limit: '={{ [2] }}' }, "'Limit' must be a whole number of at least 1"],
		[{ returnAll: '={{ "yes" }}' }, "'Return All' must be true or false"],
		[{ filter: '={{ "mine" }}' }, "'Filter' has an unknown value"],
	]);

	it('gives one item for each owned number, as text, without the success code', async () => {
		const { json } = await getNumbers();

		expect(json).toHaveLength(12);
		expect(json[0]).toEqual({
			number: '61491570006',
			price: 15,
			auto_renew: true,
			next_charge: '2030-01-01',
			status: 'active',
		});
		expect(json[9]).toMatchObject({ status: 'inactive', next_charge: null });
		expect(await queries()).toEqual([{ filter: 'owned', page: '1', max: '50' }]);
	});

	it('lists the numbers that can be leased', async () => {
		const { json } = await getNumbers({ filter: 'available', limit: 2 });

		expect(json).toEqual([
			{ number: '61485000000', price: 15 },
			{ number: '61485000001', price: 20 },
		]);
	});

	it('reads 2,000 numbers with 20 requests, in order', async () => {
		await service.control.settings({ numbersOwned: 2000 });
		const { json } = await getNumbers({ ...all, limit: 50 });

		expect(new Set(json.map(({ number }) => number)).size).toBe(2000);
		expect(json.slice(12).map(({ number }) => number)).toEqual(
			Array.from({ length: 1988 }, (_, index) => String(61480000012 + index)),
		);
		expect(await queries()).toHaveLength(20);
	});

	it('tries a page again after 429 and 500, and loses nothing', async () => {
		await service.control.settings({ numbersOwned: 250 });
		await service.control.addFault(
			{ fault: 'status429', match: { nth: 2 }, retryAfter: 0 },
			{ fault: 'reset', match: { nth: 3 } },
		);
		const { json } = await getNumbers(all);

		expect(new Set(json.map(({ number }) => number)).size).toBe(250);
	});

	it.each(['true', 'TRUE'])('gives all when an expression delivers %j as text', async (text) => {
		await service.control.settings({ numbersOwned: 60 });
		const { json } = await getNumbers({ returnAll: `={{ "${text}" }}` });

		expect(json).toHaveLength(60);
	});

	it('pairs the numbers with the item that asked for them', async () => {
		const limit = '={{ $json.limit }}';
		const { items } = await getNumbers({ limit }, [{ limit: 1 }, { limit: '2' }]);

		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 1 },
		]);
	});

	it('goes on with the other items when the node continues', async () => {
		const limit = '={{ $json.limit }}';
		const { items } = await getNumbers({ limit }, [{ limit: 0 }, { limit: 1 }], continues);

		expect(items.map(({ json, pairedItem }) => [json.error ?? json.number, pairedItem])).toEqual([
			[
				"'Limit' must be a whole number of at least 1. Enter a number, or check what the expression returns",
				{ item: 0 },
			],
			['61491570006', { item: 1 }],
		]);
	});
});
