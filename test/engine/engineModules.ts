import { cpSync, mkdtempSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureN8n } from '../../playground/n8n/install.ts';
import { isCurrent, n8nVersion } from '../helpers/n8nVersion.ts';

type Interceptors<Value> = {
	use(onValue: (value: Value) => Value, onError?: (error: unknown) => never): number;
	eject(id: number): void;
};
type Axios = { interceptors: { request: Interceptors<object>; response: Interceptors<unknown> } };

const project = join(import.meta.dirname, '../../');

/** Where n8n's modules are: among the project's own, or in an n8n of another version. */
const { folder: n8n } = isCurrent ? { folder: project } : await ensureN8n({ version: n8nVersion });

/** As a package in that folder requires: one copy of n8n's modules for the engine and for the built nodes. */
export const require = createRequire(join(n8n, 'package.json'));

/** What n8n's engine sends requests with. */
export const axios: Axios = createRequire(
	require.resolve(isCurrent ? '@n8n/backend-network' : 'n8n-core'),
)('axios');

/** Which process of n8n it is. Each has the nodes' code, and so their memory, to itself. */
export type Process = (typeof processes)[number];
export const processes = ['first', 'second'] as const;

const folders: Partial<Record<Process, string>> = isCurrent ? { first: project } : {};

const copyBuiltNodes = (): string => {
	const folder = join(mkdtempSync(join(tmpdir(), 'kudosity-process-')), '/');
	for (const name of ['package.json', 'dist']) {
		cpSync(join(project, name), join(folder, name), { recursive: true });
	}
	symlinkSync(join(n8n, 'node_modules'), join(folder, 'node_modules'));
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
