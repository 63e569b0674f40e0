/**
 * Events a second in a real n8n at 8 connections: the trigger beside the core Webhook node with Header Auth, and
 * beside the same that lets everybody in. Before each execution n8n asks its database whether the workflow may use
 * its credentials, which costs the first two more than the bound allows: it compares these. The same workflow is
 * behind all, and they take turns. Takes about 4 minutes; `--events 100` makes it shorter.
 *
 * n8n 2 makes a sandbox for expressions, which takes it longer than everything else about an event, once for
 * the execution and once for the webhook before it; by default it spares only its own Webhook node the
 * second one. So both are measured in an n8n that makes sandboxes as they are needed, where they have the
 * same conditions, and in one as it comes.
 */
import { Agent } from 'node:http';
import { parseArgs } from 'node:util';
import { competitors, post, publishAll, type Competitor, type Target } from './competitors.ts';
import { defineBench, measureEach, type Figure } from './figure.ts';
import { withN8n, type Host } from './setup.ts';

const { values: flags } = parseArgs({ options: { events: { type: 'string' } }, strict: false });
/** Rounds are even, so that each is first as often as last. */
const amounts = {
	withBound: { rounds: 6, events: Number(flags.events ?? 400) },
	figureOnly: { rounds: 2, events: Number(flags.events ?? 200) },
};
const connections = 8;
const minShare = 0.9;
const maxDelayShare = 1.1;

type Measured = { seconds: number; delaysMs: number[] };

/** Sends `count` events over 8 connections, each as soon as its connection is free. */
const load = async (target: Target, bodyOf: () => string, count: number): Promise<Measured> => {
	const agent = new Agent({ keepAlive: true, maxSockets: connections });
	const delaysMs: number[] = [];
	let left = count;
	const connection = async () => {
		while (left-- > 0) delaysMs.push(await post(target, bodyOf(), agent));
	};
	const begunMs = performance.now();
	await Promise.all(Array.from({ length: connections }, connection));
	agent.destroy();
	return { seconds: (performance.now() - begunMs) / 1000, delaysMs };
};

const combine = (runs: Measured[]) => {
	const delaysMs = runs.flatMap((run) => run.delaysMs).sort((a, b) => a - b);
	const seconds = runs.reduce((sum, run) => sum + run.seconds, 0);
	return {
		perSecond: delaysMs.length / seconds,
		p99Ms: delaysMs[Math.floor(delaysMs.length * 0.99)] ?? 0,
	};
};

type Condition = { what: string; environment: Record<string, string>; isEqual: boolean };

const conditions: Condition[] = [
	{
		what: 'sandboxes as needed',
		environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		isEqual: true,
	},
	{ what: 'n8n as it comes', environment: {}, isEqual: false },
];

const measure = async ({ n8n, url }: Host, { what, isEqual }: Condition): Promise<Figure[]> => {
	const { targets, bodyOf } = await publishAll(n8n, url);
	const names = Object.keys(competitors) as Competitor[];
	const runs: Record<Competitor, Measured[]> = { ours: [], secured: [], core: [] };
	const { rounds, events } = isEqual ? amounts.withBound : amounts.figureOnly;
	for (const name of names) await load(targets[name], bodyOf, events / 4);
	for (let round = 0; round < rounds; round++) {
		// In turns, and in turns first, since n8n slows down as its database grows.
		const order = round % 2 === 0 ? names : names.toReversed();
		for (const name of order) runs[name].push(await load(targets[name], bodyOf, events));
	}
	const combined = names.map((name) => [name, combine(runs[name])] as const);
	return figuresOf({ what, isEqual, results: new Map(combined) });
};

type Comparison = Pick<Condition, 'what' | 'isEqual'> & {
	results: Map<Competitor, ReturnType<typeof combine>>;
};

const figuresOf = ({ what, isEqual, results }: Comparison): Figure[] => {
	const ours = results.get('ours')!;
	return [...results].map(([name, measured]) => {
		const share = ours.perSecond / measured.perSecond;
		const delayShare = ours.p99Ms / measured.p99Ms;
		const compared = { 'our share': share.toFixed(2), 'our p99 share': delayShare.toFixed(2) };
		const isKept = share >= minShare && delayShare <= maxDelayShare;
		const text = `we reach ${minShare} of its events/s, with at most ${maxDelayShare} of its p99`;
		return {
			what: `events of 1 kB at ${connections} connections, ${what}`,
			by: competitors[name],
			results: {
				'events/s': measured.perSecond.toFixed(1),
				p99: `${measured.p99Ms.toFixed(0)} ms`,
				...(name !== 'ours' && compared),
			},
			...(isEqual && name === 'secured' && { bound: { text, isKept } }),
		};
	});
};

export default await defineBench(
	import.meta.filename,
	async () =>
		await measureEach(conditions, async (condition) => {
			const { environment } = condition;
			const settings = { autoStatus: false };
			return await withN8n(async (host) => await measure(host, condition), {
				environment,
				settings,
			});
		}),
);
