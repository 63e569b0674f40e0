/**
 * Thousands of items in a real n8n against a service that takes everything: how long n8n's only thread is busy
 * at a time, how long the node takes and, in a run of its own, what memory its live objects need, beside the HTTP
 * Request node on the same items. Takes 5 to 10 minutes; `--rounds 1` makes it shorter.
 */
import { parseArgs } from 'node:util';
import { createControl, type Control } from '../../playground/emulator/control/client.ts';
import { until } from '../../playground/n8n/until.ts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { startN8n, type TestN8n } from '../e2e/startN8n.ts';
import { manualTrigger, workflow } from '../e2e/workflow.ts';
import { median } from '../soak/memory.ts';
import { startEmulatorProcess } from './emulatorProcess.ts';
import { defineBench, type Figure } from './figure.ts';
import { createProbe } from './probe.ts';
import { createCredentials, httpRequest, kudosity, phones, smsRequest } from './setup.ts';

const { values: flags } = parseArgs({ options: { rounds: { type: 'string' } }, strict: false });
const sizes = [1000, 10_000];
/** The more items, the longer a round takes, and the further apart the two nodes are. */
const roundsOf = (count: number) => Number(flags.rounds ?? (count === 1000 ? 3 : 1));
/** Only for a run that hangs: how long one takes is what is measured. */
const longestRunMs = 900_000;
const maxLongerMs = 100;
/** Fewer say nothing about the memory, and keep no bound. */
const minBeats = 3;

const sms = { message: 'Your order is ready', sender: '61491570006' };
const name = 'Sender';

const ours = {
	resource: 'sms',
	operation: 'send',
	...sms,
	recipient: '={{ $json.phone }}',
	output: 'raw',
	options: { requestsPerSecond: 1000 },
};

const sendersOf = async ({ rest }: TestN8n, url: string): Promise<WorkflowNode[]> => {
	const { kudosityKeyApi } = await createCredentials(rest, url);
	const credentials = { kudosityKeyApi };
	const theirs = {
		...smsRequest(url, sms),
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'kudosityKeyApi',
		options: {},
	};
	return [kudosity(ours, { name, credentials }), httpRequest(theirs, { name, credentials })];
};

type Beat = { atMs: number; pauseMs: number; heap: number };
type Measured = { maxTotalMs: number; seconds: number; megabytes: number; accepted: number };
type Setting = { n8n: TestN8n; control: Control; readBeats: () => Promise<Beat[]> };

/** A busy n8n drops connections that stood idle, which the next call would find out. */
const untilCalm = async ({ n8n }: Setting): Promise<void> => {
	await until({ what: 'n8n to be calm', timeoutMs: 60_000 }, async () => {
		const connected = n8n.rest.listExecutions({ workflowId: 'none' });
		return await connected.then(
			() => true,
			() => undefined,
		);
	});
};

const measure = async (
	setting: Setting,
	sending: WorkflowNode,
	count: number,
): Promise<Measured> => {
	const { n8n, control, readBeats } = setting;
	const { rest } = n8n;
	const items = phones(count);
	await control.reset({ requestsPerSecond: 0, balance: 1_000_000, autoStatus: false });
	const { id } = await rest.createWorkflow(workflow({ nodes: [manualTrigger(), sending], items }));
	await readBeats();
	await rest.runWorkflow(id);
	// Not by reading its data again and again: that keeps n8n busy, too.
	const execution = await until({ what: 'the run', timeoutMs: longestRunMs }, async () => {
		const [first] = await rest.listExecutions({ workflowId: id }).catch(() => []);
		return first && first.status !== 'running' && first.status !== 'new' ? first : undefined;
	});
	const beats = await readBeats();
	await untilCalm(setting);
	const { nodes } = await rest.readExecution(execution.id);
	const { startedAtMs = 0, tookMs = 0 } = nodes[sending.name] ?? {};
	const during = beats.filter(
		({ atMs, pauseMs }) => atMs >= startedAtMs && atMs - pauseMs <= startedAtMs + tookMs,
	);
	const before = beats.findLast(({ atMs }) => atMs < startedAtMs);
	const heaps = during.map(({ heap }) => heap);
	return {
		maxTotalMs: Math.max(...during.map(({ pauseMs }) => pauseMs)),
		seconds: tookMs / 1000,
		megabytes:
			before && heaps.length >= minBeats ? (Math.max(...heaps) - before.heap) / 1_000_000 : NaN,
		accepted: nodes[sending.name]?.items.filter(({ json }) => 'id' in json).length ?? 0,
	};
};

