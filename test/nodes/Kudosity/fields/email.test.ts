import { expect, it } from 'vitest';
import { isEmailAddress } from '../../../seams.ts';

it.each([
	['sam@example.com', true],
	['sam.o+n8n@mail.example.co.uk', true],
	['zoë@exämple.de', true],
	['sam@localhost', false],
	['@example.com', false],
	['sam@.com', false],
	['sam@example.', false],
	['sam@example.com, kim@example.com', false],
	['Sam <sam@example.com>', false],
])('%s: %s', (text, expected) => {
	expect(isEmailAddress(text)).toBe(expected);
});

it.each(['.', 'a.', 'a'])('refuses a long text of "%s" at once', (part) => {
	expect(isEmailAddress(`a@${part.repeat(200_000)}@`)).toBe(false);
});
