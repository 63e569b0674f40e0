import type { TestProject } from 'vitest/node';
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

/** Starts n8n for the first project of a run; the others join it. It ends with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const n8n = await (globalThis.kudosityN8n ??= startN8n());
	project.provide('n8nUrl', n8n.url);
	project.provide('n8nCookies', [...n8n.rest.cookies]);
	return n8n.stop;
}
