import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';

export type Command = {
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
