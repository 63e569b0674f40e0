import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../playground/n8n/until.ts';
import { startPlayground, type Playground } from '../e2e/harness.ts';
import { publish, triggerWorkflow } from '../e2e/triggerWorkflow.ts';
import { node, workflow } from '../e2e/workflow.ts';
import { formatTable } from '../faults/campaign.ts';
import { queryDatabase } from '../faults/database.ts';
import { lazySandboxes } from '../helpers/lazySandboxes.ts';
import { probeEnvironment, probeMemory, thirdsOf, type Memory } from './memory.ts';

/** `KUDOSITY_SOAK_MINUTES=60 npm run test:soak` is the long form. */
const minutes = Number(process.env.KUDOSITY_SOAK_MINUTES ?? 2);
const samples = 24;
/** An hour finds a small leak by its length, minutes by their load: n8n without its sandboxes is faster. */
const isLong = minutes > 10;
const pauseMs = isLong ? 250 : 20;
const loadSettings = isLong ? {} : lazySandboxes;
const megabyte = 2 ** 20;
/** From the middle third of the time to the last. Without a leak it is half of that, in an hour as well. */
const allowedGrowthBytes = 1.5 * megabyte;
const events = ['SMS_INBOUND', 'SMS_STATUS', 'MMS_INBOUND', 'OPT_OUT', 'LINK_HIT'] as const;

let playground: Playground;
let folder: string;
let probeFile: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'kudosity-soak-'));
	probeFile = join(folder, 'memory.json');
	playground = await startPlayground({
		ownN8n: { environment: { ...loadSettings, ...probeEnvironment(probeFile) } },
		settings: { autoStatus: false, requestsPerSecond: 15, latencyMs: 30 },
	});
});
afterAll(async () => {
	await playground?.stop();
	await rm(folder, { recursive: true, force: true });
});

/** Receives recipients over a webhook, and sends each a message, half of them with a Deduplication Key. */
const publishSends = async () => {
	const { rest } = playground;
	const path = `soak-${randomUUID()}`;
	const draft = workflow({
		nodes: [
			node({
				type: 'n8n-nodes-base.webhook',
				name: 'Receive',
				typeVersion: 2,
				webhookId: path,
				parameters: { path, httpMethod: 'POST', responseMode: 'lastNode' },
			}),
			node({
				type: 'n8n-nodes-base.splitOut',
				name: 'Split',
				parameters: { fieldToSplitOut: 'body.phones' },
			}),
			playground.kudosity(
				{
					resource: 'sms',
					operation: 'send',
					message: 'Your order is ready',
					sender: 'Acme',
					recipient: '={{ $json["body.phones"] }}',
					options: {
						deduplicationKey: '={{ $itemIndex % 2 ? $json["body.phones"] : "" }}',
						// Looking for what was lost takes minutes.
						onOutcomeUnknown: 'fail',
					},
				},
				{ onError: 'continueRegularOutput' },
			),
			playground.kudosity(
				{ resource: 'number', operation: 'getAll', filter: 'owned', returnAll: false, limit: 20 },
				{ name: 'Numbers', executeOnce: true, onError: 'continueRegularOutput' },
			),
		],
	});
	const { id } = await playground.save(draft);
	await rest.activate(id);
	return { id, url: `${playground.n8n.url}/webhook/${path}` };
};

let numbersGiven = 0;
const phones = (count: number) =>
	Array.from({ length: count }, () => String(61_491_000_000 + numbersGiven++));

const faults = ['status429', 'status403', 'status500', 'reset', 'malformedJson'] as const;

/** Does so again and again until the time is over, and counts it. */
const repeatUntil = async (endMs: number, task: (turn: number) => Promise<void>) => {
	let turn = 0;
	for (; Date.now() < endMs; turn++) {
		await task(turn);
		await sleep(pauseMs);
	}
	return turn;
};

const load = async (endMs: number, sendUrl: string) => {
	const { control } = playground;
	const send = async (turn: number) => {
		if (turn % 10 === 9) await control.addFault({ fault: faults[turn % faults.length]! });
		const response = await fetch(sendUrl, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ phones: phones(4) }),
		});
		expect(response.status).toBe(200);
		await response.arrayBuffer();
	};
	const deliver = async (turn: number) => {
		await control.emit({ event_type: events[turn % events.length], count: 2, wait: true });
	};
	const several = async (task: (turn: number) => Promise<void>) => {
		const turns = await Promise.all([task, task, task].map((each) => repeatUntil(endMs, each)));
		return turns.reduce((sum, count) => sum + count, 0);
	};
	const [sends, deliveries] = await Promise.all([several(send), several(deliver)]);
	return { sends, deliveries };
};

const observe = async (endMs: number): Promise<Memory[]> => {
	const pid = playground.n8n.current!().process.pid!;
	const intervalMs = (endMs - Date.now()) / samples;
	const observed: Memory[] = [];
	while (Date.now() < endMs) {
		await sleep(Math.min(intervalMs, Math.max(0, endMs - Date.now())));
		observed.push(await probeMemory(pid, probeFile));
	}
	return observed;
};

const inMegabytes = (bytes: number): string => (bytes / megabyte).toFixed(1);

it(
	'keeps nothing of the executions that are over',
	{ timeout: (minutes + 10) * 60_000 },
	async () => {
		const { n8n, rest } = playground;
		const sending = await publishSends();
		const receiving = await publish(
			playground,
			triggerWorkflow(playground, { events: [...events] }),
		);
		const endMs = Date.now() + minutes * 60_000;
		const [{ sends, deliveries }, observed] = await Promise.all([
			load(endMs, sending.url),
			observe(endMs),
		]);
		await until({ what: 'the executions to end' }, async () => {
			const recent = await rest.listExecutions({ workflowId: receiving.id });
			return recent.every(({ status }) => status === 'success') || undefined;
		});
		const atRest = await probeMemory(n8n.current!().process.pid!, probeFile);

		const held = observed.map(({ heapUsed, external }) => heapUsed + external);
		const [warmUp, middle, last] = thirdsOf(held);
		const timers = observed.map(({ resources }) => resources.Timeout ?? 0);
		const rows = observed.map((memory, index) => ({
			sample: index + 1,
			'heap MB': inMegabytes(memory.heapUsed),
			'external MB': inMegabytes(memory.external),
			'RSS MB': inMegabytes(memory.rss),
			timers: timers[index]!,
			listeners: memory.listeners,
		}));
		const summary = `${sends} executions that send, ${2 * deliveries} events`;
		console.log(formatTable(`Soak, ${minutes} min: ${summary}`, rows));
		console.log(
			`Held after garbage collection, MB, by thirds: ${[warmUp, middle, last].map(inMegabytes)}`,
		);

		expect(last - middle).toBeLessThan(allowedGrowthBytes);
		const [, timersMiddle, timersLast] = thirdsOf(timers);
		expect(timersLast).toBeLessThanOrEqual(timersMiddle + 5);
		expect(atRest.listeners).toBe(observed[0]?.listeners);

		await n8n.current!().stop();
		const [counts, ...others] = await queryDatabase(
			n8n.userFolder!,
			'SELECT status, count(*) AS count FROM execution_entity GROUP BY status',
		);
		expect(others).toEqual([]);
		expect(counts!.status).toBe('success');
		// The service delivers again what n8n was too slow to accept.
		expect(counts!.count).toBeGreaterThanOrEqual(sends + 2 * deliveries);
	},
);
