import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The largest size of a process so far, in MB. */
export const maxMegabytes = (pid: number | undefined): number => {
	const text = readFileSync(`/proc/${pid}/status`, 'utf8');
	return Math.round(Number(/VmHWM:\s+(\d+)/.exec(text)?.[1]) / 1024);
};

/** What this process holds after garbage collection. */
export const liveBytes = (): number => {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
	return process.memoryUsage().heapUsed;
};
