import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { DeliveryEntry } from '../../playground/emulator/control/client.ts';
import { packageName } from '../../playground/n8n/pack.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import { runsAll } from '../helpers/runsAll.ts';
import { executionRows, executionsEnded, storedData } from './executions.ts';
import type { QueueMode } from './queueMode.ts';

const eventCount = runsAll ? 500 : 100;
const eventsOverCrash = 200;
const outageMs = 1_500;
const deliveryTimeoutMs = 120_000;
// A busy n8n refuses requests for some seconds (503).
const retryDelaysMs = [500, 1000, 2000, 4000, 8000, 16_000, 16_000, 16_000];

const eventWorkflow = ({ credentials }: QueueMode, name: string): Workflow => ({
	name,
	nodes: [
		{
			id: 'trigger',
			name: 'Kudosity Trigger',
			type: `${packageName}.kudosityTrigger`,
			typeVersion: 1,
			position: [0, 0],
			webhookId: randomUUID(),
			parameters: { events: ['SMS_INBOUND'] },
			credentials: { kudosityKeyApi: credentials.kudosityKeyApi! },
		},
	],
	connections: {},
	settings: { executionOrder: 'v1' },
});

const publish = async (queueMode: QueueMode, name: string): Promise<string> => {
	const { rest } = queueMode;
	const { id } = await rest.createWorkflow(eventWorkflow(queueMode, name));
	await rest.activate(id);
	return id;
};

const eventId = ({ payload }: DeliveryEntry): string => JSON.parse(payload).mo.id;

/** Waits until n8n has accepted `count` events. If it doesn't, the error tells how n8n answered. */
const accepted = async ({ control }: QueueMode, count: number): Promise<void> => {
	try {
		await control.waitForDeliveries({ ok: true }, { count, timeoutMs: 120_000 });
	} catch {
		const refused = await control.deliveries({ ok: false });
		throw new Error(`n8n did not accept ${count} events: ${JSON.stringify(refused.slice(-3))}`);
	}
};

/** The events whose executions succeeded, each as often as it was executed. */
const executedEvents = async (
	queueMode: QueueMode,
	workflowId: string,
	ids: Set<string>,
): Promise<string[]> =>
	(await storedData(queueMode, workflowId)).flatMap(
		(data) => data.match(/mo-[\w-]+/g)?.filter((id) => ids.has(id)) ?? [],
	);

export const describeEvents = (get: () => QueueMode): void => {
	it(`registers one webhook, and executes each of ${eventCount} events once`, async () => {
		const queueMode = get();
		const { control, balancer, main, webhook } = queueMode;
		// What is answered late is no loss, but it would be delivered again.
		await control.reset({ autoStatus: false, deliveryTimeoutMs: 300_000, retryDelaysMs });
		const id = await publish(queueMode, 'Many events');
		expect(await control.webhooks()).toHaveLength(1);

		const before = balancer.passed();
		const { deliveries } = await control.emit({
			event_type: 'SMS_INBOUND',
			count: eventCount,
			wait: true,
		});
		await accepted(queueMode, eventCount);
		await executionsEnded(queueMode, id, eventCount);

		const ids = deliveries.map(eventId);
		const executed = await executedEvents(queueMode, id, new Set(ids));
		expect(await executionRows(queueMode, id)).toHaveLength(eventCount);
		expect(executed.sort()).toEqual(ids.sort());
		const after = balancer.passed();
		const passed = [main, webhook].map(({ port }) => after.get(port)! - (before.get(port) ?? 0));
		expect(Math.min(...passed)).toBeGreaterThanOrEqual(eventCount / 2);

		await queueMode.rest.deactivate(id);
		expect(await control.webhooks()).toEqual([]);
	});

	it.runIf(runsAll)('loses no accepted event when Redis crashes and comes back', async () => {
		const queueMode = get();
		const { control, redis, rest } = queueMode;
		await control.reset({ autoStatus: false, deliveryTimeoutMs, retryDelaysMs });
		const id = await publish(queueMode, 'Events over a crash');
		const emitted = control.emit({ event_type: 'SMS_INBOUND', count: eventsOverCrash, wait: true });
		await accepted(queueMode, 50);
		await redis.crash({ outageMs });
		await emitted;
		await accepted(queueMode, eventsOverCrash);
		await executionsEnded(queueMode, id, eventsOverCrash);

		const acceptedIds = new Set((await control.deliveries({ ok: true })).map(eventId));
		expect(acceptedIds.size).toBe(eventsOverCrash);
		const executed = new Set(await executedEvents(queueMode, id, acceptedIds));
		expect([...acceptedIds].filter((event) => !executed.has(event))).toEqual([]);
		await rest.deactivate(id);
	});
};
