import { readFileSync } from 'node:fs';

/** The largest size of a process so far, in MB. */
export const mostMegabytes = (pid: number | undefined): number => {
	const text = readFileSync(`/proc/${pid}/status`, 'utf8');
	return Math.round(Number(/VmHWM:\s+(\d+)/.exec(text)?.[1]) / 1024);
};
