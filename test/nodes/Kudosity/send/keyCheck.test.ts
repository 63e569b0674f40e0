import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../helpers/processorTime.ts';
import { keyOf, refuseSharedKeys } from '../../../seams.ts';

const check = (deduplicationKey: string) => () =>
	keyOf({ deduplicationKey }, { numbers: ['61491570006'] });

describe('a Deduplication Key', () => {
	it.each([
		...[
			'undefined',
			'sale-undefined',
			'undefined_7',
			'sale:null',
			'null|7',
			'sale/NaN',
			'sale NaN',
		],
		...['sale-undefined-7', 'sale\nnull', '[object Object]', 'sale-[object Set]7', 'x[object Map]'],
		...['function trim() { [native code] }', 'sale-Invalid Date', 'Invalid DateTime', '() => 7'],
	])('is refused where code has written %j instead of a value', (key) => {
		expect(check(key)).toThrow(/^'Options > Deduplication Key' has “.+” where a value is missing$/);
	});

	it.each(['{{ $json.id }}', 'sale-{{ $json.id }}', 'sale-{{\n$json.id\n}}'])(
		'is refused where it is fixed text: %j',
		(key) => {
			expect(check(key)).toThrow("'Options > Deduplication Key' is fixed text");
		},
	);

	it.each([
		...['spring-sale-61491570006', 'order/7', '0', 'false', 'annulled-Nullarbor', 'undefinedness'],
		...['nan-7', 'Null-Islands', 'sale-', '-7', 'a=b', '{7}', '[object', 'sale-2026-01-31T09:00'],
	])('is taken as it is: %j', (key) => {
		expect(check(key)).not.toThrow();
	});

	it.each(['{{', '[object '])('is looked at at once, however often it has “%s”', async (text) => {
		const takesMs = await processorMs(() => expect(check(text.repeat(30_000))).not.toThrow());
		expect(takesMs).toBeLessThan(1000);
	});

	it('is not asked for', () => {
		expect(keyOf({}, { numbers: ['61491570006'] })).toBeUndefined();
	});
});

describe('a Deduplication Key that several items share', () => {
	type Items = Parameters<typeof refuseSharedKeys>[0];
	const itemsOf = (...keys: Array<[key: string | undefined, to: unknown]>) =>
		keys.map(([deduplicationKey, to], item) => ({
			...{ item, isDry: false, input: {} },
			...{ options: { deduplicationKey }, to },
		})) as Items;
	const one = { numbers: ['61491570006'] };
	const two = { numbers: ['61491570156'] };
	const three = { numbers: ['61491570157'] };
	const lists = ['1', '2', '3'].map((listId) => ({ listId }));
	const refused = (items: Items) =>
		refuseSharedKeys(items).flatMap((each) => ('error' in each ? each.item : []));

	it.each([
		['three people', itemsOf(['K', one], ['K', two], ['K', three]), [0, 1, 2]],
		[
			'three people and others',
			itemsOf(['K', one], ['J', one], ['K', two], ['K', three]),
			[0, 2, 3],
		],
		['three lists', itemsOf(['K', lists[0]], ['K', lists[1]], ['K', lists[2]]), [0, 1, 2]],
	])('is refused for all of them: %s', (_, items, expected) => {
		expect(refused(items)).toEqual(expected);
		const [first] = refuseSharedKeys(items);
		expect(first).toMatchObject({
			error: { message: expect.stringContaining('the same for 3 different recipients') },
		});
	});

	it.each([
		['one person', itemsOf(['K', one], ['K', one], ['K', one], ['K', one])],
		['two people', itemsOf(['K', one], ['K', two], ['K', one])],
		[
			'none, since there is no key',
			itemsOf([undefined, one], [undefined, two], [undefined, three]),
		],
	])('is taken where it belongs to %s', (_, items) => {
		expect(refuseSharedKeys(items)).toEqual(items);
	});

	it('is not that of an item that is refused for something else', () => {
		const items = itemsOf(['K', one], ['K', two]);
		const wrong = { item: 2, isDry: false, error: new Error('no number') };
		expect(refuseSharedKeys([...items, wrong])).toEqual([...items, wrong]);
	});
});
