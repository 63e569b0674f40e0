import { describe, expect, it } from 'vitest';
import { maxDeduplicationKeys, refuseTooManyKeys } from '../../../seams.ts';

describe('more keys in a run than n8n keeps for a workflow', () => {
	type Items = Parameters<typeof refuseTooManyKeys>[0];
	const itemsOf = (count: number, keyOf: (item: number) => string | undefined) =>
		Array.from({ length: count }, (_, item) => ({
			...{ item, isDry: item === 0, input: {} },
			...{ options: {}, key: keyOf(item) },
		})) as Items;
	const max = maxDeduplicationKeys;

	it('are refused for all items, in a dry run, too, and what is wrong with an item is still said', () => {
		const wrong = { item: max + 1, isDry: false, error: new Error('no number') };
		const refused = refuseTooManyKeys([...itemsOf(max + 1, String), wrong]);

		const errors = refused.map((each) => ('error' in each ? String(each.error) : ''));
		expect(new Set(errors.slice(0, -1)).size).toBe(1);
		expect(errors[0]).toContain('so nothing was sent');
		expect(refused[0]).toMatchObject({ item: 0, isDry: true });
		expect(refused.at(-1)).toBe(wrong);
	});

	it.each([
		['as many keys as n8n keeps', itemsOf(max, String)],
		['more items, of which some share a key', itemsOf(max + 1, (item) => String(item % max))],
		['more items without a key', itemsOf(max + 1, () => undefined)],
	])('are not: %s', (_, items) => {
		expect(refuseTooManyKeys(items)).toBe(items);
	});
});
