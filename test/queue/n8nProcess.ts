import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { killGroup, lastLines } from '../../playground/n8n/command.ts';
import { n8nEnvironment } from '../../playground/n8n/launch.ts';
import type { N8nInstallation } from '../../playground/n8n/install.ts';
import { choosePort } from '../../playground/n8n/ports.ts';
import { until } from '../../playground/n8n/until.ts';

const stopTimeoutMs = 15_000;
const brokenPackage = 'Failed to load package';

/** What each kind of process prints once it can work. */
const readyLines = {
	start: 'Editor is now accessible via',
	webhook: 'Webhook listener waiting for requests',
	worker: 'n8n worker is now ready',
} as const;

export type N8nCommand = keyof typeof readyLines;

type Options = {
	installation: N8nInstallation;
	command: N8nCommand;
	args?: string[];
	/** Has the package installed; its log is written there as well. */
	userFolder: string;
	environment: NodeJS.ProcessEnv;
	signal?: AbortSignal;
};

export type N8nProcess = {
	command: N8nCommand;
	pid: number | undefined;
	url: string;
	port: number;
	userFolder: string;
	logs(): string;
	/** Ends it as an administrator would. */
	stop(): Promise<void>;
	/** Ends it and whatever it started at once, as a crash or the system's out-of-memory killer would. */
	kill(): Promise<void>;
	hasEnded(): boolean;
};

const spawnN8n = async (options: Options, port: number) => {
	const { installation, command, args = [], userFolder, environment } = options;
	const logFile = join(userFolder, 'n8n.log');
	const log = openSync(logFile, 'w');
	const preload = join(import.meta.dirname, '../../playground/n8n/stopWithParent.ts');
	const child = spawn(
		installation.nodeBinary,
		[
			...['--disable-warning=ExperimentalWarning', '--import', pathToFileURL(preload).href],
			...[installation.n8nBinary, command, ...args],
		],
		{
			cwd: userFolder,
			env: {
				...n8nEnvironment({ ...installation, userFolder, port, brokerPort: await choosePort() }),
				...environment,
			},
			stdio: ['ignore', log, log, 'pipe'],
			detached: true,
		},
	);
	closeSync(log);
	return { child, logs: () => stripVTControlCharacters(readFileSync(logFile, 'utf8')) };
};

const isOver = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
	pid === undefined || exitCode !== null || signalCode !== null;

/**
 * Starts one process of an n8n that has several, and waits until it can work.
 *
 * @throws Error with the end of its log when it dies or does not come up
 */
export const startN8nProcess = async (options: Options): Promise<N8nProcess> => {
	const { command, userFolder, signal } = options;
	const port = await choosePort();
	const { child, logs } = await spawnN8n(options, port);
	const exited = new Promise<void>((resolve) => {
		child.once('error', () => resolve());
		child.once('exit', () => resolve());
	});
	const hasEnded = () => isOver(child);

	const kill = async () => {
		killGroup(child.pid, 'SIGKILL');
		await exited;
	};
	const stop = async () => {
		if (!hasEnded()) child.kill('SIGTERM');
		const timer = setTimeout(() => killGroup(child.pid, 'SIGKILL'), stopTimeoutMs);
		await exited;
		clearTimeout(timer);
		// Its task runner belongs to the same group and may outlive it.
		killGroup(child.pid, 'SIGKILL');
	};

	try {
		const what = `n8n ${command}`;
		await until({ what, signal }, () => {
			if (hasEnded()) throw new Error(`${what} ended while it was starting`);
			if (logs().includes(brokenPackage)) throw new Error(`${what} could not load the package`);
			return logs().includes(readyLines[command]) || undefined;
		});
	} catch (error) {
		await kill();
		throw new Error(`${error}\n${lastLines(logs(), 30)}`, { cause: error });
	}
	const url = `http://127.0.0.1:${port}`;
	const { pid } = child;
	return { command, pid, url, port, userFolder, logs, stop, kill, hasEnded };
};
