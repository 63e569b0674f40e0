import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The per-user folder that `npm start`, the tests and CI share, so that n8n is installed once per machine. */
export const cacheFolder = (environment: NodeJS.ProcessEnv = process.env): string =>
	join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-kudosity-messaging');

/** Names a cached installation after its pins: other pins, another folder. */
export const installationName = (label: string, manifest: object): string => {
	const fingerprint = createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
	return `${label}-${fingerprint.slice(0, 8)}`;
};
