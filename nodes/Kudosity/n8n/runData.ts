import {
	type IDataObject,
	type IExecuteData,
	type IExecuteFunctions,
	type INodeExecutionData,
	type IPinData,
	type IRunExecutionData,
	type ISourceData,
	type ITaskData,
	NodeConnectionTypes,
	type Workflow,
} from 'n8n-workflow';
import { settleNow } from '../lib/async';

/*
 * This file reads n8n's data about the runs of other nodes. n8n doesn't document the data, so it's only used to detect
 * mistakes that would do serious harm: in recipients, in Blocked Recipients, in the calls of agents, and in messages to
 * people who have just opted out.
 */

/** Returns the output of another node that is the current node's input, if n8n tells which one it is. */
export function inputOf(context: IExecuteFunctions): ISourceData | null | undefined {
	const executeData = settleNow(() => context.getExecuteData());
	return executeData.status === 'fulfilled' ? executeData.value.source?.main?.[0] : undefined;
}

/** The parts of n8n's internal data that this file reads. Any of them may be missing. */
export type N8nData = {
	runExecutionData?: IRunExecutionData | null;
	workflow?: Pick<Workflow, 'getNode' | 'getParentNodes' | 'getChildNodes' | 'pinData'>;
};

/**
 * Returns the pinned data of a run. n8n ignores pinned data in production executions. The retry of a manual execution
 * uses the data that was pinned back then, even if it has been unpinned since.
 */
function pinsOf(context: IExecuteFunctions, { runExecutionData, workflow }: N8nData): IPinData {
	const ofRun = runExecutionData?.resultData.pinData;
	const mode = context.getMode();
	if (mode === 'manual') return ofRun ?? workflow?.pinData ?? {};
	return (mode === 'retry' && ofRun) || {};
}

function rowsOf(run: ITaskData | undefined): INodeExecutionData[] {
	return (run?.data?.main ?? []).flatMap((items) => items ?? []);
}

/** Returns the number of rows in the output that is a node's input. */
export function countInputRows(
	{ runExecutionData }: N8nData,
	source: ISourceData | null | undefined,
): number {
	if (!source) return 0;
	const { previousNode, previousNodeRun = 0, previousNodeOutput = 0 } = source;
	const run = runExecutionData?.resultData.runData[previousNode]?.[previousNodeRun];
	return run?.data?.main?.[previousNodeOutput]?.length ?? 0;
}

/**
 * The fields of the items that nodes output instead of failing. n8n's nodes have `error` and `message`, this package's
 * nodes have `error` and `details`.
 */
const errorFields = ['error', 'message', 'details'];

/** Whether an item is an error that a node set to On Error: Continue returned instead of a row. */
function isErrorItem({ json, error }: INodeExecutionData): boolean {
	const isError = 'error' in json && Object.keys(json).every((name) => errorFields.includes(name));
	return error !== undefined || isError;
}

/** n8n's nodes that output the rows of the nodes before them. */
const passingTypes =
	/^n8n-nodes-base\.(aggregate|code|compareDatasets|crypto|dateTime|executionData|filter|if|itemLists|limit|merge|noOp|removeDuplicates|renameKeys|set|sort|splitInBatches|splitOut|summarize|switch|wait)$/;

/** Whether a node outputs the rows of the nodes before it. */
function isPassing(workflow: N8nData['workflow'], name: string): boolean {
	const { type = '', parameters } = workflow?.getNode(name) ?? {};
	return passingTypes.test(type) || parameters?.operation === 'clean';
}

/**
 * Returns the names of the nodes that a node's rows come from, including the node itself. The search ends at nodes that
 * get their rows from elsewhere, e.g. from a database, because whatever runs before them doesn't change the list.
 * Deactivated nodes on the way are left out, because n8n passes their input on.
 */
export function findOrigins(workflow: N8nData['workflow'], name: string): string[] {
	const names = new Set([name]);
	// The loop also visits the names that it adds.
	for (const each of names) {
		if (!isPassing(workflow, each)) continue;
		for (const before of workflow?.getParentNodes(each, 'main', 1) ?? []) names.add(before);
	}
	// A deactivated Merge node passes on only its first input.
	const isMerge = (each: string) => workflow?.getNode(each)?.type.endsWith('.merge') === true;
	const isLeftOut = (each: string) =>
		each !== name &&
		isPassing(workflow, each) &&
		!isMerge(each) &&
		workflow?.getNode(each)?.disabled === true;
	return [...names].filter((each) => !isLeftOut(each));
}

