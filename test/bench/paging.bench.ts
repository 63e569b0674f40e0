/**
 * Lists in n8n's own engine against a service of 15 requests a second: time and requests of Return All. Wants a
 * build. Takes about 10 seconds.
 */
import { createControl } from '../../playground/emulator/control.ts';
import { emulatorCredentials } from '../../playground/n8n/playgroundCredentials.ts';
import { runKudosity } from '../engine/harness.ts';
import { startEmulatorProcess } from './emulatorProcess.ts';
import { runAlone, type Bench, type Figure } from './figure.ts';

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

const bench: Bench = async () => {
	const emulator = await startEmulatorProcess();
	try {
		return [await returnAll(emulator.url)];
	} finally {
		emulator.stop();
	}
};

export default bench;

if (process.argv[1] === import.meta.filename) await runAlone(bench);
