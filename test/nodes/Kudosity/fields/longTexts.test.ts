import { describe, expect, it } from 'vitest';
import { isEmailAddress, sentences } from '../../../seams.ts';

const dots = '.'.repeat(1_000_000);

describe('a text of a million dots', () => {
	it('is no e-mail address, and takes no time', () => {
		expect(isEmailAddress(`a@${dots}@`)).toBe(false);
	});

	it('in an answer takes no time', () => {
		expect(sentences(`${dots}x`)).toBe(`${dots}x`);
		expect(sentences('It failed...', 'Try again.')).toBe('It failed. Try again');
	});
});
