import { cpSync, mkdtempSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Interceptors<Value> = {
	use(onValue: (value: Value) => Value, onError?: (error: unknown) => never): number;
	eject(id: number): void;
};
type Axios = { interceptors: { request: Interceptors<object>; response: Interceptors<unknown> } };

/** As a package in the project's folder requires: one copy of n8n's modules for the engine and for the built nodes. */
export const require = createRequire(join(import.meta.dirname, '../../package.json'));

/** What n8n's engine sends requests with. */
export const axios: Axios = createRequire(require.resolve('@n8n/backend-network'))('axios');

const project = join(import.meta.dirname, '../../');

/** Which process of n8n it is. Each has the nodes' code, and so their memory, to itself. */
export type Process = (typeof processes)[number];
export const processes = ['first', 'second'] as const;

const folders: Partial<Record<Process, string>> = { first: project };

const copyBuiltNodes = (): string => {
	const folder = join(mkdtempSync(join(tmpdir(), 'kudosity-process-')), '/');
	for (const name of ['package.json', 'dist']) {
		cpSync(join(project, name), join(folder, name), { recursive: true });
	}
	symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
	return folder;
};

/** The folder of the package, as this process loads it. */
export const packageFolder = (process: Process): string => (folders[process] ??= copyBuiltNodes());

/** The nodes of a process load their code anew with the next run, and so have none of its memory. */
export const forgetBuiltNodes = (process: Process): void => {
	const folder = folders[process];
	if (folder === undefined) return;
	const builtNodes = join(folder, 'dist/');
	for (const file of Object.keys(require.cache)) {
		if (file.startsWith(builtNodes)) delete require.cache[file];
	}
};
