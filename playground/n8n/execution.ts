import { parse as parseFlatted } from 'flatted';
import { z } from 'zod/v4';

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

export const executionSchema = z.looseObject({
	id: z.string(),
	status: z.string(),
	mode: z.string(),
	workflowId: z.string(),
	data: z.string(),
});

export type ExecutionItem = z.infer<typeof itemSchema>;
export type ExecutionError = z.infer<typeof errorSchema>;

export type NodeResult = {
	/** How often the node ran: more than once in a loop, not when it was retried. */
	runs: number;
	/** Of its last run: what left it, per output. */
	outputs: ExecutionItem[][];
	/** Of its last run: what left its first output. */
	items: ExecutionItem[];
	error?: ExecutionError;
	/** Of its last run. */
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
	/** What ended the execution, when it failed. */
	error?: ExecutionError;
	lastNode?: string;
	/** By node name; a node that did not run is missing. */
	nodes: Record<string, NodeResult>;
};

const readNode = (runs: z.infer<typeof nodeRunSchema>[]): NodeResult => {
	const last = runs.at(-1);
	const outputs = (last?.data?.main ?? []).map((items) => items ?? []);
	return {
		runs: runs.length,
		outputs,
		items: outputs[0] ?? [],
		error: last?.error,
		startedAtMs: last?.startTime,
		tookMs: last?.executionTime,
	};
};

/** Makes an execution readable: n8n hands its run data over in the `flatted` format. */
export const readExecution = (execution: z.infer<typeof executionSchema>): Execution => {
	const { id, workflowId, status, mode, data } = execution;
	// An execution that has not begun has no data yet.
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
