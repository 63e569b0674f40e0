import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { lastLines } from '../../playground/n8n/command.ts';
import { until } from '../../playground/n8n/until.ts';

export type ChildServer = {
	pid: number;
	/** Asks the server to end, and waits until it has. */
	end(signal: NodeJS.Signals): Promise<void>;
};

type Options = {
	command: [string, ...string[]];
	/** Runs as this user of the system instead of root: PostgreSQL refuses to be root. */
	user?: string;
	folder: string;
	logFile: string;
	isReady: () => Promise<boolean>;
};

/** The system ends the server when this process dies, however it dies. */
const supervised = ({ command, user }: Options): string[] => [
	'--pdeathsig=KILL',
	...(user ? [`--reuid=${user}`, `--regid=${user}`, '--init-groups'] : []),
	'--',
	...command,
];

const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
	pid === undefined || exitCode !== null || signalCode !== null;

/**
 * Starts a server and waits until it answers.
 *
 * @throws Error with the end of its log when it dies or does not answer
 */
export const startChildServer = async (options: Options): Promise<ChildServer> => {
	const { command, folder, logFile, isReady } = options;
	const log = openSync(logFile, 'a');
	const child = spawn('setpriv', supervised(options), { cwd: folder, stdio: ['ignore', log, log] });
	closeSync(log);
	const exited = new Promise<void>((resolve) => {
		child.once('error', () => resolve());
		child.once('exit', () => resolve());
	});
	const end = async (signal: NodeJS.Signals) => {
		if (!hasEnded(child)) child.kill(signal);
		await exited;
	};
	try {
		await until({ what: command[0], intervalMs: 20 }, async () => {
			if (hasEnded(child)) throw new Error(`${command[0]} ended while it was starting`);
			return (await isReady()) || undefined;
		});
	} catch (error) {
		await end('SIGKILL');
		throw new Error(`${error}\n${lastLines(readFileSync(logFile, 'utf8'))}`, { cause: error });
	}
	return { pid: child.pid ?? 0, end };
};
