import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname } from 'node:path';

type Command = {
	file: string;
	args: string[];
	folder: string;
	environment?: NodeJS.ProcessEnv;
	/** Receives the command's output. */
	logFile: string;
	signal?: AbortSignal;
};

/** The end of a log, for error messages. */
export const lastLines = (log: string, count = 20): string =>
	log.trimEnd().split('\n').slice(-count).join('\n');

/** Ends a command and everything it started. Its process group may already be gone. */
export const killGroup = (pid: number | undefined, signal: NodeJS.Signals): void => {
	if (pid === undefined) return;
	try {
		process.kill(-pid, signal);
	} catch {
		return;
	}
};

/**
 * Runs a command to completion in its own process group, so that aborting leaves nothing behind.
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

/** Set by `npm start` and `npx` for their scripts. It would make a nested npm work on this project. */
const outerNpmSettings =
	/^npm_(package|lifecycle|config_local_prefix|config_ignore_scripts|command)/i;

/** The environment without the settings of an outer npm, and with the given Node.js first in PATH. */
export const npmEnvironment = (nodeBinary: string = process.execPath): NodeJS.ProcessEnv => ({
	...Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !outerNpmSettings.test(name)),
	),
	PATH: [dirname(nodeBinary), process.env.PATH].join(delimiter),
});

/** npm: preferably the one that runs this script, i.e. the user's version. */
export const npmCommand = (args: string[]): Pick<Command, 'file' | 'args'> => {
	const running = process.env.npm_execpath ?? '';
	return running.endsWith('npm-cli.js')
		? { file: process.execPath, args: [running, ...args] }
		: { file: 'npm', args };
};
