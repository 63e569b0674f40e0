import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { killGroup, lastLines } from './command.ts';
import type { N8nInstallation } from './install.ts';
import { choosePort } from './ports.ts';
import { until } from './until.ts';

/** The user's settings for n8n, Node.js and test runners, which would change this n8n's behavior. */
const foreignSettings =
	/^(N8N_|DB_|QUEUE_|EXECUTIONS_|CREDENTIALS_|WEBHOOK_|NODES_|NODE_FUNCTION_|NODE_OPTIONS$|NODE_ENV$|VITEST|npm_)/;

/** No outgoing calls: the playground works offline and sends no telemetry. */
const silence = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
};

type N8nSettings = {
	/** The installation's. */
	folder: string;
	nodeBinary: string;
	version: string;
	userFolder: string;
	port: number;
	brokerPort: number;
};

/** Modules that load content from n8n's servers at startup. */
const disabledModules = (version: string): Record<string, string> =>
	version.startsWith('1.') ? {} : { N8N_DISABLED_MODULES: 'mcp-registry' };

/** The environment of our n8n: SQLite, loopback only, silent, with a separate port for its task broker. */
export const n8nEnvironment = (
	{ folder, nodeBinary, version, userFolder, port, brokerPort }: N8nSettings,
	outer: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv => {
	const url = `http://127.0.0.1:${port}/`;
	// n8n 1 uses the older name for the webhook URL.
	const webhookUrl = version.startsWith('1.') ? { WEBHOOK_URL: url } : { N8N_WEBHOOK_URL: url };
	return {
		...Object.fromEntries(Object.entries(outer).filter(([name]) => !foreignSettings.test(name))),
		...silence,
		...disabledModules(version),
		...webhookUrl,
		// n8n starts its task runner as `node`, so PATH decides which one.
		PATH: [dirname(nodeBinary), outer.PATH].join(delimiter),
		NODE_ENV: 'production',
		// From the second start on, Node.js doesn't compile n8n's thousands of files again.
		NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
		DB_TYPE: 'sqlite',
		DB_SQLITE_POOL_SIZE: '2',
		N8N_USER_FOLDER: userFolder,
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_EDITOR_BASE_URL: url,
		N8N_SECURE_COOKIE: 'false',
		N8N_RUNNERS_ENABLED: 'true',
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
	};
};

const stopTimeoutMs = 10_000;
const readyLine = 'Editor is now accessible via';
const brokenPackage = 'Failed to load package';

type LaunchOptions = {
	installation: N8nInstallation;
	/** n8n stores everything in `<userFolder>/.n8n`. */
	userFolder: string;
	/** Default: a free port. */
	port?: number;
	/** Overrides the playground's own settings. */
	environment?: NodeJS.ProcessEnv;
	logFile?: string;
	signal?: AbortSignal;
};

export type RunningN8n = {
	url: string;
	port: number;
	process: ChildProcess;
	/** Ends n8n as an administrator would, including everything it started. */
	stop(): Promise<void>;
	/** Kills n8n and its runners, e.g. to test what a crash loses. */
	kill(signal?: NodeJS.Signals): Promise<void>;
	/** n8n's output since this start. */
	logs(): string;
};

const isAnswering = async (url: string): Promise<boolean> => {
	try {
		const [health, login] = await Promise.all([
			fetch(`${url}/healthz/readiness`),
			// n8n 1 reports readiness before its REST routes exist. Once they do, this one answers with JSON.
			fetch(`${url}/rest/login`),
		]);
		await Promise.all([health.text(), login.text()]);
		return health.ok && (login.headers.get('content-type')?.includes('json') ?? false);
	} catch {
		return false;
	}
};

const spawnN8n = (options: LaunchOptions, ports: { port: number; brokerPort: number }) => {
	const { installation, userFolder, environment, logFile = defaultLogFile(userFolder) } = options;
	mkdirSync(dirname(logFile), { recursive: true });
	const log = openSync(logFile, 'w');
	const preload = pathToFileURL(join(import.meta.dirname, 'stopWithParent.ts')).href;
	const child = spawn(
		installation.nodeBinary,
		['--disable-warning=ExperimentalWarning', '--import', preload, installation.n8nBinary, 'start'],
		{
			cwd: userFolder,
			env: { ...n8nEnvironment({ ...installation, userFolder, ...ports }), ...environment },
			stdio: ['ignore', log, log, 'pipe'],
			detached: true,
		},
	);
	closeSync(log);
	const logs = () => stripVTControlCharacters(readFileSync(logFile, 'utf8'));
	const exited = new Promise<void>((resolve) => {
		child.once('error', () => resolve());
		child.once('exit', () => resolve());
	});
	return { child, logs, exited };
};

const defaultLogFile = (userFolder: string): string => join(userFolder, 'n8n.log');

const hasEnded = (child: ChildProcess): boolean =>
	child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

/**
 * Starts n8n and waits until it answers and has loaded its workflows.
 *
 * @throws Error with the end of n8n's log when it exits or does not start in time.
 */
export const launchN8n = async (options: LaunchOptions): Promise<RunningN8n> => {
	const port = options.port ?? (await choosePort());
	const { child, logs, exited } = spawnN8n(options, { port, brokerPort: await choosePort() });
	const url = `http://127.0.0.1:${port}`;

	const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
		killGroup(child.pid, signal);
		await exited;
		killGroup(child.pid, 'SIGKILL');
	};
	const stop = async () => {
		if (hasEnded(child)) return await kill();
		child.kill('SIGTERM');
		const timer = setTimeout(() => killGroup(child.pid, 'SIGKILL'), stopTimeoutMs);
		await exited;
		clearTimeout(timer);
		// n8n's task runner is in the same process group and may outlive it.
		killGroup(child.pid, 'SIGKILL');
	};

	try {
		await until({ what: 'n8n', signal: options.signal }, async () => {
			if (hasEnded(child)) throw new Error('n8n exited while starting');
			if (logs().includes(brokenPackage)) throw new Error('n8n could not load the package');
			return (logs().includes(readyLine) && (await isAnswering(url))) || undefined;
		});
	} catch (error) {
		await kill();
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`${reason}. The end of its log:\n${lastLines(logs(), 30)}`, { cause: error });
	}
	return { url, port, process: child, stop, kill, logs };
};
