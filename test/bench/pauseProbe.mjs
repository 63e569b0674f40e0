/**
 * Preloaded into n8n: notes how long its only thread was busy at a time, and how much it held; with
 * KUDOSITY_PROBE_LIVE less often, but without what is garbage already. On SIGUSR2 it writes what it has noted to
 * KUDOSITY_PROBE_FILE.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const { KUDOSITY_PROBE_FILE: file, KUDOSITY_PROBE_LIVE: live } = process.env;
const beatMs = live ? 500 : 10;

const collectGarbage = () => {
	setFlagsFromString('--expose-gc');
	return runInNewContext('gc');
};

if (file) {
	const beats = [];
	const tidy = live ? collectGarbage() : () => {};
	let lastMs = Date.now();
	setInterval(() => {
		const nowMs = Date.now();
		tidy();
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
