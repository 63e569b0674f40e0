import { parse as parseFlatted } from 'flatted';
import { z } from 'zod/v4';
import { until } from '../until.ts';
import type { Session } from './session.ts';
import { type SavedWorkflow, workflowCalls } from './workflows.ts';

const errorSchema = z.looseObject({
	message: z.string(),
	description: z.string().nullish(),
	name: z.string().optional(),
});

const itemSchema = z.looseObject({
	json: z.record(z.string(), z.unknown()),
	binary: z.record(z.string(), z.unknown()).optional(),
	pairedItem: z.unknown().optional(),
});

const nodeRunSchema = z.looseObject({
	hints: z.array(z.object({ message: z.string() })).optional(),
	executionStatus: z.string().optional(),
	startTime: z.number().optional(),
	executionTime: z.number().optional(),
	error: errorSchema.optional(),
	data: z.looseObject({ main: z.array(z.array(itemSchema).nullable()).optional() }).optional(),
});

const runDataSchema = z.looseObject({
	resultData: z.looseObject({
		runData: z.record(z.string(), z.array(nodeRunSchema)).default({}),
		lastNodeExecuted: z.string().optional(),
		error: errorSchema.optional(),
	}),
});

const executionSchema = z.looseObject({
	id: z.string(),
	status: z.string(),
	mode: z.string(),
	workflowId: z.string(),
	data: z.string(),
});

export type ExecutionItem = z.infer<typeof itemSchema>;
type ExecutionError = z.infer<typeof errorSchema>;

type NodeResult = {
	/** How often the node ran. Counts loop rounds, but not retries. */
	runs: number;
	/** The last run's items, per output. */
	outputs: ExecutionItem[][];
	/** The last run's items of the first output. */
	items: ExecutionItem[];
	/** Those of all runs. */
	allItems: ExecutionItem[];
	error?: ExecutionError;
	/** The last run's hints, which the editor shows above the output. */
	hints: string[];
	/** Of the last run. */
	startedAtMs?: number;
	tookMs?: number;
};

export type Execution = {
	id: string;
	workflowId: string;
	/** `success`, `error`, `canceled`, `crashed`, `waiting`, `running`, `new`. */
	status: string;
	/** `manual`, `webhook`, `trigger`, … */
	mode: string;
	/** The error that ended a failed execution. */
	error?: ExecutionError;
	lastNode?: string;
	/** By node name. Nodes that did not run are missing. */
	nodes: Record<string, NodeResult>;
};

const readNode = (runs: z.infer<typeof nodeRunSchema>[]): NodeResult => {
	const last = runs.at(-1);
	const outputs = (last?.data?.main ?? []).map((items) => items ?? []);
	return {
		runs: runs.length,
		outputs,
		items: outputs[0] ?? [],
		allItems: runs.flatMap((run) => run.data?.main?.[0] ?? []),
		error: last?.error,
		hints: (last?.hints ?? []).map(({ message }) => message),
		startedAtMs: last?.startTime,
		tookMs: last?.executionTime,
	};
};

/** Parses an execution. n8n returns its run data in the `flatted` format. */
const readExecution = (execution: z.infer<typeof executionSchema>): Execution => {
	const { id, workflowId, status, mode, data } = execution;
	// An execution that has not started has no data yet.
	const resultData = runDataSchema.optional().parse(parseFlatted(data))?.resultData;
	const nodes = Object.entries(resultData?.runData ?? {}).map(([name, runs]) => [
		name,
		readNode(runs),
	]);
	return {
		id,
		workflowId,
		status,
		mode,
		error: resultData?.error,
		lastNode: resultData?.lastNodeExecuted,
		nodes: Object.fromEntries(nodes),
	};
};

const endStatuses = ['success', 'error', 'canceled', 'crashed'];

const startedSchema = z.union([
	z.object({ executionId: z.string() }),
	z.object({ waitingForWebhook: z.literal(true) }),
]);

const listSchema = z.looseObject({
	results: z.array(
		z.looseObject({ id: z.string(), workflowId: z.string(), status: z.string(), mode: z.string() }),
	),
});

export type RunOptions = {
	/** Name of the trigger to start from. Default: the first one. */ trigger?: string;
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
			// n8n 1 runs the workflow in the request, n8n 2 the saved one.
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
		{ statuses = endStatuses, timeoutMs }: { statuses?: string[]; timeoutMs?: number } = {},
	): Promise<Execution> =>
		await until({ what: `execution ${id} to end`, timeoutMs }, async () => {
			const execution = await read(id);
			return statuses.includes(execution.status) ? execution : undefined;
		});

	const listExecutions = async ({ workflowId }: { workflowId: string }) => {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const path = `/executions?filter=${filter}&limit=100`;
		const { results } = await call('GET', path, listSchema);
		// An execution that ends meanwhile is listed twice, the second time as ended.
		return [...new Map(results.map((execution) => [execution.id, execution])).values()];
	};

	return {
		/** Presses "Execute workflow" and resolves to the execution's ID. */
		runWorkflow,
		readExecution: read,
		waitForExecution,

		/** Presses "Execute workflow" and waits for the result, good or bad. */
		run: async (id: string, options: RunOptions = {}): Promise<Execution> =>
			await waitForExecution(await runWorkflow(id, options)),

		/** Presses "Retry" in the list of executions, and waits for the end. */
		retry: async (id: string): Promise<void> => {
			await call('POST', `/executions/${id}/retry`, z.unknown(), { loadWorkflow: false });
		},

		/** Newest first, at most 100. */
		listExecutions,

		/** Waits until the workflow has this many executions and all have ended. Oldest first. */
		waitForExecutions: async (workflowId: string, count: number): Promise<Execution[]> => {
			const what = `${count} executions of workflow ${workflowId}`;
			const ids = await until({ what }, async () => {
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

		/** Presses "Listen for test event": n8n registers the test webhook and waits for an event. */
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
