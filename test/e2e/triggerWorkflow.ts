import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';
import type { DeliveryEntry, Webhook } from '../../playground/emulator/control/client.ts';
import type { Execution, ExecutionItem } from '../../playground/n8n/rest/executions.ts';
import { createSession } from '../../playground/n8n/rest/session.ts';
import { until } from '../../playground/n8n/until.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import { sampleNames } from '../fixtures/events/index.ts';
import type { Playground } from './harness.ts';
import { workflow } from './workflow.ts';

export const triggerName = 'Kudosity Trigger';
export const allEvents = Object.keys(sampleNames);

export type TriggerFields = Record<string, unknown>;

export const triggerWorkflow = (
	playground: Playground,
	parameters: TriggerFields = {},
	settings: Parameters<Playground['kudosityTrigger']>[1] = {},
): Workflow =>
	workflow({
		name: `Desk ${randomUUID().slice(0, 8)}`,
		nodes: [
			playground.kudosityTrigger(
				{ events: allEvents, ...parameters },
				{ typeVersion: 1.1, ...settings },
			),
		],
	});

/** What left the trigger in an execution, per output. */
export const outputsOf = ({ nodes }: Execution): ExecutionItem[][] =>
	nodes[triggerName]?.outputs ?? [];

const pageSchema = z.looseObject({
	results: z.array(z.looseObject({ id: z.string() })),
	nextCursor: z.string().nullish(),
});

const pageSize = 100;

/** n8n 2 continues at a cursor, n8n 1 below the last id. */
const nextPosition = ({ results, nextCursor }: z.infer<typeof pageSchema>): string | undefined => {
	if (nextCursor) return `&cursor=${encodeURIComponent(nextCursor)}`;
	const isFull = nextCursor === undefined && results.length >= pageSize;
	return isFull ? `&lastId=${results.at(-1)?.id}` : undefined;
};

/** The ids of all executions of a workflow, newest first. */
export const executionIds = async (
	{ n8n, rest }: Playground,
	workflowId: string,
): Promise<string[]> => {
	const session = createSession(n8n.url, rest.cookies);
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	// One that ends meanwhile is listed twice: n8n asks for those that run and those that have ended side by side.
	const ids = new Set<string>();
	let position: string | undefined = '';
	while (position !== undefined) {
		const path = `/executions?filter=${filter}&limit=${pageSize}${position}`;
		const page: z.infer<typeof pageSchema> = await session.call('GET', path, pageSchema);
		for (const { id } of page.results) ids.add(id);
		position = nextPosition(page);
	}
	return [...ids];
};

/** What an opt-out that the service reports now comes to. */
export type Received = { failed: DeliveryEntry[]; executions: number };

/** It arrives, and starts the workflow once. */
export const once: Received = { failed: [], executions: 1 };

/** Reports an opt-out. An n8n that has just started takes its time for the first execution. */
export const receiveEvent = async (playground: Playground, id: string): Promise<Received> => {
	const { control } = playground;
	await control.settings({ deliveryTimeoutMs: 60_000 });
	const before = (await executionIds(playground, id)).length;
	const { deliveries } = await control.emit({ event_type: 'OPT_OUT', wait: true });
	const failed = deliveries.filter(({ ok }) => !ok);
	if (failed.length > 0) return { failed, executions: 0 };
	// n8n 1 answers a delivery before it has noted the execution.
	const count = await until({ what: 'an execution' }, async () => {
		const { length } = await executionIds(playground, id);
		return length > before ? length : undefined;
	});
	return { failed, executions: count - before };
};

const readAtOnce = 10;

export const readAll = async ({ rest }: Playground, ids: string[]): Promise<Execution[]> => {
	const waiting = ids.values();
	const executions: Execution[] = [];
	const read = async () => {
		for (const id of waiting) executions.push(await rest.waitForExecution(id));
	};
	await Promise.all(Array.from({ length: readAtOnce }, read));
	return executions;
};

/** Publishes a workflow with the trigger alone. */
export const publish = async (playground: Playground, draft: Workflow) => {
	const before = new Set((await playground.control.webhooks()).map(({ id }) => id));
	const { id } = await playground.save(draft);
	await playground.rest.activate(id);
	const webhooks = await playground.control.webhooks();
	const webhook = webhooks.find((candidate) => !before.has(candidate.id)) as Webhook;
	return { id, webhook };
};
