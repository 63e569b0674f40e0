/**
 * Preloaded into n8n: notes how long its only thread was busy at a time, and how much it held. On SIGUSR2 it
 * writes what it has noted to KUDOSITY_PROBE_FILE.
 */
import { renameSync, writeFileSync } from 'node:fs';

const file = process.env.KUDOSITY_PROBE_FILE;
const beatMs = 10;

if (file) {
	const beats = [];
	let lastMs = Date.now();
	setInterval(() => {
		const nowMs = Date.now();
		beats.push({
			atMs: nowMs,
			pauseMs: nowMs - lastMs - beatMs,
			heap: process.memoryUsage().heapUsed,
		});
		lastMs = nowMs;
	}, beatMs).unref();
	process.on('SIGUSR2', () => {
		writeFileSync(`${file}.new`, JSON.stringify(beats.splice(0)));
		renameSync(`${file}.new`, file);
	});
}
