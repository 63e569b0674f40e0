import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulatorUnderTest.ts';

describe('the web page', () => {
	const emulator = useEmulator();

	it('is served as HTML and says that state is lost at the end', async () => {
		const { status, headers, text } = await emulator.callBare('/');
		expect(status).toBe(200);
		expect(headers.get('content-type')).toContain('text/html');
		expect(text).toContain('No message leaves this');
	});

	it('loads nothing from elsewhere', async () => {
		const { headers, text } = await emulator.callBare('/');
		expect(text).not.toMatch(/(?:src|href)="https?:/);
		expect(headers.get('content-security-policy')).toContain("default-src 'none'");
	});

	it('never writes data as markup', async () => {
		const { text } = await emulator.callBare('/');
		expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write/);
	});

	it('answers 404 to an unknown short link', async () => {
		expect((await emulator.callBare('/l/unknown')).status).toBe(404);
	});
});
