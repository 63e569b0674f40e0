import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installationName } from './cacheFolder.ts';
import { runCommand } from './command.ts';
import { installOnce, isInstalled } from './installOnce.ts';
import { npmCommand, npmEnvironment } from './npm.ts';
import { assertDiskSpace, freeMegabytes } from './preflight.ts';
import type { Say } from './progress.ts';

/** What every step of an installation shares. */
export type InstallContext = { cache: string; signal?: AbortSignal; say: Say };

export type CachedPackage = {
	/** e.g. "n8n-2.41.1" */
	label: string;
	/** The package.json of the folder. */
	manifest: object;
	requiredMegabytes: number;
	/** What remains to be done once its packages are there. */
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

type Target = { staging: string; logFile: string; manifest: object; signal?: AbortSignal };

const installPackages = async ({ staging, logFile, manifest, signal }: Target): Promise<void> => {
	const done = join(staging, '.packages-installed');
	if (existsSync(done)) return;
	// A killed npm leaves half-unpacked packages that its successor takes for whole ones.
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

/** Installs a private package into its own folder of the cache, once; resolves to that folder. */
export const ensureCachedPackage = async (
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
		onWait: () => say(`Waiting for another process that installs ${label}`),
		fill: async (staging) => {
			const logFile = join(staging, 'install.log');
			say(`Installing ${label}`);
			await installPackages({ staging, logFile, manifest, signal });
			await finish?.(staging, logFile);
		},
	});
	return folder;
};
