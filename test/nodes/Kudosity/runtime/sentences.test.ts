import { expect, it } from 'vitest';
import { sentences } from '../../../seams.ts';

it.each([
	[['No.', 'Try again'], 'No. Try again'],
	[['Wait...', undefined, ' '], 'Wait'],
	[['a.b', 'c.'], 'a.b. c'],
])('joins %j', (parts, expected) => {
	expect(sentences(...parts)).toBe(expected);
});

it('joins a long text of full stops at once', () => {
	const text = `${'.'.repeat(200_000)}x`;
	expect(sentences(text)).toBe(text);
});
