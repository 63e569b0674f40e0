import { join } from 'node:path';
import { ensureCachedPackage, type InstallContext } from './cachedPackage.ts';
import { PlaygroundError } from './preflight.ts';
import { n8nNodeMajor, nodePackageMegabytes, nodePackages } from './versions.ts';

/** The machine's own Node.js where it is the one n8n needs, otherwise a cached one from npm. */
export const ensureNode = async (context: InstallContext): Promise<string> => {
	if (process.versions.node.startsWith(`${n8nNodeMajor}.`)) return process.execPath;
	const platform = `${process.platform}-${process.arch}`;
	const pin = nodePackages[platform];
	if (pin === undefined) {
		throw new PlaygroundError(
			`n8n needs Node.js ${n8nNodeMajor}, and no download is known for ${platform}. ` +
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
