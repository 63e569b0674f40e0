import { expect, it } from 'vitest';
import { newestMap } from '../../../seams.ts';

it('forgets the oldest entry when there is one too many', () => {
	const map = newestMap<number>(2);
	for (const [value, name] of ['a', 'b', 'c'].entries()) map.set(name, value);
	expect(map.names()).toEqual(['b', 'c']);
	expect([map.get('a'), map.get('b')]).toEqual([undefined, 1]);
});

it('takes an entry that is set again for a new one', () => {
	const map = newestMap<number>(2);
	for (const name of ['a', 'b', 'a', 'c']) map.set(name, 0);
	expect(map.names()).toEqual(['a', 'c']);
});

it('has room again for what was deleted', () => {
	const map = newestMap<number>(2);
	for (const name of ['a', 'b']) map.set(name, 0);
	map.delete('b');
	map.set('c', 0);
	expect(map.names()).toEqual(['a', 'c']);
	map.clear();
	expect(map.names()).toEqual([]);
});
