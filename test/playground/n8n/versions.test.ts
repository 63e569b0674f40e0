import { describe, expect, it } from 'vitest';
import { cacheFolder, installationName } from '../../../playground/n8n/cacheFolder.ts';
import {
	currentN8n,
	n8nNodeMajor,
	n8nPins,
	nodePackages,
	oldestN8n,
} from '../../../playground/n8n/versions.ts';

const exactVersion = /^\d+\.\d+\.\d+$/;

describe('the pins', () => {
	it('are exact versions, so that every machine installs the same', () => {
		const packages = Object.values(n8nPins).flatMap(({ peers, overrides }) => [
			...Object.values(peers),
			...Object.values(overrides),
		]);
		const versions = Object.values(nodePackages).map(({ version }) => version);
		for (const version of [currentN8n, oldestN8n, ...packages, ...versions]) {
			expect(version).toMatch(exactVersion);
		}
	});

	it('fetch the Node.js that n8n needs', () => {
		for (const { version } of Object.values(nodePackages)) {
			expect(version.split('.')[0]).toBe(String(n8nNodeMajor));
		}
	});
});

describe('the cache folder', () => {
	it('follows XDG_CACHE_HOME', () => {
		expect(cacheFolder({ XDG_CACHE_HOME: '/big/disk' })).toBe(
			'/big/disk/n8n-nodes-kudosity-messaging',
		);
	});

	it('is below ~/.cache otherwise', () => {
		expect(cacheFolder({})).toMatch(/\/\.cache\/n8n-nodes-kudosity-messaging$/);
	});

	it('has another subfolder for other pins', () => {
		const name = (linkedom: string) => installationName('n8n-2.41.1', { overrides: { linkedom } });
		expect(name('0.18.12')).toBe(name('0.18.12'));
		expect(name('0.18.12')).not.toBe(name('0.18.11'));
		expect(name('0.18.12')).toMatch(/^n8n-2\.41\.1-/);
	});
});
