/**
 * Lists in n8n's own engine against a service of 15 requests a second: time and requests of Return All; and how
 * long n8n takes to load the package. Wants a build. Takes about 10 seconds.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { createControl } from '../../playground/emulator/control.ts';
import { ensureN8n } from '../../playground/n8n/install.ts';
import { emulatorCredentials } from '../../playground/n8n/playgroundCredentials.ts';
import { currentN8n } from '../../playground/n8n/versions.ts';
import { runKudosity } from '../engine/harness.ts';
import { startEmulatorProcess } from './emulatorProcess.ts';
import { runAlone, type Bench, type Figure } from './figure.ts';

const root = join(import.meta.dirname, '../..');
const serviceLimit = 15;
const latencyMs = 200;

const getNumbers = async (url: string) =>
	await runKudosity({
		parameters: { resource: 'number', operation: 'getAll', returnAll: true },
		credentials: Object.fromEntries(emulatorCredentials(url).map(({ type, data }) => [type, data])),
	});

const returnAll = async (url: string): Promise<Figure> => {
	const control = createControl(url);
	await control.reset({ requestsPerSecond: serviceLimit });
	// The first run loads the engine.
	await getNumbers(url);
	await control.reset({ requestsPerSecond: serviceLimit, latencyMs, numbersOwned: 2000 });
	const begunMs = performance.now();
	const { json } = await getNumbers(url);
	const seconds = (performance.now() - begunMs) / 1000;
	const requests = (await control.requests()).length;
	const records = new Set(json.map(({ number }) => number)).size;
	return {
		what: `Return All of 2,000 numbers at ${latencyMs} ms latency`,
		by: 'Kudosity node',
		results: { seconds: seconds.toFixed(2), requests: String(requests), records: String(records) },
		bound: {
			text: 'all of them with 20 requests, at most 2.0 s',
			isKept: records === 2000 && requests === 20 && seconds <= 2,
		},
	};
};

/** What n8n has loaded and used already does not count: its own library, zod, and the rules of sorting text. */
const loadScript = `
	require('n8n-workflow');
	const { z } = require('zod/v4');
	z.looseObject({ text: z.string().optional() }).safeParse({});
	'a'.localeCompare('b');
	const begunMs = performance.now();
	const { n8n } = require('./package.json');
	for (const file of [...n8n.credentials, ...n8n.nodes]) {
		const [Type] = Object.values(require('./' + file));
		new Type();
	}
	console.log(performance.now() - begunMs);
`;

/** With the Node.js that n8n runs on. */
const loading = async (): Promise<Figure> => {
	const { nodeBinary } = await ensureN8n({ version: currentN8n });
	const load = () => Number(execFileSync(nodeBinary, ['-e', loadScript], { cwd: root }));
	// Whatever else the machine does makes a run longer, never shorter.
	const bestMs = Math.min(...Array.from({ length: 25 }, load));
	return {
		what: 'Loading the package beyond zod',
		by: 'this package',
		results: { milliseconds: bestMs.toFixed(1) },
		bound: { text: 'less than 20 ms', isKept: bestMs < 20 },
	};
};

const bench: Bench = async () => {
	const emulator = await startEmulatorProcess();
	try {
		return [await returnAll(emulator.url), await loading()];
	} finally {
		emulator.stop();
	}
};

export default bench;

if (process.argv[1] === import.meta.filename) await runAlone(bench);
