/**
 * Events a second in a real n8n at 8 connections: the trigger beside the core Webhook node, which lets
 * everybody in, and beside the same with Header Auth, which like the trigger has a credential: before each
 * execution n8n asks its database whether the workflow may use it. The same workflow is behind all, and they
 * take turns. Takes about 7 minutes; `--events 100` makes it shorter.
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

type Target = { url: string; headers?: Record<string, string> };

const post = async (target: Target, body: string, agent: Agent): Promise<number> => {
	const begunMs = performance.now();
	await new Promise<void>((resolve, reject) => {
		const headers = {
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(body),
			...target.headers,
		};
		const sending = request(target.url, { method: 'POST', agent, headers }, (response) => {
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

/** The core node with its own path; with a credential where it is to ask for one. */
const webhookNode = (path: string, credential?: { id: string; name: string }): WorkflowNode =>
	node({
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: {
			httpMethod: 'POST',
			path,
			responseMode: 'onReceived',
			options: {},
			...(credential && { authentication: 'headerAuth' }),
		},
		...(credential && { credentials: { httpHeaderAuth: credential } }),
	});

const competitors = {
	ours: 'Kudosity Trigger',
	secured: 'core Webhook node with Header Auth',
	core: 'core Webhook node',
} as const;
type Competitor = keyof typeof competitors;

const publishAll = async (n8n: TestN8n, emulatorUrl: string) => {
	const key = emulatorCredentials(emulatorUrl).find(({ type }) => type === 'kudosityKeyApi')!;
	const { id, name } = await n8n.rest.createCredential(key);
	const token = randomUUID();
	const headerAuth = await n8n.rest.createCredential({
		name: 'Token',
		type: 'httpHeaderAuth',
		data: { name: 'x-token', value: token },
	});
	const [open, secured] = [randomUUID(), randomUUID()];
	await publish(n8n, webhookNode(open));
	await publish(n8n, webhookNode(secured, { id: headerAuth.id, name: headerAuth.name }));
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
	const [webhook] = await createControl(emulatorUrl).webhooks();
	const targets: Record<Competitor, Target> = {
		ours: { url: webhook!.url },
		secured: { url: `${n8n.url}/webhook/${secured}`, headers: { 'x-token': token } },
		core: { url: `${n8n.url}/webhook/${open}` },
	};
	return { targets, webhookId: webhook!.id };
};

const measure = async ({ what, environment, isEqual }: Condition): Promise<Figure[]> => {
	const emulator = await startEmulator({ settings: { autoStatus: false } });
	const n8n = await startN8n({ environment });
	try {
		const { targets, webhookId } = await publishAll(n8n, emulator.url);
		const event = changed(sampleEvent('smsInbound'), 'webhook_id', webhookId);
		const bodyOf = () => JSON.stringify(changed(event, 'mo.id', randomUUID()));

		const names = Object.keys(competitors) as Competitor[];
		const runs: Record<Competitor, Measured[]> = { ours: [], secured: [], core: [] };
		for (const name of names) await load(targets[name], bodyOf, eventsPerRound / 4);
		for (let round = 0; round < rounds; round++) {
			// In turns, and in turns first, since n8n slows down as its database grows.
			const order = round % 2 === 0 ? names : names.toReversed();
			for (const name of order) runs[name].push(await load(targets[name], bodyOf, eventsPerRound));
		}
		const combined = names.map((name) => [name, combine(runs[name])] as const);
		return figuresOf({ what, isEqual, results: new Map(combined) });
	} finally {
		await n8n.stop();
		await emulator.close();
	}
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
		const isKept = share >= leastShare && delayShare <= mostDelayShare;
		const text = `we reach ${leastShare} of its events/s, with at most ${mostDelayShare} of its p99`;
		return {
			what: `events of 1 kB at ${connections} connections, ${what}`,
			by: competitors[name],
			results: {
				'events/s': measured.perSecond.toFixed(1),
				p99: `${measured.p99Ms.toFixed(0)} ms`,
				...(name !== 'ours' && compared),
			},
			...(isEqual && name !== 'ours' && { bound: { text, isKept } }),
		};
	});
};

const bench: Bench = async () => {
	const figures: Figure[] = [];
	for (const condition of conditions) figures.push(...(await measure(condition)));
	return figures;
};

export default bench;

if (process.argv[1] === import.meta.filename) await runAlone(bench);
