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
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import type { Rest } from '../../playground/n8n/rest/index.ts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { kudosityTriggerType, node, noOperation, workflow } from '../e2e/workflow.ts';
import { changed, sampleEvent } from '../fixtures/events/index.ts';
import { median } from '../soak/memory.ts';
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

type Target = { url: string; headers?: Record<string, string> };

/**
 * Delivers an event.
 *
 * @returns after how many milliseconds n8n answered
 * @throws Error n8n did not accept it
 */
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

const publish = async (rest: Rest, trigger: WorkflowNode): Promise<void> => {
	const draft = workflow({ nodes: [trigger, noOperation('Go on')] });
	const { id } = await rest.createWorkflow(draft);
	await rest.activate(id);
};

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

/** Each with the same workflow behind it. */
const publishAll = async ({ rest, n8n, control, credentials: { kudosityKeyApi } }: Host) => {
	const token = randomUUID();
	const headerAuth = await rest.createCredential({
		name: 'Token',
		type: 'httpHeaderAuth',
		data: { name: 'x-token', value: token },
	});
	const [open, secured] = [randomUUID(), randomUUID()];
	await publish(rest, webhookNode(open));
	await publish(rest, webhookNode(secured, { id: headerAuth.id, name: headerAuth.name }));
	await publish(
		rest,
		node({
			name: 'Kudosity Trigger',
			type: kudosityTriggerType,
			typeVersion: 1.1,
			credentials: { kudosityKeyApi },
			parameters: { events: ['SMS_INBOUND'] },
		}),
	);
	const [webhook] = await control.webhooks();
	const targets: Record<Competitor, Target> = {
		ours: { url: webhook!.url },
		secured: { url: `${n8n.url}/webhook/${secured}`, headers: { 'x-token': token } },
		core: { url: `${n8n.url}/webhook/${open}` },
	};
	const event = changed(sampleEvent('smsInbound'), 'webhook_id', webhook!.id);
	return {
		targets,
		bodyOf: () => JSON.stringify(changed(event, 'mo.id', randomUUID())),
	};
};

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

const p99Of = (delaysMs: number[]): number =>
	delaysMs.toSorted((one, other) => one - other)[Math.floor(delaysMs.length * 0.99)] ?? 0;

/** Of the rounds' p99s the median: a moment in which the machine did something else spoils one round, not all. */
const combine = (runs: Measured[]) => {
	const seconds = runs.reduce((sum, run) => sum + run.seconds, 0);
	const count = runs.reduce((sum, run) => sum + run.delaysMs.length, 0);
	const p99Ms = median(runs.map(({ delaysMs }) => p99Of(delaysMs)));
	return { perSecond: count / seconds, p99Ms };
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

const measure = async (host: Host, { what, isEqual }: Condition): Promise<Figure[]> => {
	const { targets, bodyOf } = await publishAll(host);
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
