/**
 * Lists in n8n's own engine against a service of 15 requests a second: time and requests of Return All. Wants a
 * build. Takes about 10 seconds.
 */
import { defineBench, type Figure } from './figure.ts';
import { runInEngine, withEmulator, type Service } from './setup.ts';

const serviceLimit = 15;
const latencyMs = 200;

const getNumbers = async (service: Service) =>
	await runInEngine(service, { resource: 'number', operation: 'getAll', returnAll: true });

const returnAll = async (service: Service): Promise<Figure> => {
	const { control } = service;
	await control.reset({ requestsPerSecond: serviceLimit });
	// The first run loads the engine.
	await getNumbers(service);
	await control.reset({ requestsPerSecond: serviceLimit, latencyMs, numbersOwned: 2000 });
	const begunMs = performance.now();
	const { json } = await getNumbers(service);
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

export default await defineBench(import.meta.filename, async () => [await withEmulator(returnAll)]);
