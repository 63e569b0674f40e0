/**
 * What the trigger does with a delivery after n8n has read its JSON and before it starts the workflow, in this
 * process on one core: token, parse, simplify; for an MMS its files as well. Wants a build. Takes 10 seconds.
 */
import { changed, sampleEvent } from '../fixtures/events/index.ts';
import { defineBench, type Figure } from './figure.ts';
import { receive } from './receive.ts';

const maxEventUs = 50;
const maxMmsMs = 5;
const maxMmsJsonBytes = 2_000;

const quantile = (sorted: number[], share: number): number =>
	sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Microseconds; only their differences mean something. */
type Clock = () => number;

/** Processor time, for what takes milliseconds: of all threads, garbage collection's included. */
const processorTime: Clock = () => {
	const { user, system } = process.cpuUsage();
	return user + system;
};

/**
 * Wall clock, for what takes microseconds; counts other programs too. Reading the processor time is a system call,
 * which slows down what follows by up to half.
 */
const wallClock: Clock = () => performance.now() * 1_000;

const rounds = 5;

const sum = (times: number): number => {
	let total = 0;
	for (let time = 0; time < times; time++) total += time & 3;
	return total;
};

/** Work of about so many microseconds that makes no garbage: when it takes longer, that is the machine's doing. */
const workOf = (us: number): (() => number) => {
	const times = 100_000;
	const tookUs = Array.from({ length: 20 }, () => {
		const startUs = wallClock();
		sum(times);
		return wallClock() - startUs;
	});
	return () => sum(Math.round((times * us) / Math.min(...tookUs)));
};

const distribution = (durationsUs: number[]) => {
	const sorted = durationsUs.toSorted((a, b) => a - b);
	return { median: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
};

type How = { times: number; clock: Clock; besideWork?: boolean };

/**
 * Median and p99 of `times` runs, after as many to warm up. `machine` is what work of the same length, in turns with
 * them, has at p99 on top of its median: other programs, and the system's own.
 */
const measureOnce = async (text: string, { times, clock, besideWork }: How) => {
	const body: unknown = JSON.parse(text);
	const timed = async (task: () => unknown) => {
		const startUs = clock();
		await task();
		return clock() - startUs;
	};
	const [warmUp, durationsUs, workedUs]: number[][] = [[], [], []];
	const event = async () => await receive(body);
	for (let time = 0; time < times; time++) warmUp!.push(await timed(event));
	const work = workOf(distribution(warmUp!).median);
	for (let time = 0; time < times; time++) {
		durationsUs!.push(await timed(event));
		if (besideWork) workedUs!.push(await timed(work));
	}
	const worked = distribution(workedUs!);
	return { ...distribution(durationsUs!), machine: worked.p99 - worked.median };
};

type Measured = Awaited<ReturnType<typeof measureOnce>>;

/** The middle one of several rounds: when the garbage collector comes is chance. */
const measure = async (text: string, how: How): Promise<Measured> => {
	const measured: Measured[] = [];
	for (let round = 0; round < rounds; round++) measured.push(await measureOnce(text, how));
	return measured.toSorted((a, b) => a.p99 - b.p99)[Math.floor(rounds / 2)]!;
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

const eventFigure = async (): Promise<Figure> => {
	const how = { times: 20_000, clock: wallClock, besideWork: true };
	const { median, p99, machine } = await measure(smsText(), how);
	return {
		what: 'token, parse and simplify of a 1 kB event',
		by: 'this package',
		results: {
			median: microseconds(median),
			p99: microseconds(p99),
			'of it the machine’s': microseconds(machine),
		},
		bound: {
			text: `p99 without the machine’s at most ${maxEventUs} µs`,
			isKept: p99 - machine <= maxEventUs,
		},
	};
};

const mmsFigure = async (): Promise<Figure> => {
	const text = mmsText();
	const { median, p99 } = await measure(text, { times: 1_000, clock: processorTime });
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
			text: `p99 at most ${maxMmsMs} ms, JSON at most ${maxMmsJsonBytes} bytes`,
			isKept: p99 <= maxMmsMs * 1000 && jsonBytes <= maxMmsJsonBytes,
		},
	};
};

export default await defineBench(import.meta.filename, async () => [
	await eventFigure(),
	await mmsFigure(),
]);
