import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { npmCommand, npmEnvironment, runCommand } from './command.ts';
import { acquireLock } from './lock.ts';
import {
	assertDiskSpace,
	assertNodeVersion,
	assertPlatform,
	freeMegabytes,
	PlaygroundError,
} from './preflight.ts';
import { createReporter, type InstallProgress, type Say } from './progress.ts';
import {
	n8nNodeMajor,
	n8nPins,
	type N8nVersion,
	nodePackageMegabytes,
	nodePackages,
} from './versions.ts';

/** The per-user folder shared by `npm start`, the tests and CI, so that n8n is installed only once. */
export const cacheFolder = (environment: NodeJS.ProcessEnv = process.env): string =>
	join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-kudosity-messaging');

/** Names a cached installation after its pins, so that different pins use different folders. */
export const installationName = (label: string, manifest: object): string => {
	const fingerprint = createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
	return `${label}-${fingerprint.slice(0, 8)}`;
};

const marker = '.complete';

export const isInstalled = (folder: string): boolean => existsSync(join(folder, marker));

type InstallOnce = {
	folder: string;
	/** Fills the staging folder. After a failed attempt, it is called again with the same folder. */
	fill: (staging: string) => Promise<void>;
	onWait: () => void;
	signal?: AbortSignal;
};

/**
 * Creates `folder` completely or not at all: fills it under another name and renames it at the end, one process at a
 * time.
 */
export const installOnce = async ({ folder, fill, onWait, signal }: InstallOnce): Promise<void> => {
	if (isInstalled(folder)) return;
	await mkdir(dirname(folder), { recursive: true });
	const release = await acquireLock(`${folder}.lock`, { onWait, signal });
	try {
		if (isInstalled(folder)) return;
		const staging = `${folder}.partial`;
		await mkdir(staging, { recursive: true });
		await fill(staging);
		await writeFile(join(staging, marker), new Date().toISOString());
		await rm(folder, { recursive: true, force: true });
		await rename(staging, folder);
	} finally {
		await release();
	}
};

type InstallContext = { cache: string; signal?: AbortSignal; say: Say };

type CachedPackage = {
	/** e.g. "n8n-2.41.1" */
	label: string;
	/** The folder's package.json. */
	manifest: object;
	requiredMegabytes: number;
	/** Runs after the packages are installed. */
	finish?: (staging: string, logFile: string) => Promise<void>;
};

const installFlags = [
	'--legacy-peer-deps',
	'--ignore-scripts',
	'--omit=dev',
	'--no-audit',
	'--no-fund',
	'--no-update-notifier',
	'--loglevel=error',
];

type Staging = { staging: string; logFile: string; manifest: object; signal?: AbortSignal };

const installPackages = async ({ staging, logFile, manifest, signal }: Staging): Promise<void> => {
	const done = join(staging, '.packages-installed');
	if (existsSync(done)) return;
	// A killed npm leaves partially unpacked packages that the next run would consider complete.
	await rm(join(staging, 'node_modules'), { recursive: true, force: true });
	await writeFile(join(staging, 'package.json'), JSON.stringify(manifest, undefined, '\t'));
	await runCommand({
		...npmCommand(['install', ...installFlags]),
		folder: staging,
		environment: npmEnvironment(),
		logFile,
		signal,
	});
	await writeFile(done, '');
};

/** Installs a private package once, into its own cache folder, and resolves to that folder. */
const ensureCachedPackage = async (
	{ label, manifest, requiredMegabytes, finish }: CachedPackage,
	{ cache, signal, say }: InstallContext,
): Promise<string> => {
	const folder = join(cache, installationName(label, manifest));
	if (isInstalled(folder)) return folder;
	const free = await freeMegabytes(cache);
	assertDiskSpace({ folder: cache, requiredMegabytes, freeMegabytes: free });
	await installOnce({
		folder,
		signal,
		onWait: () => say(`Waiting for another process to install ${label}`),
		fill: async (staging) => {
			const logFile = join(staging, 'install.log');
			say(`Installing ${label}`);
			await installPackages({ staging, logFile, manifest, signal });
			await finish?.(staging, logFile);
		},
	});
	return folder;
};

