import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for another process that saw the same stale lock to write its own. */
const settleMs = 250;
const waitMs = 1_000;
const foreignLockMs = 60 * 60 * 1_000;

type LockOptions = { onWait: () => void; signal?: AbortSignal };

const isRunning = (pid: number): boolean => {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
};

const readOwner = async (path: string): Promise<string> =>
	await readFile(path, 'utf8').catch(() => '');

/** A lock whose process is gone. Processes on other machines are invisible, so their locks expire by age. */
const isStale = async (path: string): Promise<boolean> => {
	const [host, pid] = (await readOwner(path)).split(' ');
	if (host === hostname()) return !isRunning(Number(pid));
	const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
	return Date.now() - mtimeMs > foreignLockMs;
};

const tryCreate = async (path: string, owner: string): Promise<boolean> => {
	try {
		await writeFile(path, owner, { flag: 'wx' });
		return true;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
		throw error;
	}
};

/**
 * Waits until this process owns the lock file. Takes over locks left by killed processes.
 *
 * @returns a function that releases the lock.
 */
export const acquireLock = async (
	path: string,
	{ onWait, signal }: LockOptions,
): Promise<() => Promise<void>> => {
	const owner = `${hostname()} ${process.pid} ${Date.now()}`;
	for (;;) {
		if (await tryCreate(path, owner)) {
			await sleep(settleMs, undefined, { signal });
			if ((await readOwner(path)) === owner) return async () => await rm(path, { force: true });
		} else if (await isStale(path)) {
			await rm(path, { force: true });
		} else {
			onWait();
			await sleep(waitMs, undefined, { signal });
		}
	}
};
