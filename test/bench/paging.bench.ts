/**
 * Lists in n8n's own engine against a service of 15 requests a second: time and requests of Return All, and
 * the memory it takes; and how long n8n takes to load the package. Wants a build. Takes about 15 seconds.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createControl } from '../../playground/emulator/control.ts';
import { ensureN8n } from '../../playground/n8n/install.ts';
import { emulatorCredentials } from '../../playground/n8n/playgroundCredentials.ts';
import { currentN8n } from '../../playground/n8n/versions.ts';
import { runKudosity } from '../engine/harness.ts';
import { runAlone, type Bench, type Figure } from './figure.ts';

const root = join(import.meta.dirname, '../..');
const serviceLimit = 15;
const latencyMs = 200;

/** In a process of its own, so that its memory is not taken for the node's. */
const startEmulatorProcess = async () => {
	const script = join(root, 'playground/emulator/main.ts');
	const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', script, '0'], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [line] = await once(createInterface({ input: child.stdout! }), 'line');
	const url = /http:\S+/.exec(String(line))?.[0];
	if (!url) throw new Error('The emulator did not say where it is');
	return { url, stop: () => child.kill() };
};

const getNumbers = async (url: string) =>
	await runKudosity({
		parameters: { resource: 'number', operation: 'getAll', returnAll: true },
		credentials: Object.fromEntries(emulatorCredentials(url).map(({ type, data }) => [type, data])),
	});

/** The largest size of live objects while `task` runs, above what was live before. */
const measureMemory = async <Value>(task: () => Promise<Value>) => {
	setFlagsFromString('--expose-gc');
	const collectGarbage: () => void = runInNewContext('gc');
	const liveBytes = () => {
		collectGarbage();
		return process.memoryUsage().heapUsed;
	};
	const before = liveBytes();
	let peak = before;
	const sample = () => (peak = Math.max(peak, liveBytes()));
	const sampling = setInterval(sample, 100);
	const value = await task();
	clearInterval(sampling);
	sample();
	return { value, grownBytes: peak - before };
};

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

const memory = async (url: string): Promise<Figure> => {
	const control = createControl(url);
	await control.reset({ requestsPerSecond: serviceLimit, numbersOwned: 10_000 });
	const { value, grownBytes } = await measureMemory(async () => await getNumbers(url));
	const jsonBytes = JSON.stringify(value.items).length;
	const factor = grownBytes / jsonBytes;
	const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
	return {
		what: 'Memory for 10,000 numbers',
		by: 'Kudosity node',
		results: { grown: megabytes(grownBytes), output: megabytes(jsonBytes) },
		bound: {
			text: 'at most three times the JSON of the output',
			isKept: value.items.length === 10_000 && factor <= 3,
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
		return [await returnAll(emulator.url), await memory(emulator.url), await loading()];
	} finally {
		emulator.stop();
	}
};

export default bench;

if (process.argv[1] === import.meta.filename) await runAlone(bench);
