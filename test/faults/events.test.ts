import { afterAll, beforeAll, expect, it } from 'vitest';
import type {
	DeliveryEntry,
	Emission,
	Settings,
} from '../../playground/emulator/control/client.ts';
import { until } from '../../playground/n8n/until.ts';
import { startPlayground, type Playground } from '../e2e/harness.ts';
import { publish, triggerWorkflow } from '../e2e/triggerWorkflow.ts';
import { lazySandboxes } from '../helpers/lazySandboxes.ts';
import { campaign, createRandom, formatTable, type Random } from './campaign.ts';
import { queryDatabase } from './database.ts';

const settledTimeoutMs = 300_000;
const wellSettings: Partial<Settings> = {
	autoStatus: false,
	duplicateEvents: false,
	shuffle: false,
	deliveryTimeoutMs: 60_000,
	// As patient as it takes n8n to start again.
	retryDelaysMs: [500, 1000, 2000, 4000, 8000, 16_000, 16_000, 16_000],
};

let playground: Playground;
beforeAll(async () => {
	playground = await startPlayground({
		ownN8n: { environment: lazySandboxes },
		settings: wellSettings,
	});
});
afterAll(async () => await playground.stop());

type Told = { id: string; step: string };

let told = 0;
const nextId = (step: string): string => `${step}-event-${++told}`;

/** Where each type of event says which message it is about. */
const emissions: Array<(id: string) => Emission> = [
	(id) => ({ event_type: 'SMS_INBOUND', overrides: { mo: { id } } }),
	(id) => ({ event_type: 'SMS_STATUS', overrides: { status: { id } } }),
	(id) => ({ event_type: 'OPT_OUT', overrides: { opt_out: { source_message: { id } } } }),
	(id) => ({ event_type: 'LINK_HIT', overrides: { link_hit: { source_message: { id } } } }),
];
const events = ['SMS_INBOUND', 'SMS_STATUS', 'OPT_OUT', 'LINK_HIT'];

/** Resolves when each event was delivered, or its first delivery failed. */
const emit = async (random: Random, step: string, count: number): Promise<Told[]> => {
	const events = Array.from({ length: count }, () => ({ id: nextId(step), step }));
	const all = events.map(({ id }) => ({ ...random.pick(emissions)(id), wait: true }));
	await Promise.all(all.map(playground.control.emit));
	return events;
};

type Step = (random: Random, count: number) => Promise<Told[]>;

const withSettings =
	(step: string, settings: Partial<Settings>): Step =>
	async (random, count) => {
		await playground.control.settings(settings);
		return await emit(random, step, count);
	};

/** What ran when n8n ended may be shown as running for ever. */
let lastBrokenOff = 0;

const lastExecution = async (): Promise<number> => {
	const [row] = await queryDatabase(
		playground.n8n.userFolder!,
		'SELECT max(id) AS last FROM execution_entity',
	);
	return Number(row?.last ?? 0);
};

const hasEnded = ({ id, status }: { id: string; status: string }): boolean =>
	Number(id) <= lastBrokenOff || (status !== 'running' && status !== 'new');

const withRestart =
	(step: string, end: (playground: Playground) => Promise<void>): Step =>
	async (random, count) => {
		const delivered = (await playground.control.deliveries({ ok: true })).length;
		const emitted = emit(random, step, count);
		await playground.control.waitForDeliveries(
			{ ok: true },
			{ count: delivered + Math.ceil(count / 4), timeoutMs: settledTimeoutMs },
		);
		await end(playground);
		lastBrokenOff = await lastExecution();
		await playground.n8n.restart!();
		return await emitted;
	};

/** What happens to n8n and to deliveries while events arrive. */
const steps: Record<string, Step> = {
	well: withSettings('well', {}),
	duplicated: withSettings('duplicated', { duplicateEvents: true }),
	shuffled: withSettings('shuffled', { shuffle: true }),
	'shuffled and duplicated': withSettings('both', { shuffle: true, duplicateEvents: true }),
	// The service gives up too early and delivers again what n8n has taken.
	impatient: withSettings('impatient', { deliveryTimeoutMs: 40 }),
	killed: withRestart('killed', async ({ n8n }) => await n8n.current!().kill()),
	restarted: withRestart('restarted', async ({ n8n }) => await n8n.current!().stop()),
};

/** What runs then is marked as crashed. */
const endsN8n = ['killed', 'restarted'];

/** Every campaign kills n8n once; the rest is left to chance. */
const planSteps = (random: Random, count: number): Array<[name: string, count: number]> => {
	const plan: Array<[string, number]> = [
		['killed', 40],
		['restarted', 40],
	];
	const common = Object.keys(steps).filter((name) => !endsN8n.includes(name));
	for (let planned = 80; planned < count; ) {
		const size = Math.min(random.integer(20, 60), count - planned);
		plan.push([random.chance(0.05) ? 'killed' : random.pick(common), size]);
		planned += size;
	}
	return plan;
};

