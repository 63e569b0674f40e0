import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packSources } from '../../playground/n8n/pack.ts';
import { startN8n, type TestN8n } from './startN8n.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The n8n that all files of a run share. */
		n8nUrl: string;
		/** Its owner's session: each file logging in anew would meet n8n's limit. */
		n8nCookies: Array<[name: string, value: string]>;
	}
}

declare global {
	/** Here, since each project of a run loads this module anew. */
	var kudosityN8n: Promise<TestN8n> | undefined;
}

/** The test files inherit the variable, so that the package is packed once. */
const pack = async (): Promise<() => Promise<void>> => {
	if (process.env.KUDOSITY_TARBALL) return async () => {};
	const folder = await mkdtemp(join(tmpdir(), 'kudosity-tarball-'));
	process.env.KUDOSITY_TARBALL = await packSources(folder);
	return async () => await rm(folder, { recursive: true, force: true });
};

/** The browser tests use its editor, and the others what n8n tells it of the package. */
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

/** Starts n8n for the first project of a run; the others join it. It ends with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const n8n = await (globalThis.kudosityN8n ??= start());
	project.provide('n8nUrl', n8n.url);
	project.provide('n8nCookies', [...n8n.rest.cookies]);
	return n8n.stop;
}
