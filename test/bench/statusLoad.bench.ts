/**
 * What the statuses of a large send cost n8n: 300 messages, sent by n8n itself, beside a published trigger
 * whose workflow notes each event in a data table. Once as the option Only Final Statuses worked when n8n
 * received every status, and once with each setting; in one process with SQLite, and in four (main, webhook, two
 * workers) with PostgreSQL and Redis. Takes about 30 minutes; `--messages 100` makes it shorter,
 * `--on processes` or `--on process` measures the one alone, and `--by "Only Final Statuses"` one setting.
 */
import { parseArgs } from 'node:util';
import {
	createControl,
	type Control,
	type DeliveryEntry,
} from '../../playground/emulator/control/client.ts';
import { startEmulator } from '../../playground/emulator/server.ts';
import { until } from '../../playground/n8n/until.ts';
import type { Rest } from '../../playground/n8n/rest/index.ts';
import { startN8n } from '../e2e/startN8n.ts';
import { kudosityTriggerType, manualTrigger, node, workflow } from '../e2e/workflow.ts';
import { startQueueMode } from '../queue/queueMode.ts';
import { defineBench, measureEach, type Figure } from './figure.ts';
import { maxMegabytes } from './memoryUse.ts';
import { createCredentials, kudosity } from './setup.ts';

const { values: flags } = parseArgs({
	options: { messages: { type: 'string' }, on: { type: 'string' }, by: { type: 'string' } },
	strict: false,
});
const messages = Number(flags.messages ?? 300);
const longestMs = 300_000 + 60 * messages;
const longestSendMs = longestMs + 100 * messages;
const retryDelaysMs = [1_000, 5_000, 30_000];

type Setting = {
	by: string;
	options: object;
	receivesAll?: boolean;
	environment?: NodeJS.ProcessEnv;
};

/** What n8n needs the most time for is then only made where an expression is read. */
const lazy = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

const settings: Setting[] = [
	{ by: 'every status is delivered', options: { onlyFinalStatuses: true }, receivesAll: true },
	{ by: 'Only Final Statuses', options: { onlyFinalStatuses: true } },
	{ by: 'Rate Limit 10', options: { rateLimit: 10 } },
	{ by: 'Only Final Statuses, Rate Limit 4', options: { onlyFinalStatuses: true, rateLimit: 4 } },
	{
		by: 'Only Final Statuses, sandboxes as needed',
		options: { onlyFinalStatuses: true },
		environment: lazy,
	},
].filter(({ by }) => by === (flags.by ?? by));

const column = (id: string) => ({ id, displayName: id, display: true, type: 'string' });

/** As in the example that watches deliveries. */
const noteInTable = () => [
	node({
		name: 'Table',
		type: 'n8n-nodes-base.dataTable',
		typeVersion: 1.1,
		parameters: {
			resource: 'table',
			operation: 'create',
			tableName: 'Statuses',
			columns: { column: ['message_id', 'status'].map((name) => ({ name, type: 'string' })) },
			options: { createIfNotExists: true },
		},
	}),
	node({
		name: 'Note',
		type: 'n8n-nodes-base.dataTable',
		typeVersion: 1.1,
		parameters: {
			resource: 'row',
			operation: 'upsert',
			dataTableId: { __rl: true, mode: 'id', value: "={{ $('Table').first().json.id }}" },
			matchType: 'allConditions',
			filters: {
				conditions: [
					{
						keyName: 'message_id',
						condition: 'eq',
						keyValue: "={{ $('Kudosity Trigger').item.json.messageId }}",
					},
				],
			},
			columns: {
				mappingMode: 'defineBelow',
				value: {
					message_id: "={{ $('Kudosity Trigger').item.json.messageId }}",
					status: "={{ $('Kudosity Trigger').item.json.status }}",
				},
				matchingColumns: [],
				schema: ['message_id', 'status'].map(column),
			},
			options: {},
		},
	}),
];

/** One webhook for all events, filtered by n8n alone. */
const deliverAll = async (control: Control, url: string) => {
	const [first, ...others] = await control.webhooks();
	const headers = { 'content-type': 'application/json', 'x-api-key': 'playground-key' };
	const call = async (method: string, id: string | undefined, body?: object) =>
		await fetch(`${url}/v2/webhook/${id}`, { method, headers, body: JSON.stringify(body) });
	const filter = { event_type: ['SMS_INBOUND', 'SMS_STATUS'] };
	await call('PUT', first?.id, { name: first?.name, url: first?.url, filter });
	for (const { id } of others) await call('DELETE', id);
};

