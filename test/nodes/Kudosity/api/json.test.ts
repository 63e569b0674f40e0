import { expect, it } from 'vitest';
import { isDeeperThan } from '../../../seams.ts';

const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

it.each([
	[1, 'text', false],
	[1, null, false],
	[1, [], false],
	[1, [[]], true],
	[2, { a: { b: 1 } }, false],
	[2, { a: [{ b: 1 }] }, true],
	[50, nested(50), false],
	[50, nested(51), true],
	[50, nested(100_000), true],
])('isDeeperThan(%d, …) of case %#', (levels, value, expected) => {
	expect(isDeeperThan(levels, value)).toBe(expected);
});
