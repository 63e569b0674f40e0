import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
	assertDiskSpace,
	assertNodeVersion,
	assertPlatform,
	freeMegabytes,
	PlaygroundError,
} from '../../../playground/n8n/preflight.ts';
import { describeMissingTools } from '../../../playground/n8n/install.ts';

describe('the check before the playground starts', () => {
	it.each(['v20.19.0', 'v22.0.0', 'v24.21.0'])('accepts Node.js %s', (version) => {
		expect(() => assertNodeVersion(version)).not.toThrow();
	});

	it.each(['v16.0.0', 'v20.18.3'])('refuses %s and names what is needed', (version) => {
		const check = () => assertNodeVersion(version);
		expect(check).toThrow(PlaygroundError);
		expect(check).toThrow(`20.19 or newer is required, but this is ${version}`);
	});

	it('accepts Linux and macOS, and tells Windows users of WSL', () => {
		expect(() => assertPlatform('linux')).not.toThrow();
		expect(() => assertPlatform('darwin')).not.toThrow();
		expect(() => assertPlatform('win32')).toThrow('WSL');
	});

	it('says how much disk is needed, how much is free, where, and what to do', () => {
		const check = (freeMegabytes: number) => () =>
			assertDiskSpace({ folder: '/home/sam/.cache', requiredMegabytes: 3000, freeMegabytes });
		expect(check(3000)).not.toThrow();
		expect(check(812)).toThrow(PlaygroundError);
		expect(check(812)).toThrow(
			/3000 MB .* \/home\/sam\/\.cache, but only 812 MB are free.*XDG_CACHE_HOME/,
		);
	});

	it('measures a folder that does not exist yet by the disk it will be on', async () => {
		const folder = join(tmpdir(), 'kudosity-not', 'yet');
		expect(await freeMegabytes(folder)).toBeGreaterThan(0);
	});

	it('names missing build tools together with the remedy', () => {
		expect(describeMissingTools(() => true)).toBeUndefined();
		const message = describeMissingTools((tool) => tool === 'make');
		expect(message).toMatch(/lacks python3, g\+\+[^]*apt-get install/);
	});
});
