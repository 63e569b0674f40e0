import { mkdtemp, rm } from 'node:fs/promises';
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

describe('the check of Node.js', () => {
	it.each(['v20.19.0', 'v20.20.2', 'v22.0.0', 'v24.21.0'])('accepts %s', (version) => {
		expect(() => assertNodeVersion(version)).not.toThrow();
	});

	it.each(['v18.20.0', 'v20.18.3', 'v16.0.0'])('refuses %s and names what is needed', (version) => {
		expect(() => assertNodeVersion(version)).toThrow(PlaygroundError);
		expect(() => assertNodeVersion(version)).toThrow(
			`20.19 or newer is needed, this is ${version}`,
		);
	});
});

describe('the check of the platform', () => {
	it('accepts Linux and macOS', () => {
		expect(() => assertPlatform('linux')).not.toThrow();
		expect(() => assertPlatform('darwin')).not.toThrow();
	});

	it('tells Windows users of WSL', () => {
		expect(() => assertPlatform('win32')).toThrow('WSL');
	});
});

describe('the check of the disk', () => {
	const folder = '/home/sam/.cache/kudosity';

	it('is content with exactly what is needed', () => {
		expect(() =>
			assertDiskSpace({ folder, requiredMegabytes: 3000, freeMegabytes: 3000 }),
		).not.toThrow();
	});

	it('says how much is needed, how much is free, where, and what to do', () => {
		const check = () => assertDiskSpace({ folder, requiredMegabytes: 3000, freeMegabytes: 812 });
		expect(check).toThrow(PlaygroundError);
		expect(check).toThrow(
			/3000 MB .* \/home\/sam\/\.cache\/kudosity, 812 MB are free.*XDG_CACHE_HOME/,
		);
	});

	it('measures a folder that does not exist yet by the disk it will be on', async () => {
		const parent = await mkdtemp(join(tmpdir(), 'kudosity-disk-'));
		try {
			expect(await freeMegabytes(join(parent, 'not', 'yet'))).toBeGreaterThan(0);
		} finally {
			await rm(parent, { recursive: true });
		}
	});
});
