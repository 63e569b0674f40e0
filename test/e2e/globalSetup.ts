import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packSources } from '../../playground/n8n/pack.ts';
import { startN8n, type TestN8n } from './startN8n.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The URL of the n8n that all files of a run share. */
		n8nUrl: string;
		/** Its owner's session. A login per file would exceed n8n's limit. */
		n8nCookies: Array<[name: string, value: string]>;
	}
}

declare global {
	/** Global, because each project of a run loads this module again. */
	var kudosityN8n: Promise<TestN8n> | undefined;
}

/** Packs the package once. The test files inherit the variable. */
const pack = async (): Promise<() => Promise<void>> => {
	if (process.env.KUDOSITY_TARBALL) return async () => {};
	const folder = await mkdtemp(join(tmpdir(), 'kudosity-tarball-'));
	process.env.KUDOSITY_TARBALL = await packSources(folder);
	return async () => await rm(folder, { recursive: true, force: true });
};

/** With the editor: browser tests use it, and other tests read what n8n tells it about the package. */
const start = async (): Promise<TestN8n> => {
	const removeTarball = await pack();
	const n8n = await startN8n({ hasEditor: true });
	return {
		...n8n,
		stop: async () => {
			await n8n.stop();
			await removeTarball();
		},
	};
};

/** Starts n8n for the first project of a run; the others share it. It stops at the end of the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const n8n = await (globalThis.kudosityN8n ??= start());
	project.provide('n8nUrl', n8n.url);
	project.provide('n8nCookies', [...n8n.rest.cookies]);
	return n8n.stop;
}
