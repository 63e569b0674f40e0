/**
 * The memory that Return All of 10,000 records takes, in n8n's own engine: live objects while it runs, beside
 * those of its output. Wants a build. Takes about 30 seconds.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createControl } from '../../playground/emulator/control.ts';
import type { Settings } from '../../playground/emulator/settings.ts';
import { emulatorCredentials } from '../../playground/n8n/playgroundCredentials.ts';
import { runKudosity } from '../engine/harness.ts';
import { startEmulatorProcess } from './emulatorProcess.ts';
import { runAlone, type Bench, type Figure } from './figure.ts';

const records = 10_000;
const mostTimes = 3;
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Live objects above what was live before: the most while `task` runs, and what its value holds afterwards. */
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
	return { value, peakBytes: peak - before };
};

type Read = { what: string; settings: Partial<Settings>; parameters: Record<string, unknown> };

const reads: Read[] = [
	{
		what: '10,000 numbers',
		settings: { numbersOwned: records },
		parameters: { resource: 'number', operation: 'getAll', filter: 'owned' },
	},
	{
		what: '10,000 contacts',
		settings: { listMembers: records },
		parameters: {
			resource: 'list',
			operation: 'getContacts',
			listId: '4100001',
			filters: { status: 'active' },
		},
	},
];

const measure = async (url: string, { what, settings, parameters }: Read): Promise<Figure> => {
	const run = async () => {
		const credentials = emulatorCredentials(url).map(({ type, data }) => [type, data]);
		const { items } = await runKudosity({
			parameters: { ...parameters, returnAll: true },
			credentials: Object.fromEntries(credentials),
		});
		return items;
	};
	const control = createControl(url);
	// The first run loads the engine.
	await control.reset({ requestsPerSecond: 0 });
	await run();
	await control.reset({ requestsPerSecond: 15, ...settings });
	const { value, peakBytes } = await measureMemory(run);
	// The same output once more, as an object of its own.
	const copy = await measureMemory(async () => structuredClone(value));
	const times = peakBytes / copy.peakBytes;
	return {
		what: `Memory for Return All of ${what}`,
		by: 'Kudosity node',
		results: {
			most: megabytes(peakBytes),
			output: megabytes(copy.peakBytes),
			'output as JSON': megabytes(JSON.stringify(value).length),
			times: times.toFixed(1),
		},
		bound: {
			text: `at most ${mostTimes} times the output in memory`,
			isKept: value.length === records && times <= mostTimes,
		},
	};
};

const bench: Bench = async () => {
	const emulator = await startEmulatorProcess();
	try {
		const figures: Figure[] = [];
		for (const read of reads) figures.push(await measure(emulator.url, read));
		return figures;
	} finally {
		emulator.stop();
	}
};

export default bench;

if (process.argv[1] === import.meta.filename) await runAlone(bench);
