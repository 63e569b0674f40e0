import type { TestProject } from 'vitest/node';
import { startN8n, type TestN8n } from '../e2e/startN8n.ts';
import { lazySandboxes } from '../helpers/lazySandboxes.ts';

declare global {
	/** Global, because each project of a run loads this module again. */
	var kudosityExamplesN8n: Promise<TestN8n> | undefined;
}

/** Starts the n8n that the examples and browser tests share. It stops at the end of the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const n8n = await (globalThis.kudosityExamplesN8n ??= startN8n({
		hasEditor: true,
		environment: lazySandboxes,
	}));
	project.provide('n8nUrl', n8n.url);
	project.provide('n8nCookies', [...n8n.rest.cookies]);
	return n8n.stop;
}
