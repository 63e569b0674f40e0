import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod/v4';
import { until } from '../../playground/n8n/until.ts';

const probeTimeoutMs = 60_000;

/** Lets the process that has it answer `probeMemory`. */
export const probeEnvironment = (probeFile: string) => ({
	NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'memoryProbe.mjs')).href}`,
	KUDOSITY_PROBE_FILE: probeFile,
});

const memorySchema = z.object({
	heapUsed: z.number(),
	external: z.number(),
	rss: z.number(),
	/** What keeps the process busy or awake, e.g. `Timeout`, `TCPSocketWrap`. */
	resources: z.record(z.string(), z.number()),
	/** Of the process object itself. */
	listeners: z.number(),
});
export type Memory = z.infer<typeof memorySchema>;

/** What a process holds once its garbage is collected; sizes in bytes. */
export const probeMemory = async (pid: number, probeFile: string): Promise<Memory> => {
	await rm(probeFile, { force: true });
	process.kill(pid, 'SIGUSR2');
	await until({ what: 'the memory probe', timeoutMs: probeTimeoutMs }, () =>
		existsSync(probeFile) ? true : undefined,
	);
	return memorySchema.parse(JSON.parse(await readFile(probeFile, 'utf8')));
};

export const median = (values: number[]): number =>
	[...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? NaN;

/** The middle of what was measured in each third of the time: the first one is the warm-up. */
export const thirdsOf = (values: number[]): [number, number, number] => {
	const third = Math.ceil(values.length / 3);
	const part = (index: number) => median(values.slice(index * third, (index + 1) * third));
	return [part(0), part(1), part(2)];
};
