import { describe, expect, it } from 'vitest';
import {
	isLoopbackUrl,
	requireSecret,
	safeBaseUrl,
} from '../../../../nodes/Kudosity/api/credential.ts';
import { InputError } from '../../../../nodes/Kudosity/api/errors.ts';

describe('safeBaseUrl', () => {
	it.each([
		['https://api.transmitsms.com', 'https://api.transmitsms.com'],
		['https://api.transmitsms.com/', 'https://api.transmitsms.com'],
		['  https://proxy.example/kudosity//', 'https://proxy.example/kudosity'],
		['http://localhost:4010', 'http://localhost:4010'],
		['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
		['http://127.8.9.1', 'http://127.8.9.1'],
		['http://[::1]:4010', 'http://[::1]:4010'],
	])('accepts %s', (given, expected) => {
		expect(safeBaseUrl(given)).toBe(expected);
	});

	it.each([
		['http to another host', 'http://api.transmitsms.com'],
		['http to a private host', 'http://192.168.0.1'],
		['http to a host that only begins like loopback', 'http://127.0.0.1.example.com'],
		['http to a host named like localhost', 'http://localhost.example.com'],
		['another scheme', 'ftp://api.transmitsms.com'],
		['a script', 'javascript:alert(1)'],
		['no address', 'api.transmitsms.com'],
		['nothing', ''],
		['no text', 42],
		['a user name', 'https://someone@api.transmitsms.com'],
		['a query', 'https://api.transmitsms.com?x=1'],
		['a fragment', 'https://api.transmitsms.com#x'],
	])('refuses %s', (_, given) => {
		expect(() => safeBaseUrl(given)).toThrow(InputError);
	});
});

describe('isLoopbackUrl', () => {
	it.each([
		['http://127.0.0.1:4010/webhook', true],
		['http://localhost/', true],
		['https://n8n.example.com/', false],
		['nonsense', false],
	])('%s: %s', (url, expected) => {
		expect(isLoopbackUrl(url)).toBe(expected);
	});
});

describe('requireSecret', () => {
	it('names the part that is missing', () => {
		expect(() => requireSecret('', 'API Secret')).toThrow(
			"'API Secret' of the credential is empty",
		);
	});
});
