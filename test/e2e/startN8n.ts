import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureN8n } from '../../playground/n8n/install.ts';
import { launchN8n, type RunningN8n } from '../../playground/n8n/launch.ts';
import { installPackage } from '../../playground/n8n/pack.ts';
import { createProgressDisplay } from '../../playground/n8n/progress.ts';
import { createRest, type Rest } from '../../playground/n8n/rest/index.ts';
import type { N8nVersion } from '../../playground/n8n/versions.ts';
import { n8nVersion } from '../helpers/n8nVersion.ts';
import { copyPreparedData } from './preparedData.ts';

export type TestN8nOptions = {
	/** That of the tests when absent. */
	version?: N8nVersion;
	/** Wins over the playground's own settings. */
	environment?: NodeJS.ProcessEnv;
	hasEditor?: boolean;
	/** The packed release to begin with, in place of the sources. */
	release?: string;
};

export type TestN8n = {
	url: string;
	userFolder: string;
	/** Signed in as the owner. */
	rest: Rest;
	/** The process that runs now: `kill`, `logs`. */
	current(): RunningN8n;
	/** Ends n8n, unless it is dead already, and starts it again with the same data at the same address. */
	restart(changes?: NodeJS.ProcessEnv): Promise<void>;
	/** Ends n8n, and starts it again with the package as the sources have it. `meanwhile` runs while it is down. */
	update(meanwhile?: () => Promise<void>): Promise<void>;
	/** Ends n8n and deletes its data. */
	stop(): Promise<void>;
};

/** Starts a second sooner. What serves the editor serves its lists of node types as well. */
const withoutEditor = { N8N_DISABLE_UI: 'true' };

/** A real n8n with no data but an owner, and this package in it as a community package. */
export const startN8n = async (options: TestN8nOptions = {}): Promise<TestN8n> => {
	const { version = n8nVersion, release, hasEditor = false } = options;
	const environment = { ...(!hasEditor && withoutEditor), ...options.environment };
	const display = createProgressDisplay();
	const installation = await ensureN8n({ version, onProgress: display.show });
	const userFolder = await mkdtemp(join(tmpdir(), 'kudosity-n8n-'));
	await copyPreparedData(installation, userFolder);
	await installPackage({ userFolder, tarball: release });
	let running = await launchN8n({ installation, userFolder, environment });
	const { url, port } = running;
	const rest = createRest(url);
	await rest.login();
	const start = async (changes?: NodeJS.ProcessEnv) => {
		const changed = { ...environment, ...changes };
		running = await launchN8n({ installation, userFolder, environment: changed, port });
	};
	return {
		url,
		userFolder,
		rest,
		current: () => running,
		restart: async (changes) => {
			await running.stop();
			await start(changes);
		},
		update: async (meanwhile) => {
			await running.stop();
			await installPackage({ userFolder });
			await meanwhile?.();
			await start();
		},
		stop: async () => {
			await running.stop();
			await rm(userFolder, { recursive: true, force: true });
		},
	};
};
