import { join } from 'node:path';
import { cacheFolder } from './cacheFolder.ts';
import { ensureCachedPackage } from './cachedPackage.ts';
import { ensureNode } from './nodeRuntime.ts';
import { assertNodeVersion, assertPlatform } from './preflight.ts';
import { createReporter, type InstallProgress } from './progress.ts';
import { buildSqlite } from './sqliteAddon.ts';
import { n8nPins, type N8nVersion } from './versions.ts';

export type N8nInstallation = {
	version: N8nVersion;
	nodeBinary: string;
	n8nBinary: string;
	folder: string;
};

export type InstallOptions = {
	version: N8nVersion;
	onProgress?: (progress: InstallProgress) => void;
	signal?: AbortSignal;
	cache?: string;
};

/**
 * Installs the pinned n8n, and the Node.js it needs, once per user; afterwards answers at once.
 *
 * @throws PlaygroundError when the machine lacks something; Error with npm's last lines when npm fails.
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