/** The current Node.js if n8n supports it, otherwise a cached one from npm. */
const ensureNode = async (context: InstallContext): Promise<string> => {
	if (process.versions.node.startsWith(`${n8nNodeMajor}.`)) return process.execPath;
	const platform = `${process.platform}-${process.arch}`;
	const pin = nodePackages[platform];
	if (pin === undefined) {
		throw new PlaygroundError(
			`n8n needs Node.js ${n8nNodeMajor}, which cannot be downloaded for ${platform}. ` +
				'Install that version and start again.',
		);
	}
	const folder = await ensureCachedPackage(
		{
			label: `node-${pin.version}`,
			manifest: { private: true, dependencies: { [pin.name]: pin.version } },
			requiredMegabytes: nodePackageMegabytes,
		},
		context,
	);
	return join(folder, 'node_modules', pin.name, 'bin', 'node');
};

/** Tools needed to compile, if no prebuilt add-on can be downloaded. */
const buildTools = ['python3', 'make', 'g++'] as const;

const canRun = (tool: string): boolean =>
	spawnSync(tool, ['--version'], { stdio: 'ignore' }).status === 0;

/** @returns what to install, or undefined when nothing is missing. */
export const describeMissingTools = (isAvailable = canRun): string | undefined => {
	const missing = buildTools.filter((tool) => !isAvailable(tool));
	if (missing.length === 0) return undefined;
	return (
		`n8n's SQLite add-on must be compiled on this machine, which lacks ${missing.join(', ')}. ` +
		'On Debian or Ubuntu: apt-get install python3 make g++. On macOS: xcode-select --install. ' +
		'Then start again to continue from here.'
	);
};

/** Headers next to the binary save node-gyp a download, and are sure to match this Node.js. */
const buildEnvironment = (nodeBinary: string): NodeJS.ProcessEnv => {
	const prefix = dirname(dirname(nodeBinary));
	const hasHeaders = existsSync(join(prefix, 'include', 'node', 'node_api.h'));
	return { ...npmEnvironment(nodeBinary), ...(hasHeaders && { npm_config_nodedir: prefix }) };
};

const loadAddon = "new (require('sqlite3').Database)(':memory:').close()";

/** Builds the only add-on that n8n requires, and checks that it loads in n8n's Node.js. */
const buildSqlite =
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

export type N8nInstallation = {
	version: N8nVersion;
	nodeBinary: string;
	n8nBinary: string;
	folder: string;
};

type InstallOptions = {
	version: N8nVersion;
	onProgress?: (progress: InstallProgress) => void;
	signal?: AbortSignal;
	cache?: string;
};

/**
 * Installs the pinned n8n, and the Node.js it needs, once per user. Later calls return immediately.
 *
 * @throws PlaygroundError when a requirement is missing; Error with npm's last lines when npm fails.
 */
export const ensureN8n = async (options: InstallOptions): Promise<N8nInstallation> => {
	const { version, onProgress = () => {}, signal, cache = cacheFolder() } = options;
	assertPlatform(process.platform);
	assertNodeVersion(process.version);
	const { peers, overrides, requiredMegabytes } = n8nPins[version];
	const reporter = await createReporter(cache, onProgress);
	const context = { cache, signal, say: reporter.say };
	try {
		const nodeBinary = await ensureNode(context);
		const folder = await ensureCachedPackage(
			{
				label: `n8n-${version}`,
				manifest: {
					private: true,
					dependencies: { n8n: version, ...peers },
					overrides,
					allowScripts: { sqlite3: true },
				},
				requiredMegabytes,
				finish: buildSqlite(nodeBinary, context),
			},
			context,
		);
		const n8nBinary = join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
		return { version, nodeBinary, n8nBinary, folder };
	} finally {
		reporter.end();
	}
};
