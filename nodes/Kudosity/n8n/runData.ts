import {
	type IDataObject,
	type IExecuteData,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type IPinData,
	type ISourceData,
	type ITaskData,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { once, settleNow } from '../lib/async';
import {
	findOrigins,
	isBefore,
	isLoop,
	isPassing,
	type N8nData,
	nodeInWorkflow,
} from './connections';

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

/**
 * Finds a node that the current node's input comes from, has Return All off and returned as many rows as its limit, so
 * there can be more.
 */
export function findFullNode(context: IExecuteFunctions): string | undefined {
	const before = inputOf(context)?.previousNode;
	if (before === undefined) return undefined;
	return findOrigins(context, before).find((name) => {
		const { returnAll, limit } = (context as N8nData).workflow?.getNode(name)?.parameters ?? {};
		// A single row is usually meant.
		const isSeveral = Number(limit) > 1;
		const rows = rowsOf(runsOf(context, name).at(-1)).length;
		return returnAll === false && isSeveral && rows === limit;
	});
}

/** Returns a node's finished runs in this execution. If n8n doesn't provide the data, there are none. */
export function runsOf(context: IExecuteFunctions, name: string): ITaskData[] {
	return (context as N8nData).runExecutionData?.resultData.runData[name] ?? [];
}

/**
 * Returns the sources of the rows that a loop outputs in its run `index`. After its last round, these are all rounds. In
 * a round, it outputs rows that it got at its first run, so the end of the round before isn't a source. If the loop can
 * be reset, any run can be its first. After its last round, it outputs no row for another round.
 */
function sourcesOfLoop(
	node: INode,
	runs: ITaskData[],
	{ previousNodeRun = 0, previousNodeOutput: output = 0 }: ISourceData,
): ITaskData['source'] {
	const index = Math.min(previousNodeRun, runs.length - 1);
	const hasEnded = (run: ITaskData | undefined) => (run?.data?.main?.[1] ?? []).length === 0;
	let first = index;
	while (first > 0 && !hasEnded(runs[first - 1])) first--;
	const { reset } = (node.parameters.options ?? {}) as IDataObject;
	const isWhole = output === 0 || Boolean(reset);
	return runs.slice(first, isWhole ? index + 1 : first + 1).flatMap((run) => run.source);
}

/**
 * Finds the runs that the current items came through, by node name. In a loop, these are the runs of the current round,
 * and those before the loop. Returns undefined if n8n doesn't provide the data, e.g. for a pinned node.
 */
function findPath(context: IExecuteFunctions): Map<string, Set<ITaskData>> | undefined {
	const { workflow } = context as N8nData;
	const executeData = settleNow(() => context.getExecuteData());
	const first = executeData.status === 'fulfilled' ? executeData.value.source?.main : undefined;
	const sources = [...(first ?? [])];
	const path = new Map<string, Set<ITaskData>>();
	// The loop also visits the sources that it adds.
	for (const source of sources) {
		if (!source) continue;
		const { previousNode, previousNodeRun = 0 } = source;
		const runs = runsOf(context, previousNode);
		const run = runs[previousNodeRun] ?? runs.at(-1);
		if (!run) return undefined;
		const ofNode = path.get(previousNode) ?? new Set();
		path.set(previousNode, ofNode);
		if (ofNode.has(run)) continue;
		ofNode.add(run);
		const node = workflow?.getNode(previousNode);
		const before =
			node && isLoop(workflow, previousNode) ? sourcesOfLoop(node, runs, source) : run.source;
		// An agent that has called tools names its own run as the run of the node before it.
		const isAgent =
			(workflow?.getParentNodes(previousNode, NodeConnectionTypes.AiTool, 1) ?? []).length > 0;
		const last = { previousNodeRun: Infinity };
		sources.push(...(isAgent ? before.map((each) => each && { ...each, ...last }) : before));
	}
	return path.size > 0 ? path : undefined;
}

/**
 * Creates a check whether the rows that an expression reads from a node are for other items: the current items came
 * from another branch or another round of a loop. Expressions read a node's last run.
 */
export function createPathCheck(context: IExecuteFunctions): (name: string) => boolean {
	const path = once(() => findPath(context));
	return (name) => {
		const last = runsOf(context, name).at(-1);
		if (rowsOf(last).length === 0 || !path() || !isBefore(context, name)) return false;
		const textOf = (run: ITaskData | undefined) =>
			JSON.stringify(rowsOf(run).map(({ json }) => json));
		const ofItems = [...(path()!.get(name) ?? [])];
		return !ofItems.some((run) => run === last || textOf(run) === textOf(last));
	};
}

/**
 * Returns when the current node, or the agent that uses it, last ran, in milliseconds since 1970. In a loop, runs that
 * began later belong to the current round.
 */
export function lastRoundStart(context: IExecuteFunctions): number {
	return runsOf(context, nodeInWorkflow(context)).at(-1)?.startTime ?? 0;
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
	const afterOwn = workflow?.getChildNodes(own, 'ALL') ?? [];
	// In a loop, the runs of earlier rounds don't matter.
	const lastRoundMs = afterOwn.includes(name) ? lastRoundStart(context) : 0;
	const runsOfRound = runs.filter((run) => run === last || run.startTime > lastRoundMs);
	// Workflows from before n8n had On Error still have `continueOnFail`.
	const continues = node?.onError === 'continueRegularOutput' || node?.continueOnFail === true;
	const hasErrorItems = (run: ITaskData): boolean =>
		(node?.onError === 'continueErrorOutput' && (run.data?.main?.at(-1) ?? []).length > 0) ||
		(continues && rowsOf(run).some(isErrorItem));
	const isFailed =
		node?.disabled === true ||
		runsOfRound.some((run) => run.error !== undefined || hasErrorItems(run));
	// The nodes that are before it only through the current node's own loop belong to the next round.
	const upToNode = new Set([name]);
	for (const each of upToNode) {
		for (const before of workflow?.getParentNodes(each, 'main', 1) ?? []) {
			if (!(isLoop(workflow, before) && afterOwn.includes(before))) upToNode.add(before);
		}
	}
	const { nodeExecutionStack = [], waitingExecution = {} } = runExecutionData?.executionData ?? {};
	const pending = [
		...nodeExecutionStack.map((each) => each.node.name),
		...Object.keys(waitingExecution),
	];
	const inputRows = Math.max(0, ...(last?.source ?? []).map((each) => countInputRows(data, each)));
	const readsByName = /\$\(.*\.all\(/.test(JSON.stringify(node?.parameters ?? {}));
	return {
		isPinned: pinned !== undefined,
		isPartial: node?.parameters.returnAll === false,
		isFailed: pinned === undefined && isFailed,
		/** Whether Execute Once is on and there was more than one row, so n8n gave the node only the first one. */
		isCut: node?.executeOnce === true && isPassing(workflow, name) && !readsByName && inputRows > 1,
		/** Whether it is a Limit node that left out rows. */
		isLimited: node?.type === 'n8n-nodes-base.limit' && inputRows > rowsOf(last).length,
		/** Whether n8n will run the node again, because two nodes are connected to the same input. */
		isPending: pending.some((each) => upToNode.has(each)),
		/**
		 * The rows of the runs before the last one. In a loop, only the current round counts. At its end, a loop itself
		 * outputs the rows of all rounds.
		 */
		rowsBefore: isLoop(workflow, name) ? [] : runsOfRound.slice(0, -1).flatMap(rowsOf),
		startedMs: last?.startTime,
		/** The rows of each output. A Filter node, for example, also outputs the rows that it discards. */
		outputs: pinned ? [pinned] : (last?.data?.main ?? []),
		rows: pinned ?? rowsOf(last),
	};
}

export type Run = ReturnType<typeof findRun>;

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
 * Whether each row that goes into the current node's loop is there several times: one of `multiples`. Each round of the
 * loop gets only a part of the rows, so the repeats can't be seen in the items.
 */
export function isLoopRepeated(context: IExecuteFunctions, multiples: number[]): boolean {
	const { workflow } = context as N8nData;
	const own = context.getNode().name;
	const afterOwn = workflow?.getChildNodes(own, 'ALL') ?? [];
	const loops = afterOwn.filter((name) => isLoop(workflow, name));
	return loops.some((loop) => {
		const inLoop = workflow?.getChildNodes(loop) ?? [];
		const before = workflow?.getParentNodes(loop, 'main', 1) ?? [];
		const rows = before
			.filter((name) => !inLoop.includes(name))
			.map((name) => rowsOf(runsOf(context, name).at(-1)));
		return rows.some((each) => multiples.some((times) => isRepeated(each, times)));
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
