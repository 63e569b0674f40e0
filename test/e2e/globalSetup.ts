import type { TestProject } from 'vitest/node';
import { startN8n } from './startN8n.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The n8n that all files of a run share. */
		n8nUrl: string;
		/** Its owner's session: each file logging in anew would meet n8n's limit. */
		n8nCookies: Array<[name: string, value: string]>;
	}
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const n8n = await startN8n();
	project.provide('n8nUrl', n8n.url);
	project.provide('n8nCookies', [...n8n.rest.cookies]);
	return n8n.stop;
}
