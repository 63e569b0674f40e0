/**
 * Preloaded into n8n: on SIGUSR2 it collects garbage and writes what is left to KUDOSITY_PROBE_FILE, so that a
 * test sees what a process keeps, and not what it has not thrown away yet.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const file = process.env.KUDOSITY_PROBE_FILE;

const countOf = (names) =>
	names.reduce((counts, name) => ({ ...counts, [name]: (counts[name] ?? 0) + 1 }), {});

const probe = (collect) => {
	collect();
	collect();
	const { heapUsed, external, rss } = process.memoryUsage();
	const resources = countOf(process.getActiveResourcesInfo());
	const listeners = process
		.eventNames()
		.reduce((sum, name) => sum + process.listenerCount(name), 0);
	writeFileSync(`${file}.new`, JSON.stringify({ heapUsed, external, rss, resources, listeners }));
	renameSync(`${file}.new`, file);
};

if (file) {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc');
	process.on('SIGUSR2', () => probe(collect));
}
