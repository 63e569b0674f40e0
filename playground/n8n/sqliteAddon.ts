import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { InstallContext } from './cachedPackage.ts';
import { runCommand } from './command.ts';
import { npmCommand, npmEnvironment } from './npm.ts';
import { PlaygroundError } from './preflight.ts';

/** What compiling takes, where no prebuilt add-on can be downloaded. */
const buildTools = ['python3', 'make', 'g++'] as const;

const canRun = (tool: string): boolean =>
	spawnSync(tool, ['--version'], { stdio: 'ignore' }).status === 0;

/** @returns what to install, or undefined when nothing is missing. */
export const describeMissingTools = (isAvailable = canRun): string | undefined => {
	const missing = buildTools.filter((tool) => !isAvailable(tool));
	if (missing.length === 0) return undefined;
	return (
		`n8n's SQLite add-on has to be compiled on this machine, and it lacks ${missing.join(', ')}. ` +
		'On Debian or Ubuntu: apt-get install python3 make g++. On macOS: xcode-select --install. ' +
		'Then start again; it continues from here.'
	);
};

/** The headers beside the binary spare node-gyp a download, and cannot be those of another Node.js. */
const buildEnvironment = (nodeBinary: string): NodeJS.ProcessEnv => {
	const prefix = dirname(dirname(nodeBinary));
	const hasHeaders = existsSync(join(prefix, 'include', 'node', 'node_api.h'));
	return { ...npmEnvironment(nodeBinary), ...(hasHeaders && { npm_config_nodedir: prefix }) };
};

const loadAddon = "new (require('sqlite3').Database)(':memory:').close()";

/** Builds the one add-on that n8n cannot do without, and proves that it loads in n8n's Node.js. */
export const buildSqlite =
	(nodeBinary: string, { say, signal }: InstallContext) =>
	async (folder: string, logFile: string): Promise<void> => {
		say("Building n8n's SQLite add-on");
		const run = { folder, environment: buildEnvironment(nodeBinary), logFile, signal };
		const rebuild = npmCommand(['rebuild', 'sqlite3', '--ignore-scripts=false']);
		try {
			await runCommand({ ...run, ...rebuild });
			await runCommand({ ...run, file: nodeBinary, args: ['-e', loadAddon] });
		} catch (error) {
			const missing = signal?.aborted ? undefined : describeMissingTools();
			throw missing === undefined ? error : new PlaygroundError(missing);
		}
	};
