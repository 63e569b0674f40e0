/**
 * Events a second in a real n8n at 8 connections: the trigger beside the core Webhook node, with the same
 * workflow behind both, in turns. Takes about 5 minutes; `--events 100` makes it shorter.
 *
 * n8n 2 makes a sandbox for expressions, which takes it longer than everything else about an event, once for
 * the execution and once for the webhook before it; by default it spares only its own Webhook node the
 * second one. So both are measured in an n8n that makes sandboxes as they are needed, where they have the
 * same conditions, and in one as it comes.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { createControl } from '../../playground/emulator/control.ts';
import { startEmulator } from '../../playground/emulator/server.ts';
import { emulatorCredentials } from '../../playground/n8n/playgroundCredentials.ts';
import type { WorkflowNode } from '../../playground/n8n/workflowCalls.ts';
import { startN8n, type TestN8n } from '../e2e/startN8n.ts';
import { kudosityTriggerType, node, noOperation, workflow } from '../e2e/workflow.ts';
import { changed, sampleEvent } from '../fixtures/events/index.ts';
import { runAlone, type Bench, type Figure } from './figure.ts';

const { values: flags } = parseArgs({ options: { events: { type: 'string' } }, strict: false });
const eventsPerRound = Number(flags.events ?? 400);
const rounds = 6;
const connections = 8;
const leastShare = 0.9;
const mostDelayShare = 1.1;

type Measured = { seconds: number; delaysMs: number[] };

const post = async (url: string, body: string, agent: Agent): Promise<number> => {
	const begunMs = performance.now();
	await new Promise<void>((resolve, reject) => {
		const headers = { 'content-type': 'application/json', 'content-length': body.length };
		const sending = request(url, { method: 'POST', agent, headers }, (response) => {
			const isAccepted = response.statusCode === 200;
			response.resume();
			response.on('end', () =>
				isAccepted ? resolve() : reject(new Error(`n8n answered ${response.statusCode}`)),
			);
		});
		sending.on('error', reject);
		sending.end(body);
	});
	return performance.now() - begunMs;
};

/** Sends `count` events over 8 connections, each as soon as its connection is free. */
const load = async (url: string, bodyOf: () => string, count: number): Promise<Measured> => {
	const agent = new Agent({ keepAlive: true, maxSockets: connections });
	const delaysMs: number[] = [];
	let left = count;
	const connection = async () => {
		while (left-- > 0) delaysMs.push(await post(url, bodyOf(), agent));
	};
	const begunMs = performance.now();
	await Promise.all(Array.from({ length: connections }, connection));
	agent.destroy();
	return { seconds: (performance.now() - begunMs) / 1000, delaysMs };
};

const publish = async ({ rest }: TestN8n, trigger: WorkflowNode): Promise<void> => {
	const draft = workflow({ nodes: [trigger, noOperation('Go on')] });
	const { id } = await rest.createWorkflow(draft);
	await rest.activate(id);
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

const measure = async ({ what, environment, isEqual }: Condition): Promise<Figure[]> => {
	const emulator = await startEmulator({ settings: { autoStatus: false } });
	const n8n = await startN8n({ environment });
	try {
		const [credential] = emulatorCredentials(emulator.url).filter(
			({ type }) => type === 'kudosityKeyApi',
		);
		const { id, name } = await n8n.rest.createCredential(credential!);
		const path = randomUUID();
		await publish(
			n8n,
			node({
				name: 'Webhook',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				webhookId: path,
				parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
			}),
		);
		await publish(
			n8n,
			node({
				name: 'Kudosity Trigger',
				type: kudosityTriggerType,
				typeVersion: 1.1,
				credentials: { kudosityKeyApi: { id, name } },
				parameters: { events: ['SMS_INBOUND'] },
			}),
		);
		const [webhook] = await createControl(emulator.url).webhooks();
		const event = changed(sampleEvent('smsInbound'), 'webhook_id', webhook!.id);
		const bodyOf = () => JSON.stringify(changed(event, 'mo.id', randomUUID()));

		const urls = { ours: webhook!.url, core: `${n8n.url}/webhook/${path}` };
		const runs = { ours: [] as Measured[], core: [] as Measured[] };
		for (const url of Object.values(urls)) await load(url, bodyOf, eventsPerRound / 4);
		for (let round = 0; round < rounds; round++) {
			// In turns, and in turns first, since n8n slows down as its database grows.
			const order = round % 2 === 0 ? (['ours', 'core'] as const) : (['core', 'ours'] as const);
			for (const by of order) runs[by].push(await load(urls[by], bodyOf, eventsPerRound));
		}
		return figuresOf({ what, isEqual, ours: combine(runs.ours), core: combine(runs.core) });
	} finally {
		await n8n.stop();
		await emulator.close();
	}
};

type Combined = ReturnType<typeof combine>;
type Comparison = Pick<Condition, 'what' | 'isEqual'> & { ours: Combined; core: Combined };

const figuresOf = ({ what, isEqual, ours, core }: Comparison): Figure[] => {
	const title = `events of 1 kB at ${connections} connections, ${what}`;
	const results = ({ perSecond, p99Ms }: Combined) => ({
		'events/s': perSecond.toFixed(1),
		p99: `${p99Ms.toFixed(0)} ms`,
	});
	const share = ours.perSecond / core.perSecond;
	const delayShare = ours.p99Ms / core.p99Ms;
	const shares = { share: share.toFixed(2), 'p99 share': delayShare.toFixed(2) };
	const bound = {
		text: `at least ${leastShare} of the core node's events/s, p99 at most ${mostDelayShare} of its p99`,
		isKept: share >= leastShare && delayShare <= mostDelayShare,
	};
	return [
		{
			what: title,
			by: 'Kudosity Trigger',
			results: { ...results(ours), ...shares },
			...(isEqual && { bound }),
		},
		{ what: title, by: 'core Webhook node', results: results(core) },
	];
};

const bench: Bench = async () => {
	const figures: Figure[] = [];
	for (const condition of conditions) figures.push(...(await measure(condition)));
	return figures;
};

export default bench;

if (process.argv[1] === import.meta.filename) await runAlone(bench);