/** The median of each figure; memory is of the run that measured it. */
const middleOf = (timed: Measured[], { megabytes }: Measured): Measured => ({
	maxTotalMs: median(timed.map(({ maxTotalMs }) => maxTotalMs)),
	seconds: median(timed.map(({ seconds }) => seconds)),
	megabytes,
	accepted: Math.min(...timed.map(({ accepted }) => accepted)),
});

const resultsOf = ({ maxTotalMs, seconds, megabytes, accepted }: Measured) => ({
	'longest pause': `${maxTotalMs.toFixed(0)} ms`,
	seconds: seconds.toFixed(1),
	memory: `${megabytes.toFixed(0)} MB`,
	accepted: accepted.toLocaleString('en'),
});

type Sizes = Map<number, Measured[][]>;

/** By number of items, the rounds of either node, in a fresh n8n. */
const runAll = async (
	roundsOf: (count: number) => number,
	options: NodeJS.ProcessEnv,
): Promise<Sizes> => {
	const probe = await createProbe('pauseProbe.mjs');
	const emulator = await startEmulatorProcess();
	const starting = startN8n({ environment: { ...probe.environment, ...options } });
	try {
		const n8n = await starting;
		const readBeats = async () => await probe.read<Beat[]>(n8n);
		const setting = { n8n, control: createControl(emulator.url), readBeats };
		const nodes = await sendersOf(n8n, emulator.url);
		// The first run of each loads code, and does not count.
		for (const each of nodes) await measure(setting, each, 100);
		const all: Sizes = new Map();
		for (const count of sizes) {
			const runs: Measured[][] = nodes.map(() => []);
			all.set(count, runs);
			for (let round = 0; round < roundsOf(count); round++) {
				// In turns first: n8n slows down as its database grows.
				const inTurns = [...nodes.entries()];
				if (round % 2 === 1) inTurns.reverse();
				for (const [index, each] of inTurns) {
					const measured = await measure(setting, each, count);
					runs[index]!.push(measured);
					console.error(`${count} ${each.type}: ${JSON.stringify(measured)}`);
				}
			}
		}
		return all;
	} finally {
		await starting.then(async (n8n) => await n8n.stop()).catch(() => undefined);
		emulator.stop();
		await probe.remove();
	}
};

const figuresOf = (count: number, timed: Measured[][], weighed: Measured[][]): Figure[] => {
	const [own, theirs] = timed.map((runs, index) => middleOf(runs, weighed[index]![0]!)) as [
		Measured,
		Measured,
	];
	const isKept =
		own.accepted === count &&
		own.maxTotalMs <= theirs.maxTotalMs + maxLongerMs &&
		own.seconds <= theirs.seconds &&
		own.megabytes <= theirs.megabytes;
	const what = `${count.toLocaleString('en')} items, no limit at the service`;
	const text = `pause at most ${maxLongerMs} ms longer, time and memory no more than HTTP Request`;
	return [
		{ what, by: 'Kudosity node', results: resultsOf(own), bound: { text, isKept } },
		{ what, by: 'HTTP Request', results: resultsOf(theirs) },
	];
};

export default await defineBench(import.meta.filename, async () => {
	const timed = await runAll(roundsOf, {});
	const weighed = await runAll(() => 1, { KUDOSITY_PROBE_LIVE: 'true' });
	return sizes.flatMap((count) => figuresOf(count, timed.get(count)!, weighed.get(count)!));
});
