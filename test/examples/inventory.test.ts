import { describe, expect, it } from 'vitest';
import { useExample } from './useExample.ts';

const example = useExample({
	file: 'inventory.json',
});

describe('inventory.json', () => {
	it('writes every number and list to its table', async () => {
		await example.control.settings({ numbersOwned: 120, lists: 7 });
		const { status } = await example.run();

		expect(status).toBe('success');
		const numbers = await example.rows('Kudosity numbers');
		expect(numbers).toHaveLength(120);
		expect(numbers[0]).toMatchObject({ number: '61491570006', status: 'active', auto_renew: true });
		expect(await example.rows('Kudosity lists')).toHaveLength(7);
	});

	it('updates the rows at the next run', async () => {
		await example.run();
		const before = await example.rows('Kudosity lists');
		await example.run();
		const after = await example.rows('Kudosity lists');

		expect(after.map(({ list_id }) => list_id)).toEqual(before.map(({ list_id }) => list_id));
		expect(Date.parse(String(after[0]?.seen_at))).toBeGreaterThan(
			Date.parse(String(before[0]?.seen_at)),
		);
	});
});