/** Deliveries that must not start anything. One of another webhook with the right token is none of them. */
const intrude = async (random: Random, url: string, webhookId: string) => {
	const id = nextId('intruder');
	const mo = { id, type: 'SMS', sender: '61491578888', recipient: '61491570006', message: 'Hi' };
	const event = { event_type: 'SMS_INBOUND', timestamp: '2026-11-20T10:00:00Z', mo };
	const bare = url.split('?')[0]!;
	const intrusions: Emission[] = [
		{ raw: { ...event, webhook_id: webhookId }, to: bare },
		{ raw: { ...event, webhook_id: webhookId }, to: `${bare}?token=${id}` },
		{ raw: { ...event, webhook_id: webhookId, event_type: 'MMS_STATUS' }, to: url },
		{ raw: `{"event_type":"SMS_INBOUND","mo":{"id":"${id}"`, to: url },
		{ raw: [event], to: url },
	];
	await playground.control.emit(random.pick(intrusions));
};

const idIn = (text: string): string | undefined => /[a-z]+-event-\d+/.exec(text)?.[0];

const lastAttempts = (deliveries: DeliveryEntry[]): Map<string, DeliveryEntry> =>
	new Map(deliveries.map((delivery) => [idIn(delivery.payload) ?? '', delivery]));

/** Waits until each event was taken by n8n, or given up by the service. */
const waitForDeliveries = async (book: Told[]) => {
	const mostAttempts = (wellSettings.retryDelaysMs?.length ?? 0) + 1;
	return await until(
		{ what: 'all events to be delivered', timeoutMs: settledTimeoutMs, intervalMs: 500 },
		async () => {
			const deliveries = await playground.control.deliveries();
			const taken = new Set(deliveries.filter(({ ok }) => ok).map(({ payload }) => idIn(payload)));
			const last = lastAttempts(deliveries);
			const isOver = ({ id }: Told) => taken.has(id) || last.get(id)?.attempt === mostAttempts;
			return book.every(isOver) ? { taken, deliveries } : undefined;
		},
	);
};

const waitForExecutions = async (workflowId: string) =>
	await until(
		{ what: 'all executions to end', timeoutMs: settledTimeoutMs, intervalMs: 500 },
		async () => {
			const recent = await playground.rest.listExecutions({ workflowId });
			return recent.every(hasEnded) || undefined;
		},
	);

/** By event: the statuses of the executions that it started. */
const executionsByEvent = async (workflowId: string) => {
	const rows = await queryDatabase(
		playground.n8n.userFolder!,
		`SELECT e.status, d.data FROM execution_entity e JOIN execution_data d ON d.executionId = e.id
		 WHERE e.workflowId = '${workflowId}'`,
	);
	const statuses = new Map<string, string[]>();
	for (const { status, data } of rows) {
		const id = idIn(String(data)) ?? 'no event';
		statuses.set(id, [...(statuses.get(id) ?? []), String(status)]);
	}
	return statuses;
};

const { timeoutMs: timeout } = campaign;

it(
	'has an execution for every event that n8n took, and none for any other',
	{ timeout },
	async () => {
		const { seed } = campaign;
		const random = createRandom(seed);
		const draft = triggerWorkflow(playground, { events });
		const { id, webhook } = await publish(playground, draft);
		const book: Told[] = [];
		for (const [name, count] of planSteps(random, campaign.events)) {
			await playground.control.settings(wellSettings);
			if (endsN8n.includes(name)) {
				// So that what the end of n8n breaks off is of this step alone.
				await waitForDeliveries(book);
				await waitForExecutions(id);
			}
			book.push(...(await steps[name]!(random, count)));
			await intrude(random, webhook.url, webhook.id);
		}
		await playground.control.settings(wellSettings);
		const { taken } = await waitForDeliveries(book);
		await waitForExecutions(id);
		await playground.n8n.current!().stop();
		const statuses = await executionsByEvent(id);

		const names = [...new Set(book.map(({ step }) => step)), 'all'];
		const rows = names.map((name) => {
			const entries = book.filter(({ step }) => name === 'all' || step === name);
			const of = (isCounted: (found: string[]) => boolean) =>
				entries.filter((entry) => isCounted(statuses.get(entry.id) ?? [])).length;
			return {
				step: name,
				events: entries.length,
				taken: entries.filter((entry) => taken.has(entry.id)).length,
				executed: of((found) => found.includes('success')),
				'more than once': of((found) => found.length > 1),
				'only crashed': of((found) => found.length > 0 && !found.includes('success')),
			};
		});
		console.log(formatTable(`Events under faults, seed ${seed}`, rows));

		const lost = book.filter((event) => taken.has(event.id) && !statuses.has(event.id));
		expect(lost, `KUDOSITY_SEED=${seed}`).toEqual([]);
		const crashed = book.filter(
			({ id: event, step }) =>
				!endsN8n.includes(step) && statuses.get(event)?.includes('success') === false,
		);
		expect(crashed, `KUDOSITY_SEED=${seed}`).toEqual([]);
		const ids = new Set(book.map((event) => event.id));
		const uninvited = [...statuses.keys()].filter((event) => !ids.has(event));
		expect(uninvited, `KUDOSITY_SEED=${seed}`).toEqual([]);
		expect(book.length).toBe(campaign.events);
	},
);