const prepare = async (rest: Rest, url: string, { options, receivesAll }: Setting) => {
	const { kudosityKeyApi } = await createCredentials(rest, url);
	const credentials = { kudosityKeyApi };
	const trigger = node({
		name: 'Kudosity Trigger',
		type: kudosityTriggerType,
		typeVersion: 1.1,
		credentials,
		parameters: { events: ['SMS_INBOUND', 'SMS_STATUS'], options },
	});
	const receiver = await rest.createWorkflow(workflow({ nodes: [trigger, ...noteInTable()] }));
	await rest.activate(receiver.id);
	if (receivesAll) await deliverAll(createControl(url), url);
	const send = kudosity(
		{
			resource: 'sms',
			operation: 'send',
			message: '=Message {{ $json.number }}',
			sender: '61491570156',
			recipient: '61491570006',
		},
		{ credentials },
	);
	const items = Array.from({ length: messages }, (_, number) => ({ number }));
	return await rest.createWorkflow(workflow({ nodes: [manualTrigger(), send], items }));
};

type Payload = { status?: { id: string; status: string } };

/** For each message whether its last status reached n8n; none as long as the service goes on trying. */
const outcomesOf = (deliveries: DeliveryEntry[]): Map<string, boolean> => {
	const outcomes = new Map<string, boolean>();
	for (const { payload, ok, attempt } of deliveries) {
		const { status } = JSON.parse(payload) as Payload;
		if (status?.status !== 'DELIVERED') continue;
		if (ok || attempt > retryDelaysMs.length) outcomes.set(status.id, ok);
	}
	return outcomes;
};

type Host = {
	rest: Rest;
	emulatorUrl: string;
	pids: () => Array<number | undefined>;
	stop: () => Promise<void>;
};

const startProcess = async (environment?: NodeJS.ProcessEnv): Promise<Host> => {
	const emulator = await startEmulator();
	const n8n = await startN8n({ environment });
	return {
		rest: n8n.rest,
		emulatorUrl: emulator.url,
		pids: () => [n8n.current().process.pid],
		stop: async () => {
			await n8n.stop();
			await emulator.close();
		},
	};
};

const startProcesses = async (environment?: NodeJS.ProcessEnv): Promise<Host> => {
	const { rest, emulator, main, webhook, workers, stop } = await startQueueMode({ environment });
	return {
		rest,
		emulatorUrl: emulator.url,
		pids: () => [main, webhook, ...workers].map(({ pid }) => pid),
		stop,
	};
};

const hosts = [
	{ on: 'process', label: 'SQLite', start: startProcess },
	{ on: 'processes', label: 'PostgreSQL, webhook process, two workers', start: startProcesses },
].filter(({ on }) => on === (flags.on ?? on));

const measure = async (
	setting: Setting,
	{ label, start }: (typeof hosts)[number],
): Promise<Figure> => {
	const { rest, emulatorUrl, pids, stop } = await start(setting.environment);
	const control = createControl(emulatorUrl);
	try {
		await control.settings({ statusDelaysMs: [300, 1500], retryDelaysMs });
		const sender = await prepare(rest, emulatorUrl, setting);
		const begunMs = performance.now();
		const seconds = () => ((performance.now() - begunMs) / 1000).toFixed(1);
		const executionId = await rest.runWorkflow(sender.id);
		await rest.waitForExecution(executionId, { timeoutMs: longestSendMs });
		const sent = seconds();
		await until(
			{ what: 'the last delivery', timeoutMs: longestMs, intervalMs: 1_000 },
			async () => {
				const outcomes = outcomesOf(await control.deliveries());
				return outcomes.size === messages ? true : undefined;
			},
		).catch(() => undefined);
		const deliveries = await control.deliveries();
		const arrived = [...outcomesOf(deliveries).values()].filter(Boolean).length;
		const first = deliveries.filter(({ attempt }) => attempt === 1);
		const slowestMs = Math.max(...deliveries.map(({ durationMs }) => durationMs ?? 0));
		const megabytes = pids().map(maxMegabytes);
		return {
			what: `${messages} sends with their statuses, ${label}`,
			by: setting.by,
			results: {
				'sent after': `${sent} s`,
				'last delivery after': `${seconds()} s`,
				'delivered statuses that arrived': `${arrived} of ${messages}`,
				deliveries: String(deliveries.length),
				'first ones that failed': `${first.filter(({ ok }) => !ok).length} of ${first.length}`,
				'slowest answer': `${slowestMs} ms`,
				memory: megabytes.map((each) => `${each} MB`).join(' + '),
			},
		};
	} finally {
		await stop();
	}
};

export default await defineBench(
	import.meta.filename,
	async () =>
		await measureEach(
			hosts,
			async (host) => await measureEach(settings, async (setting) => await measure(setting, host)),
		),
);
