import { describe, expect, it } from 'vitest';
import {
	createToken,
	digestOf,
	isExpectedToken,
} from '../../../../nodes/Kudosity/trigger/token.ts';

const path = '6f0c6a52-0d52-4d8c-9f3c-1d0a7f0f2b11/webhook';
const token = createToken('engine-key', path);

describe('createToken', () => {
	it('is HMAC-SHA256 of the path, safe to stand in a query', () => {
		expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
		expect(createToken('engine-key', path)).toBe(token);
	});

	it('differs with the key and with the path, as a duplicate of the workflow has', () => {
		expect(createToken('another-key', path)).not.toBe(token);
		expect(createToken('engine-key', path.replace('6f', '7f'))).not.toBe(token);
	});
});

describe('isExpectedToken', () => {
	it('takes any of the expected tokens', () => {
		expect(isExpectedToken(token, [digestOf('another'), digestOf(token)])).toBe(true);
	});

	it.each([
		['nothing', undefined],
		['an empty text', ''],
		['another text', 'guess'],
		['a longer text', `${token}x`],
		['a shorter text', token.slice(1)],
		['other case', token.toUpperCase()],
		['the digest itself', digestOf(token)],
		['a list with the token', [token]],
		['an object', { token }],
		['a number', 7],
	])('refuses %s', (_, given) => {
		expect(isExpectedToken(given, [digestOf(token)])).toBe(false);
	});

	it('refuses everything when nothing is expected', () => {
		expect(isExpectedToken(token, [])).toBe(false);
		expect(isExpectedToken('', [digestOf('')])).toBe(false);
	});
});
