import { readFileSync } from 'node:fs';
import type { TestN8n } from '../e2e/startN8n.ts';

/** The largest size of the process so far, in MB. */
export const mostMegabytes = (n8n: TestN8n): number => {
	const text = readFileSync(`/proc/${n8n.current().process.pid}/status`, 'utf8');
	return Math.round(Number(/VmHWM:\s+(\d+)/.exec(text)?.[1]) / 1024);
};
