/**
 * What the trigger does with a delivery after n8n has read its JSON and before it starts the workflow, in this
 * process on one core: token, parse, simplify; for an MMS its files as well. Takes half a minute.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { changed, sampleEvent } from '../fixtures/events/index.ts';
import { runAlone, type Bench, type Figure } from './figure.ts';
import type * as Receiving from './receive.ts';

const mostEventUs = 50;
const mostMmsMs = 5;
const mostMmsJsonBytes = 2_000;

/** As `npm run build` translates it: what tsx makes of it takes half as long again. */
const load = async (): Promise<typeof Receiving> => {
	const folder = await mkdtemp(join(tmpdir(), 'kudosity-bench-'));
	try {
		const file = join(folder, 'receive.mjs');
		const input = join(import.meta.dirname, 'receive.ts');
		await build({ input, platform: 'node', transform: { target: 'es2022' }, output: { file } });
		return (await import(pathToFileURL(file).href)) as typeof Receiving;
	} finally {
		await rm(folder, { recursive: true });
	}
};

const { receive } = await load();

const quantile = (sorted: number[], share: number): number =>
	sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Time on the processor in microseconds: other programs on the machine do not count. */
const processorTimeUs = (): number => {
	const { user, system } = process.cpuUsage();
	return user + system;
};

const rounds = 60;

type Percentiles = { median: number; p99: number };

const measureRound = async (body: unknown, times: number): Promise<Percentiles> => {
	const durationsUs: number[] = [];
	for (let time = 0; time < times; time++) {
		const startUs = processorTimeUs();
		await receive(body);
		durationsUs.push(processorTimeUs() - startUs);
	}
	durationsUs.sort((a, b) => a - b);
	return { median: quantile(durationsUs, 0.5), p99: quantile(durationsUs, 0.99) };
};

/** The quietest and the middle one of several rounds of `times` runs, after one to warm up. */
const measure = async (text: string, times: number) => {
	const body: unknown = JSON.parse(text);
	await measureRound(body, times);
	const measured: Percentiles[] = [];
	for (let round = 0; round < rounds; round++) measured.push(await measureRound(body, times));
	measured.sort((a, b) => a.p99 - b.p99);
	return { quietest: measured[0]!, middle: measured[rounds / 2]! };
};

const microseconds = (value: number): string => `${value.toFixed(1)} µs`;

/** An SMS reply as the service sends it, 1,000 bytes long. */
const smsText = (): string => {
	const event = sampleEvent('smsInbound');
	const missing = 1000 - JSON.stringify(event).length;
	return JSON.stringify(changed(event, 'mo.message', `YES ${'x'.repeat(missing)}`));
};

const pictureBytes = 300_000;

const mmsText = (): string => {
	const head = Buffer.of(0xff, 0xd8, 0xff, 0xe0);
	const content = Buffer.concat([head, Buffer.alloc(pictureBytes - 4, 0x5a)]).toString('base64');
	return JSON.stringify(
		changed(sampleEvent('mmsInbound'), 'mo.media', [{ name: 'photo.jpg', content }]),
	);
};

/**
 * The bound is for the quietest round: what other machines on the same processor add is no time of ours, and is
 * more than ours. The collector of garbage comes less often than once in a hundred events.
 */
const eventFigure = async (): Promise<Figure> => {
	const { quietest, middle } = await measure(smsText(), 5_000);
	return {
		what: 'token, parse and simplify of a 1 kB event',
		by: 'this package',
		results: {
			median: microseconds(quietest.median),
			p99: microseconds(quietest.p99),
			'p99 of the middle round': microseconds(middle.p99),
		},
		bound: {
			text: `p99 of the quietest of ${rounds} rounds at most ${mostEventUs} µs`,
			isKept: quietest.p99 <= mostEventUs,
		},
	};
};

/** The bound is for the middle round: when the collector of garbage comes, once in a hundred times, is chance. */
const mmsFigure = async (): Promise<Figure> => {
	const text = mmsText();
	const { median, p99 } = (await measure(text, 500)).middle;
	const jsonBytes = Buffer.byteLength(JSON.stringify(await receive(JSON.parse(text))));
	return {
		what: 'an MMS with a picture of 300 kB',
		by: 'this package',
		results: {
			median: microseconds(median),
			p99: microseconds(p99),
			json: `${jsonBytes} bytes`,
		},
		bound: {
			text: `p99 of the middle round at most ${mostMmsMs} ms, JSON at most ${mostMmsJsonBytes} bytes`,
			isKept: p99 <= mostMmsMs * 1000 && jsonBytes <= mostMmsJsonBytes,
		},
	};
};

const bench: Bench = async () => [await eventFigure(), await mmsFigure()];

export default bench;

if (process.argv[1] === import.meta.filename) await runAlone(bench);