/**
 * Whether a node is connected somewhere before the current node, or before the agent that uses the current node as a
 * tool. If n8n doesn't provide the data, or the name isn't known, the answer is yes.
 */
export function isBefore(context: IExecuteFunctions, name: string): boolean {
	const { workflow } = context as N8nData;
	if (!workflow?.getNode(name)) return true;
	const own = context.getNode().name;
	const agents = workflow.getChildNodes(own, NodeConnectionTypes.AiTool);
	return [own, ...agents].some((each) => workflow.getParentNodes(each).includes(name));
}

/** Returns a node's finished runs in this execution. If n8n doesn't provide the data, there are none. */
export function runsOf(context: IExecuteFunctions, name: string): ITaskData[] {
	return (context as N8nData).runExecutionData?.resultData.runData[name] ?? [];
}

/** Returns a node's type without the ending that n8n adds if the node is an agent's tool. */
const typeOutsideAgents = (type = ''): string => type.replace(/(Hitl)?Tool$/, '');

/**
 * Returns the rows that nodes of the current node's type with this operation have output in this execution. The rows of
 * an agent's tool are in an output of their own.
 */
export function rowsOfOperation(
	context: IExecuteFunctions,
	operation: string,
): INodeExecutionData[] {
	const { runExecutionData, workflow } = context as N8nData;
	const ownType = typeOutsideAgents(context.getNode().type);
	return Object.entries(runExecutionData?.resultData.runData ?? {}).flatMap(([name, runs]) => {
		const node = workflow?.getNode(name);
		if (typeOutsideAgents(node?.type) !== ownType) return [];
		if (node?.parameters.operation !== operation) return [];
		const outputs = runs.flatMap(({ data }) => [...(data?.main ?? []), ...(data?.ai_tool ?? [])]);
		return outputs.flatMap((rows) => rows ?? []);
	});
}

/** Returns the rows that this package's triggers have output in this execution. */
export function rowsOfTriggers(context: IExecuteFunctions): IDataObject[] {
	const { runExecutionData, workflow } = context as N8nData;
	const ownType = typeOutsideAgents(context.getNode().type);
	const isTrigger = (type: string) =>
		[`${ownType}Trigger`, `${ownType}PollingTrigger`].includes(type);
	return Object.entries(runExecutionData?.resultData.runData ?? {}).flatMap(([name, runs]) =>
		isTrigger(workflow?.getNode(name)?.type ?? '')
			? runs.flatMap(rowsOf).map(({ json }) => json)
			: [],
	);
}

/**
 * Finds a node's last run in n8n's data. If n8n doesn't provide the data, the start time is undefined and there are no
 * rows.
 */
export function findRun(context: IExecuteFunctions, name: string) {
	const data = context as N8nData;
	const { runExecutionData, workflow } = data;
	const pinned = pinsOf(context, data)[name];
	const own = context.getNode().name;
	const node = workflow?.getNode(name);
	const runs = runsOf(context, name);
	const last = runs.at(-1);
	const errorOutput = last?.data?.main?.at(-1) ?? [];
	// Workflows from before n8n had On Error still have `continueOnFail`.
	const continues = node?.onError === 'continueRegularOutput' || node?.continueOnFail === true;
	const hasErrorItems =
		(node?.onError === 'continueErrorOutput' && errorOutput.length > 0) ||
		(continues && rowsOf(last).some(isErrorItem));
	const isFailed = last?.error !== undefined || hasErrorItems || node?.disabled === true;
	const afterOwn = workflow?.getChildNodes(own, 'ALL') ?? [];
	const isInLoop = afterOwn.includes(name);
	const upToNode = [name, ...(workflow?.getParentNodes(name) ?? [])];
	const { nodeExecutionStack = [], waitingExecution = {} } = runExecutionData?.executionData ?? {};
	const agents = workflow?.getChildNodes(own, NodeConnectionTypes.AiTool, 1) ?? [];
	const pending = [
		// While a tool runs, n8n keeps its agent on the stack.
		...nodeExecutionStack.map((each) => each.node.name).filter((each) => !agents.includes(each)),
		// In a loop, a Merge node after the current node can wait for it. It belongs to the next round.
		...Object.keys(waitingExecution).filter((each) => !afterOwn.includes(each)),
	];
	return {
		isPinned: pinned !== undefined,
		isPartial: node?.parameters.returnAll === false,
		isFailed: pinned === undefined && isFailed,
		/** Whether Execute Once is on and there was more than one row, so n8n gave the node only the first one. */
		isCut:
			node?.executeOnce === true &&
			isPassing(workflow, name) &&
			(last?.source ?? []).some((each) => countInputRows(data, each) > 1),
		/** Whether n8n will run the node again, because two nodes are connected to the same input. */
		isPending: pending.some((each) => upToNode.includes(each)),
		/** The rows of the runs before the last one, unless each run belongs to a round of the current node's loop. */
		rowsBefore: isInLoop ? [] : runs.slice(0, -1).flatMap(rowsOf),
		startedMs: last?.startTime,
		/** The rows of each output. A Filter node, for example, also outputs the rows that it discards. */
		outputs: pinned ? [pinned] : (last?.data?.main ?? []),
		rows: pinned ?? rowsOf(last),
	};
}

