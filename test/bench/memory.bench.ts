/**
 * The memory that Return All of 10,000 records takes, in n8n's own engine: live objects while it runs, beside
 * those of its output. Wants a build. Takes about 30 seconds.
 */
import type { Settings } from '../../playground/emulator/settings.ts';
import type { RunOptions } from '../engine/harness.ts';
import { defineBench, measureEach, type Figure } from './figure.ts';
import { liveBytes } from './memoryUse.ts';
import { runInEngine, withEmulator, type Service } from './setup.ts';

const records = 10_000;
const maxTimes = 3;
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Live objects above what was live before: the most while `task` runs, and what its value holds afterwards. */
const measureMemory = async <Value>(task: () => Promise<Value>) => {
	const before = liveBytes();
	let peak = before;
	const sample = () => (peak = Math.max(peak, liveBytes()));
	const sampling = setInterval(sample, 100);
	const value = await task();
	clearInterval(sampling);
	sample();
	return { value, peakBytes: peak - before };
};

type Read = {
	what: string;
	settings: Partial<Settings>;
	parameters: RunOptions['parameters'];
};

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

const measure = async (service: Service, { what, settings, parameters }: Read): Promise<Figure> => {
	const { control } = service;
	const run = async () => (await runInEngine(service, { ...parameters, returnAll: true })).items;
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
			text: `at most ${maxTimes} times the output in memory`,
			isKept: value.length === records && times <= maxTimes,
		},
	};
};

export default await defineBench(
	import.meta.filename,
	async () =>
		await withEmulator(
			async (service) => await measureEach(reads, async (read) => await measure(service, read)),
		),
);
