/**
 * How many events a second an n8n of four processes (main, webhooks, two workers) with PostgreSQL and Redis takes
 * on this machine: the highest rate at which none is lost or refused, none is answered later than 5 s, and the
 * workers keep up; the trigger, and n8n's own Webhook node with Header Auth. The rate is looked for in steps of
 * half a minute, then held. Takes about an hour; `--minutes 1` holds it for one minute, not ten, and
 * `--by "sandboxes as needed"` measures one condition.
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { executionsEnded } from '../queue/executions.ts';
import { startQueueMode, type QueueMode } from '../queue/queueMode.ts';
import { competitors, post, publishAll, type Competitor, type Target } from './competitors.ts';
import { runAlone, type Bench, type Figure } from './figure.ts';

const { values: flags } = parseArgs({
	options: { minutes: { type: 'string' }, by: { type: 'string' } },
	strict: false,
});
const heldSeconds = 60 * Number(flags.minutes ?? 10);
const stepSeconds = Math.min(30, heldSeconds);
const longestAnswerMs = 5_000;
/** What the workers have not done by then, they had no time for. */
const longestBacklogMs = 10_000;
const names = ['ours', 'secured'] as const satisfies Competitor[];

const conditions = [
	{ what: 'sandboxes as needed', environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' } },
	{ what: 'n8n as it comes', environment: {} },
].filter(({ what }) => what === (flags.by ?? what));

/** At their times, whether or not the former ones have been answered. */
const fire = async (target: Target, bodyOf: () => string, perSecond: number, seconds: number) => {
	const agent = new Agent({ keepAlive: true });
	const begunMs = performance.now();
	const answers: Array<Promise<number | undefined>> = [];
	for (let sent = 0; sent < Math.round(perSecond * seconds); sent++) {
		const waitMs = begunMs + (sent * 1000) / perSecond - performance.now();
		if (waitMs > 0) await sleep(waitMs);
		answers.push(post(target, bodyOf(), agent).catch(() => undefined));
	}
	const delaysMs = await Promise.all(answers);
	agent.destroy();
	return delaysMs;
};

type Lane = { target: Target; workflowId: string; bodyOf: () => string; events: number };

type Held = {
	perSecond: number;
	events: number;
	refused: number;
	lost: number;
	slowestMs: number;
	backlogMs: number;
};

const hold = async (
	queueMode: QueueMode,
	lane: Lane,
	perSecond: number,
	seconds: number,
): Promise<Held> => {
	const delaysMs = await fire(lane.target, lane.bodyOf, perSecond, seconds);
	const taken = delaysMs.filter((delayMs) => delayMs !== undefined);
	lane.events += taken.length;
	const endedMs = performance.now();
	const rows = await executionsEnded(queueMode, lane.workflowId, lane.events);
	return {
		perSecond,
		events: delaysMs.length,
		refused: delaysMs.length - taken.length,
		lost: lane.events - rows.filter(({ status }) => status === 'success').length,
		slowestMs: Math.max(...taken),
		backlogMs: performance.now() - endedMs,
	};
};

const isBorne = ({ refused, lost, slowestMs, backlogMs }: Held): boolean =>
	refused === 0 && lost === 0 && slowestMs <= longestAnswerMs && backlogMs <= longestBacklogMs;

/** Half as much again as long as it is borne, then a tenth less until it is borne for the whole time. */
const highest = async (queueMode: QueueMode, lane: Lane): Promise<Held> => {
	let perSecond = 10;
	while (isBorne(await hold(queueMode, lane, perSecond, stepSeconds))) perSecond *= 1.5;
	for (;;) {
		perSecond *= 0.9;
		if (!isBorne(await hold(queueMode, lane, perSecond, stepSeconds))) continue;
		const held = await hold(queueMode, lane, perSecond, heldSeconds);
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
			const lane = { target: targets[name], workflowId: workflowIds[name], bodyOf, events: 0 };
			const { perSecond, events, slowestMs, backlogMs } = await highest(queueMode, lane);
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

const bench: Bench = async () => {
	const figures: Figure[] = [];
	for (const condition of conditions) figures.push(...(await measure(condition)));
	return figures;
};

export default bench;

if (process.argv[1] === import.meta.filename) await runAlone(bench);
