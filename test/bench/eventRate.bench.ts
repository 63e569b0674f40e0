/**
 * How many events a second an n8n of four processes (main, webhooks, two workers) with PostgreSQL and Redis takes
 * on this machine: the highest rate at which none is lost or refused, none is answered later than 5 s, and the
 * workers keep up; the trigger, and n8n's own Webhook node with Header Auth. The rate is looked for in steps of
 * half a minute, then held. Takes about an hour; `--minutes 1` holds it for one minute, not ten,
 * `--by "sandboxes as needed"` measures one condition, and `--of secured` one of the two nodes.
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { until } from '../../playground/n8n/until.ts';
import { executionCounts } from '../queue/executions.ts';
import { startQueueMode, type QueueMode } from '../queue/queueMode.ts';
import { competitors, post, publishAll, type Competitor, type Target } from './competitors.ts';
import { defineBench, measureEach, type Figure } from './figure.ts';

const { values: flags } = parseArgs({
	options: { minutes: { type: 'string' }, by: { type: 'string' }, of: { type: 'string' } },
	strict: false,
});
const heldSeconds = 60 * Number(flags.minutes ?? 10);
const stepSeconds = Math.min(30, heldSeconds);
const longestAnswerMs = 5_000;
/** What the workers have not done by then, they had no time for. */
const longestBacklogMs = 10_000;
const watchedEveryMs = 5_000;
const drainedWithinMs = 300_000;
const both = ['ours', 'secured'] as const satisfies Competitor[];
const names = both.filter((name) => name === (flags.of ?? name));

const conditions = [
	{ what: 'sandboxes as needed', environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' } },
	{ what: 'n8n as it comes', environment: {} },
].filter(({ what }) => what === (flags.by ?? what));

type Lane = {
	queueMode: QueueMode;
	target: Target;
	workflowId: string;
	bodyOf: () => string;
	/** That n8n has taken so far, at all rates. */
	taken: number;
};

type Held = {
	perSecond: number;
	events: number;
	refused: number;
	lost: number;
	slowestMs: number;
	/** As long as the workers still have to do, or had to at the end. */
	backlogMs: number;
	/** What n8n did of it, until the last one was executed. */
	donePerSecond: number;
};

const isBorne = ({ refused, lost, slowestMs, backlogMs }: Held): boolean =>
	refused === 0 && lost === 0 && slowestMs <= longestAnswerMs && backlogMs <= longestBacklogMs;

/** Events at their times, whether or not the former ones have been answered, as long as that is borne. */
const fire = async (lane: Lane, held: Held, seconds: number): Promise<void> => {
	const agent = new Agent({ keepAlive: true });
	const begunMs = performance.now();
	const send = async () => {
		held.events++;
		try {
			const tookMs = await post(lane.target, lane.bodyOf(), agent);
			held.slowestMs = Math.max(held.slowestMs, tookMs);
			lane.taken++;
		} catch {
			held.refused++;
		}
	};
	const watch = async () => {
		const { taken } = lane;
		const { ended } = await executionCounts(lane.queueMode, lane.workflowId);
		held.backlogMs = (1000 * (taken - ended)) / held.perSecond;
	};
	const watching = setInterval(() => void watch(), watchedEveryMs);
	const answers: Array<Promise<void>> = [];
	while (held.events < Math.round(held.perSecond * seconds) && isBorne(held)) {
		const waitMs = begunMs + (held.events * 1000) / held.perSecond - performance.now();
		if (waitMs > 0) await sleep(waitMs);
		answers.push(send());
	}
	clearInterval(watching);
	await Promise.all(answers);
	agent.destroy();
};

const drain = async ({ queueMode, workflowId, taken }: Lane) =>
	await until(
		{ what: `${taken} executions to end`, timeoutMs: drainedWithinMs, intervalMs: 250 },
		async () => {
			const counts = await executionCounts(queueMode, workflowId);
			return counts.ended >= taken ? counts : undefined;
		},
	);

const hold = async (lane: Lane, perSecond: number, seconds: number): Promise<Held> => {
	const held: Held = {
		perSecond,
		events: 0,
		refused: 0,
		lost: 0,
		slowestMs: 0,
		backlogMs: 0,
		donePerSecond: 0,
	};
	const begunMs = performance.now();
	await fire(lane, held, seconds);
	const firedMs = performance.now();
	const { succeeded } = await drain(lane);
	const endedMs = performance.now();
	return {
		...held,
		lost: lane.taken - succeeded,
		// One that was given up may be done soon after.
		backlogMs: Math.max(held.backlogMs, endedMs - firedMs),
		donePerSecond: (1000 * (held.events - held.refused)) / (endedMs - begunMs),
	};
};

/**
 * Half as much again as long as it is borne; then from a tenth more than n8n did of what was too much, a twentieth
 * less until it is borne for the whole time.
 */
const highest = async (lane: Lane): Promise<Held> => {
	let held = await hold(lane, 10, stepSeconds);
	while (isBorne(held)) held = await hold(lane, 1.5 * held.perSecond, stepSeconds);
	let perSecond = Math.min(held.perSecond, 1.1 * held.donePerSecond);
	for (;;) {
		console.error(`not borne: ${JSON.stringify(held)}`);
		perSecond *= 0.95;
		held = await hold(lane, perSecond, heldSeconds);
		if (isBorne(held)) return held;
	}
};

const measure = async ({ what, environment }: (typeof conditions)[number]): Promise<Figure[]> => {
	const queueMode = await startQueueMode({ environment });
	try {
		const { rest, balancer, control, emulator } = queueMode;
		await control.settings({ autoStatus: false });
		const published = await publishAll({ rest, url: balancer.url }, emulator.url);
		const { targets, workflowIds, bodyOf } = published;
		const figures: Figure[] = [];
		for (const name of names) {
			const { [name]: target } = targets;
			const lane = { queueMode, target, workflowId: workflowIds[name], bodyOf, taken: 0 };
			const { perSecond, events, slowestMs, backlogMs } = await highest(lane);
			console.error(`${what}, ${competitors[name]}: ${perSecond.toFixed(1)} a second`);
			figures.push({
				what: `events of 1 kB for ${heldSeconds / 60} min, four processes, ${what}`,
				by: competitors[name],
				results: {
					'events/s': perSecond.toFixed(1),
					events: events.toLocaleString('en'),
					lost: '0',
					'slowest answer': `${slowestMs.toFixed(0)} ms`,
					'last executed after': `${(backlogMs / 1000).toFixed(1)} s`,
				},
			});
		}
		return figures;
	} finally {
		await queueMode.stop();
	}
};

export default await defineBench(
	import.meta.filename,
	async () => await measureEach(conditions, measure),
);
