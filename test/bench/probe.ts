import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from '../../playground/n8n/until.ts';
import type { TestN8n } from '../e2e/startN8n.ts';

/** A script that is preloaded into n8n, and answers SIGUSR2 by writing what it has noted. */
export const createProbe = async (script: string) => {
	const folder = await mkdtemp(join(tmpdir(), 'kudosity-probe-'));
	const file = join(folder, 'noted.json');
	const preloaded = pathToFileURL(join(import.meta.dirname, script)).href;
	return {
		environment: { NODE_OPTIONS: `--import ${preloaded}`, KUDOSITY_PROBE_FILE: file },
		read: async <Noted>({ current }: TestN8n): Promise<Noted> => {
			await rm(file, { force: true });
			process.kill(current().process.pid!, 'SIGUSR2');
			await until({ what: 'the probe', timeoutMs: 60_000 }, () => existsSync(file) || undefined);
			return JSON.parse(await readFile(file, 'utf8')) as Noted;
		},
		remove: async () => await rm(folder, { recursive: true, force: true }),
	};
};
