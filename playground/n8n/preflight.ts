import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

const minimumNode = { major: 20, minor: 19 };
const supportedPlatforms: readonly NodeJS.Platform[] = ['linux', 'darwin'];

/** An error that the user can fix, shown without a stack trace. */
export class PlaygroundError extends Error {
	override name = 'PlaygroundError';
}

/** @throws PlaygroundError when this Node.js is older than the project's tools need. */
export const assertNodeVersion = (version: string): void => {
	const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
	if (major > minimumNode.major || (major === minimumNode.major && minor >= minimumNode.minor)) {
		return;
	}
	throw new PlaygroundError(
		`Node.js ${minimumNode.major}.${minimumNode.minor} or newer is required, but this is ${version}. ` +
			'Install a current version from https://nodejs.org and start again.',
	);
};

/** @throws PlaygroundError on a platform that the process handling does not support. */
export const assertPlatform = (platform: NodeJS.Platform): void => {
	if (supportedPlatforms.includes(platform)) return;
	throw new PlaygroundError(
		`The playground runs on Linux and macOS, not on ${platform}. On Windows, run it in WSL.`,
	);
};

type DiskSpace = { folder: string; requiredMegabytes: number; freeMegabytes: number };

/** @throws PlaygroundError with the required and the free space, and how to choose another disk. */
export const assertDiskSpace = ({ folder, requiredMegabytes, freeMegabytes }: DiskSpace): void => {
	if (freeMegabytes >= requiredMegabytes) return;
	throw new PlaygroundError(
		`${requiredMegabytes} MB of disk space are required in ${folder}, but only ${freeMegabytes} MB are free. ` +
			'Free up space, or set XDG_CACHE_HOME to a folder on a larger disk.',
	);
};

/** Free space in MB on the disk of the folder, or of its nearest existing parent. */
export const freeMegabytes = async (folder: string): Promise<number> => {
	try {
		const { bavail, bsize } = await statfs(folder);
		return Math.floor((bavail * bsize) / 1_000_000);
	} catch (error) {
		if (dirname(folder) === folder) throw error;
		return await freeMegabytes(dirname(folder));
	}
};
