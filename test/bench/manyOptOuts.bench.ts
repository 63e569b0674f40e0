/**
 * A campaign to 10,000 contacts in a real n8n, as a dry run: how long the send takes with and without 50,000 opt-outs,
 * and what memory n8n takes, also if it may not have more; then lists of 200,000 and 400,000 opt-outs. Takes about a quarter of an hour.
 */
import { readFile } from 'node:fs/promises';
import { until } from '../../playground/n8n/until.ts';
import { makeFiveNodes } from '../e2e/fiveNodes.ts';
import { startPlayground } from '../e2e/harness.ts';
import type { TestN8n } from '../e2e/startN8n.ts';
import { defineBench, type Figure } from './figure.ts';

const longestRunMs = 1_200_000;
const maxTimes = 1.2;

/** Node.js takes more memory where there is more: this is enough, and n8n then stays below one gigabyte. */
const heapMegabytes = 700;
const maxMegabytes = 1_024;

const phones = (from: number, count: number): string[] =>
	Array.from({ length: count }, (_, index) => String(from + index));

/** The most memory that the process has ever had. */
async function peakMegabytes(n8n: TestN8n): Promise<number> {
	const status = await readFile(`/proc/${n8n.current().process.pid}/status`, 'utf8');
	return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

type Measured = { seconds: number; megabytes: number; status: string; said: string };

/** In an n8n of its own: what it needs at most is that of one run. */
async function measure(
	contacts: number,
	optOuts: number,
	environment: NodeJS.ProcessEnv = {},
): Promise<Measured> {
	const playground = await startPlayground({ ownN8n: { environment } });
	const n8n = playground.n8n as TestN8n;
	try {
		const { rest } = playground;
		const five = await makeFiveNodes(playground);
		const people = phones(61_481_000_000, contacts);
		for (let done = 0; done < contacts; done += 2_000)
			await five.fill(
				people.slice(done, done + 2_000).map((phone) => ({ phone })),
				[],
			);
		for (let done = 0; done < optOuts; done += 2_000)
			await five.fill([], phones(61_491_000_000 + done, Math.min(2_000, optOuts - done)));
		const limits = optOuts === 0 ? { blockedRecipients: 'NZ' } : {};
		const id = await five.save({ limits, options: { dryRun: 'always' } });
		const execution = await rest.runWorkflow(id);
		// Not by reading its data again and again: that keeps n8n busy, too.
		const { status } = await until(
			{ what: 'the run', timeoutMs: longestRunMs, intervalMs: 500 },
			async () => {
				const [first] = await rest.listExecutions({ workflowId: id }).catch(() => []);
				return first && !['running', 'new'].includes(first.status) ? first : undefined;
			},
		);
		const megabytes = await peakMegabytes(n8n);
		const { nodes, error } = await rest.readExecution(execution);
		const seconds = (nodes['Send SMS']?.tookMs ?? NaN) / 1000;
		const said = error === undefined ? '' : `${error.message}`;
		const measured = { seconds, megabytes, status, said };
		console.error(contacts, optOuts, JSON.stringify(measured));
		return measured;
	} finally {
		await playground.stop();
	}
}

const figure = (contacts: number, optOuts: number, measured: Measured, bound: Figure['bound']) => ({
	what: `Dry run to ${contacts.toLocaleString('en')} contacts, ${optOuts.toLocaleString('en')} opt-outs`,
	by: 'Send SMS',
	results: {
		status: measured.status,
		seconds: measured.seconds.toFixed(1),
		memory: `${measured.megabytes.toFixed(0)} MB`,
		...(measured.said && { error: measured.said }),
	},
	bound,
});

export default await defineBench(import.meta.filename, async () => {
	const without = await measure(10_000, 0);
	const with50 = await measure(10_000, 50_000);
	const NODE_OPTIONS = `--max-old-space-size=${heapMegabytes}`;
	const inLess = await measure(10_000, 50_000, { NODE_OPTIONS });
	const with200 = await measure(100, 200_000);
	const with400 = await measure(100, 400_000);
	const isKept =
		with50.seconds <= maxTimes * without.seconds &&
		with50.megabytes <= maxTimes * without.megabytes;
	return [
		figure(10_000, 0, without, undefined),
		figure(10_000, 50_000, with50, {
			text: `at most ${maxTimes} times the time and memory without a list`,
			isKept,
		}),
		{
			...figure(10_000, 50_000, inLess, {
				text: `works in less than ${maxMegabytes} MB`,
				isKept: inLess.status === 'success' && inLess.megabytes < maxMegabytes,
			}),
			by: `Send SMS, NODE_OPTIONS=${NODE_OPTIONS}`,
		},
		figure(100, 200_000, with200, { text: 'works', isKept: with200.status === 'success' }),
		figure(100, 400_000, with400, {
			text: 'works, or is refused with a sentence, and n8n lives on',
			isKept: with400.status === 'success' || with400.said.includes('Blocked Recipients'),
		}),
	];
});
