import { describe, expect, it } from 'vitest';
import { listIdOf } from '../../../../seams.ts';

describe('the list that a contact is deleted from, or opts out of', () => {
	it('is the chosen one, or 0 for all of them', () => {
		expect(listIdOf({ allLists: false, listId: '7' })).toBe('7');
		expect(listIdOf({ allLists: true, listId: '7' })).toBe('0');
	});

	it('is never all of them because none was chosen', () => {
		expect(() => listIdOf({ allLists: false })).toThrow("'List' is empty");
		expect(() => listIdOf({})).toThrow("'List' is empty");
	});
});