export type Run = ReturnType<typeof findRun>;

/** n8n's nodes that can remove repeated rows, or combine rows. */
const reducingTypes =
	/^n8n-nodes-base\.(aggregate|code|compareDatasets|itemLists|limit|removeDuplicates|summarize)$/;

/** Whether an output is one sequence of rows, repeated `times` times. */
function isRepeated(rows: INodeExecutionData[], times: number): boolean {
	const period = rows.length / times;
	const texts = new Map<number, string>();
	const textAt = (index: number): string => {
		const text = texts.get(index) ?? JSON.stringify(rows[index]?.json);
		texts.set(index, text);
		return text;
	};
	return (
		rows.length > 0 &&
		Number.isInteger(period) &&
		rows.every((_, index) => index < period || textAt(index) === textAt(index % period))
	);
}

/**
 * Finds a node whose rows reach the current node in a loop, and which has output each of them several times: one of
 * `multiples`. Each round of the loop gets only a part of the rows, so the repeats can't be seen in the items.
 */
export function findRepeatedOrigin(
	context: IExecuteFunctions,
	multiples: number[],
): string | undefined {
	const { workflow } = context as N8nData;
	const own = context.getNode();
	const parents = workflow?.getParentNodes(own.name, 'main', 1) ?? [];
	const before = parents.flatMap((name) => findOrigins(workflow, name));
	const typeOf = (name: string) => workflow?.getNode(name)?.type ?? '';
	const loops = before.filter((name) => typeOf(name) === 'n8n-nodes-base.splitInBatches');
	const inLoops = loops.flatMap((name) => [name, ...(workflow?.getChildNodes(name) ?? [])]);
	const origins = before.filter((name) => !inLoops.includes(name));
	if (loops.length === 0 || before.some((name) => reducingTypes.test(typeOf(name)))) {
		return undefined;
	}
	// The search begins at the node that read the rows, because the nodes after it, such as Filter, only pass them on.
	return origins.findLast((name) => {
		const last = runsOf(context, name).at(-1);
		return multiples.some((times) => isRepeated(rowsOf(last), times));
	});
}

/** Returns the items that a node processes. With Execute Once, it processes only the first one. */
export function itemsOf({ node, data }: IExecuteData): IDataObject[] {
	const items = data.main?.[0] ?? [];
	return (node.executeOnce ? items.slice(0, 1) : items).map(({ json }) => json);
}

/**
 * Returns the agents that wait for the current node, with the items that they process: the agent that calls it as a
 * tool, and the agents that call that agent. n8n keeps them on its stack. Agents before version 3 aren't there.
 */
export function waitingAgents(context: IExecuteFunctions) {
	const { runExecutionData, workflow } = context as N8nData;
	const usersOf = (name: string) => workflow?.getChildNodes(name, NodeConnectionTypes.AiTool) ?? [];
	const agents = usersOf(context.getNode().name);
	const stack = runExecutionData?.executionData?.nodeExecutionStack ?? [];
	// Another agent that uses the same tool can be on the stack because it will only run later.
	return stack
		.filter(({ node, metadata }) => metadata?.nodeWasResumed && agents.includes(node.name))
		.map((each) => ({
			items: itemsOf(each),
			parameters: each.node.parameters,
			/** Whether the agent is itself the tool of another agent. */
			isTool: usersOf(each.node.name).length > 0,
		}));
}

export type WaitingAgent = ReturnType<typeof waitingAgents>[number];
