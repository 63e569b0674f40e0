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
	const note = (atMs, pauseMs) => {
		tidy();
		beats.push({ atMs, pauseMs, heap: process.memoryUsage().heapUsed });
	};
	const beatIn = (waitMs) => {
		const setMs = Date.now();
		setTimeout(() => {
			const atMs = Date.now();
			note(atMs, atMs - setMs - waitMs);
			// Collecting takes a quarter of the time at most: with much in memory, the run would not get on.
			beatIn(Math.max(beatMs, 3 * (Date.now() - atMs)));
		}, waitMs).unref();
	};
	beatIn(beatMs);
	process.on('SIGUSR2', () => {
		writeFileSync(`${file}.new`, JSON.stringify(beats.splice(0)));
		renameSync(`${file}.new`, file);
		// What is there before the next run.
		note(Date.now(), 0);
	});
}
