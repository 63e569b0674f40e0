import {
	type IDataObject,
	type IExecuteData,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeParameters,
	type ISourceData,
	type ITaskData,
} from 'n8n-workflow';
import { settleNow } from '../lib/async';
import { agentsUsing, findOrigins, isLoop, type N8nData, nodeInWorkflow } from './connections';

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

/** Returns the rows of all outputs of a run. */
export function rowsOf(run: ITaskData | undefined): INodeExecutionData[] {
	return (run?.data?.main ?? []).flatMap((items) => items ?? []);
}

/** Returns the rows of the output that is a node's input. */
function inputRows(
	{ runExecutionData }: N8nData,
	source: ISourceData | null | undefined,
): INodeExecutionData[] {
	if (!source) return [];
	const { previousNode, previousNodeRun = 0, previousNodeOutput = 0 } = source;
	const run = runExecutionData?.resultData.runData[previousNode]?.[previousNodeRun];
	return run?.data?.main?.[previousNodeOutput] ?? [];
}

/** Returns the number of rows in the output that is a node's input. */
export function countInputRows(data: N8nData, source: ISourceData | null | undefined): number {
	return inputRows(data, source).length;
}

/** Returns the rows of each input of a node's last run. */
export function inputsOf(context: IExecuteFunctions, name: string): INodeExecutionData[][] {
	const sources = runsOf(context, name).at(-1)?.source ?? [];
	return sources.map((each) => inputRows(context as N8nData, each));
}

/** Returns the number of rows in the input of a node's last run. */
export function countRowsBefore(context: IExecuteFunctions, name: string): number {
	return Math.max(0, ...inputsOf(context, name).map(({ length }) => length));
}

/** Whether Execute Once is on in a node that got more than one row, so n8n gave the node only the first one. */
export function isCutToFirst(context: IExecuteFunctions, name: string): boolean {
	const isOnce = (context as N8nData).workflow?.getNode(name)?.executeOnce === true;
	return isOnce && countRowsBefore(context, name) > 1;
}

/**
 * Finds a node between the node `name` and the current node that was cut to its first row, so n8n pairs all items with
 * that row.
 */
export function findCutAfter(context: IExecuteFunctions, name: string): string | undefined {
	const { workflow } = context as N8nData;
	const before = workflow?.getParentNodes(nodeInWorkflow(context)) ?? [];
	const after = workflow?.getChildNodes(name) ?? [];
	return before.find((each) => after.includes(each) && isCutToFirst(context, each));
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

/**
 * Returns the rows that this package's triggers have output in this execution. A sub-workflow gets them from its own
 * trigger.
 */
export function rowsOfTriggers(context: IExecuteFunctions): IDataObject[] {
	const { runExecutionData, workflow } = context as N8nData;
	const ownType = typeOutsideAgents(context.getNode().type);
	const ofSubWorkflow = 'n8n-nodes-base.executeWorkflowTrigger';
	const isTrigger = (type: string) =>
		[`${ownType}Trigger`, `${ownType}PollingTrigger`, ofSubWorkflow].includes(type);
	return Object.entries(runExecutionData?.resultData.runData ?? {}).flatMap(([name, runs]) =>
		isTrigger(workflow?.getNode(name)?.type ?? '')
			? runs.flatMap(rowsOf).map(({ json }) => json)
			: [],
	);
}

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
	const agents = agentsUsing(workflow, context.getNode().name);
	const stack = runExecutionData?.executionData?.nodeExecutionStack ?? [];
	// Another agent that uses the same tool can be on the stack because it will only run later.
	return stack
		.filter(({ node, metadata }) => metadata?.nodeWasResumed && agents.includes(node.name))
		.map((each) => ({
			items: itemsOf(each),
			/** Whether the agent is itself the tool of another agent. */
			isTool: agentsUsing(workflow, each.node.name).length > 0,
		}));
}

/** Returns the parameters of the agents that use the current node as a tool and are themselves the tools of agents. */
export function agentsThatAreTools(context: IExecuteFunctions): INodeParameters[] {
	const { workflow } = context as N8nData;
	return agentsUsing(workflow, context.getNode().name)
		.filter((name) => agentsUsing(workflow, name).length > 0)
		.map((name) => workflow?.getNode(name)?.parameters ?? {});
}

export type WaitingAgent = ReturnType<typeof waitingAgents>[number];
