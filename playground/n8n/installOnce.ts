import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { acquireLock } from './lock.ts';

const marker = '.complete';

export const isInstalled = (folder: string): boolean => existsSync(join(folder, marker));

type InstallOnce = {
	folder: string;
	/** Fills the staging folder; called again on the same folder after a try that failed. */
	fill: (staging: string) => Promise<void>;
	onWait: () => void;
	signal?: AbortSignal;
};

/**
 * Makes `folder` exist completely or not at all: filled under another name, renamed at the end,
 * by one process at a time.
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
