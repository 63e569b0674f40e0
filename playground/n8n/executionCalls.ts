import { z } from 'zod/v4';
import { executionSchema, readExecution, type Execution } from './execution.ts';
import type { Session } from './session.ts';
import { until } from './until.ts';
import { workflowCalls, type SavedWorkflow } from './workflowCalls.ts';

const endStatuses = ['success', 'error', 'canceled', 'crashed'];
const executionTimeoutMs = 60_000;

const startedSchema = z.union([
	z.object({ executionId: z.string() }),
	z.object({ waitingForWebhook: z.literal(true) }),
]);

const listSchema = z.looseObject({
	results: z.array(
		z.looseObject({ id: z.string(), workflowId: z.string(), status: z.string(), mode: z.string() }),
	),
});

export type ListedExecution = z.infer<typeof listSchema>['results'][number];

type RunOptions = {
	/** Name of the trigger to start from; the first one when absent. */ trigger?: string;
};

const isTrigger = ({ type }: { type: string }): boolean => /trigger$|\.webhook$/i.test(type);

const startNode = ({ nodes, name }: SavedWorkflow): string => {
	const trigger = nodes.find(isTrigger);
	if (trigger === undefined) throw new Error(`Workflow "${name}" has no trigger to start from`);
	return trigger.name;
};

export const executionCalls = (session: Session) => {
	const { call } = session;
	const { readWorkflow } = workflowCalls(session);

	const start = async (id: string, { trigger }: RunOptions) => {
		const workflow = await readWorkflow(id);
		return await call('POST', `/workflows/${id}/run`, startedSchema, {
			// n8n 1 runs what it is sent, n8n 2 what is saved.
			workflowData: workflow,
			triggerToStartFrom: { name: trigger ?? startNode(workflow) },
		});
	};

	const runWorkflow = async (id: string, options: RunOptions = {}): Promise<string> => {
		const started = await start(id, options);
		if ('executionId' in started) return started.executionId;
		throw new Error('The workflow waits for a test event: use listenForTestEvent');
	};

	const read = async (id: string): Promise<Execution> =>
		readExecution(await call('GET', `/executions/${id}`, executionSchema));

	const waitForExecution = async (
		id: string,
		{ statuses = endStatuses, timeoutMs = executionTimeoutMs } = {},
	): Promise<Execution> =>
		await until({ what: `execution ${id} to end`, timeoutMs }, async () => {
			const execution = await read(id);
			return statuses.includes(execution.status) ? execution : undefined;
		});

	const listExecutions = async ({ workflowId }: { workflowId: string }) => {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const path = `/executions?filter=${filter}&limit=100`;
		const { results } = await call('GET', path, listSchema);
		// One that ends meanwhile is listed twice, the second time as ended.
		return [...new Map(results.map((execution) => [execution.id, execution])).values()];
	};

	return {
		/** Presses "Execute workflow"; resolves to the execution's id. */
		runWorkflow,
		readExecution: read,
		waitForExecution,

		/** Presses "Execute workflow" and waits for the result, good or bad. */
		run: async (id: string, options: RunOptions = {}): Promise<Execution> =>
			await waitForExecution(await runWorkflow(id, options)),

		/** Newest first, 100 at most. */
		listExecutions,

		/** Waits until the workflow has had this many executions and all have ended; oldest first. */
		waitForExecutions: async (workflowId: string, count: number): Promise<Execution[]> => {
			const what = `${count} executions of workflow ${workflowId}`;
			const ids = await until({ what, timeoutMs: executionTimeoutMs }, async () => {
				const executions = await listExecutions({ workflowId });
				const ended = executions.filter(({ status }) => endStatuses.includes(status));
				const isComplete = ended.length >= count && ended.length === executions.length;
				return isComplete ? ended.map(({ id }) => id).reverse() : undefined;
			});
			return await Promise.all(ids.map(read));
		},

		stopExecution: async (id: string): Promise<void> => {
			await call('POST', `/executions/${id}/stop`, z.unknown(), {});
		},

		/** Presses "Listen for test event": n8n registers the test webhook and waits for one event. */
		listenForTestEvent: async (id: string, options: RunOptions = {}): Promise<void> => {
			const started = await start(id, options);
			if ('executionId' in started) throw new Error('The workflow started without an event');
		},

		/** Presses "Stop listening". */
		stopListening: async (id: string): Promise<void> => {
			await call('DELETE', `/test-webhook/${id}`, z.unknown());
		},
	};
};
