import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname } from 'node:path';

type Command = {
	file: string;
	args: string[];
	folder: string;
	environment?: NodeJS.ProcessEnv;
	/** Receives everything the command prints. */
	logFile: string;
	signal?: AbortSignal;
};

/** The end of a log: what a person needs to see of it when something failed. */
export const lastLines = (log: string, count = 20): string =>
	log.trimEnd().split('\n').slice(-count).join('\n');

/** Ends a command together with everything it started; its group may be gone already. */
export const killGroup = (pid: number | undefined, signal: NodeJS.Signals): void => {
	if (pid === undefined) return;
	try {
		process.kill(-pid, signal);
	} catch {
		return;
	}
};

/**
 * Runs a command to its end in a process group of its own, so that aborting leaves nothing behind.
 *
 * @throws Error with the last lines of its output when it fails.
 */
export const runCommand = async (command: Command): Promise<void> => {
	const { file, args, folder, environment = process.env, logFile, signal } = command;
	signal?.throwIfAborted();
	const log = createWriteStream(logFile, { flags: 'a' });
	const child = spawn(file, args, { cwd: folder, env: environment, detached: true });
	const abort = () => killGroup(child.pid, 'SIGKILL');
	signal?.addEventListener('abort', abort);
	process.once('exit', abort);
	try {
		child.stdout.pipe(log, { end: false });
		child.stderr.pipe(log, { end: false });
		const code = await new Promise<number | null>((resolve, reject) => {
			child.once('error', reject);
			child.once('close', resolve);
		});
		signal?.throwIfAborted();
		await new Promise<void>((resolve) => log.end(resolve));
		if (code === 0) return;
		const output = lastLines(await readFile(logFile, 'utf8'));
		throw new Error(`${file} ${args[0]} failed (exit code ${code}):\n${output}`);
	} finally {
		log.destroy();
		signal?.removeEventListener('abort', abort);
		process.removeListener('exit', abort);
	}
};

/** What `npm start` and `npx` tell their own scripts; it would send a nested npm to this project. */
const outerNpmSettings =
	/^npm_(package|lifecycle|config_local_prefix|config_ignore_scripts|command)/i;

/** The environment without an outer npm's settings, with the given Node.js first on the path. */
export const npmEnvironment = (nodeBinary: string = process.execPath): NodeJS.ProcessEnv => ({
	...Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !outerNpmSettings.test(name)),
	),
	PATH: [dirname(nodeBinary), process.env.PATH].join(delimiter),
});

/** npm itself: the one that runs this script where there is one, so that its version is the user's. */
export const npmCommand = (args: string[]): Pick<Command, 'file' | 'args'> => {
	const running = process.env.npm_execpath ?? '';
	return running.endsWith('npm-cli.js')
		? { file: process.execPath, args: [running, ...args] }
		: { file: 'npm', args };
};
