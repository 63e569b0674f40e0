import { expect, it } from 'vitest';
import { cacheFolder, installationName } from '../../../playground/n8n/install.ts';
import {
	currentN8n,
	n8nNodeMajor,
	n8nPins,
	nodePackages,
	oldestN8n,
} from '../../../playground/n8n/versions.ts';

it('pins exact versions, so that every machine installs the same', () => {
	const pins = Object.values(n8nPins);
	const packages = pins.flatMap(({ peers, overrides }) =>
		Object.values({ ...peers, ...overrides }),
	);
	const nodes = Object.values(nodePackages).map(({ version }) => version);
	for (const version of [currentN8n, oldestN8n, ...packages, ...nodes]) {
		expect(version).toMatch(/^\d+\.\d+\.\d+$/);
	}
	expect(new Set(nodes.map((version) => version.split('.')[0]))).toEqual(
		new Set([String(n8nNodeMajor)]),
	);
});

it('keeps what it installs in XDG_CACHE_HOME, or else below ~/.cache', () => {
	const folder = 'n8n-nodes-kudosity-messaging';
	expect(cacheFolder({ XDG_CACHE_HOME: '/big/disk' })).toBe(`/big/disk/${folder}`);
	expect(cacheFolder({}).endsWith(`/.cache/${folder}`)).toBe(true);
});

it('installs anew for other pins', () => {
	const name = (linkedom: string) => installationName('n8n-2.41.1', { overrides: { linkedom } });
	expect(name('0.18.12')).toBe(name('0.18.12'));
	expect(name('0.18.12')).not.toBe(name('0.18.11'));
	expect(name('0.18.12')).toMatch(/^n8n-2\.41\.1-/);
});
