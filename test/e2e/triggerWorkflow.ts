import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';
import type { ShownWebhook } from '../../playground/emulator/control.ts';
import type { Execution, ExecutionItem } from '../../playground/n8n/execution.ts';
import { createSession } from '../../playground/n8n/session.ts';
import { until } from '../../playground/n8n/until.ts';
import type { Workflow } from '../../playground/n8n/workflowCalls.ts';
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
	const ids: string[] = [];
	let position: string | undefined = '';
	while (position !== undefined) {
		const path = `/executions?filter=${filter}&limit=${pageSize}${position}`;
		const page: z.infer<typeof pageSchema> = await session.call('GET', path, pageSchema);
		ids.push(...page.results.map(({ id }) => id));
		position = nextPosition(page);
	}
	return ids;
};

/** Whether an opt-out that the service reports now starts the workflow, once. */
export const receivesEvents = async (playground: Playground, id: string): Promise<boolean> => {
	const before = (await executionIds(playground, id)).length;
	const { deliveries } = await playground.control.emit({ event_type: 'OPT_OUT', wait: true });
	if (!deliveries.every(({ ok }) => ok)) return false;
	// n8n 1 answers a delivery before it has noted the execution.
	const count = await until({ what: 'an execution', timeoutMs: 10_000 }, async () => {
		const { length } = await executionIds(playground, id);
		return length > before ? length : undefined;
	});
	return count === before + 1;
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
	const webhook = webhooks.find((candidate) => !before.has(candidate.id)) as ShownWebhook;
	return { id, webhook };
};
