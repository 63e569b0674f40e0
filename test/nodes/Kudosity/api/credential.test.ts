import { describe, expect, it } from 'vitest';
import { isLoopbackUrl, requireSecret, safeBaseUrl, InputError } from '../../../seams.ts';

describe('safeBaseUrl', () => {
	it.each([
		['https://api.transmitsms.com', 'https://api.transmitsms.com'],
		['https://api.transmitsms.com/', 'https://api.transmitsms.com'],
		['  https://proxy.example/kudosity//', 'https://proxy.example/kudosity'],
		['http://localhost:4010', 'http://localhost:4010'],
		[`https://example.com${'/'.repeat(200_000)}x`, `https://example.com${'/'.repeat(200_000)}x`],
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
	it.each(['my key', 'ключ-ähnlich', 'a+b/c=='])('takes %s as it is', (value) => {
		expect(requireSecret(value, 'API Key')).toBe(value);
	});

	it.each(['key\r\nX-Injected: yes', 'key\n', ' key', 'key ', 'ke\u200by', 'key\u0000'])(
		'refuses what was copied along with a key (%j), and does not show it',
		(value) => {
			const read = () => requireSecret(value, 'API Key');
			expect(read).toThrow("'API Key' of the credential has a line break, an invisible");
			expect(read).not.toThrow(/ke\S?y\b.*Injected|X-Injected/);
		},
	);

	it.each([
		['API Key', 'Copy it from the API Settings'],
		['API Secret', 'If there is none, make one up'],
	])('names the part that is missing (%s), and where it comes from', (name, remedy) => {
		const message = `'${name}' of the credential is empty`;
		expect(() => requireSecret('', name)).toThrow(
			expect.objectContaining({ message, remedy: expect.stringContaining(remedy) }),
		);
	});
});
