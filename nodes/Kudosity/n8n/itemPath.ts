import {
	type IDataObject,
	type IExecuteFunctions,
	type ISourceData,
	type ITaskData,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { once, settleNow } from '../lib/async';
import { isBefore, isLoop, type N8nData, nodeInWorkflow } from './connections';
import { rowsOf, runsOf } from './runData';

/*
 * This file finds out through which runs of other nodes the current items came. Each run names the runs that its input
 * came from.
 */

type Sources = ITaskData['source'];

/** Returns the sources of the current node's items. */
function ownSources(context: IExecuteFunctions): Sources {
	const executeData = settleNow(() => context.getExecuteData());
	return (executeData.status === 'fulfilled' && executeData.value.source?.main) || [];
}

/** Returns the run that a source names, or undefined if n8n doesn't provide the data, e.g. for a pinned node. */
function runOf(context: IExecuteFunctions, source: ISourceData): ITaskData | undefined {
	const runs = runsOf(context, source.previousNode);
	return runs[source.previousNodeRun ?? 0] ?? runs.at(-1);
}

/**
 * Returns the runs of a loop up to the one that a source names. They begin with the run in which the loop got all the
 * rows that it has output since. In the run before that one, if any, the loop ended, so it output no rows for a round.
 */
function runsOfLoop(context: IExecuteFunctions, source: ISourceData): ITaskData[] {
	const runs = runsOf(context, source.previousNode);
	const index = Math.min(source.previousNodeRun ?? 0, runs.length - 1);
	const hasEnded = (run: ITaskData | undefined) => (run?.data?.main?.[1] ?? []).length === 0;
	let first = index;
	while (first > 0 && !hasEnded(runs[first - 1])) first--;
	return runs.slice(first, index + 1);
}

/**
 * Returns the sources of the rows that a loop outputs. After its last round, these are the ends of all rounds. In a
 * round, the rows come from the loop's first run, so the end of the round before isn't a source, unless the loop can be
 * reset in any round.
 */
function sourcesOfLoop(context: IExecuteFunctions, source: ISourceData): Sources {
	const node = (context as N8nData).workflow?.getNode(source.previousNode);
	const { reset } = (node?.parameters.options ?? {}) as IDataObject;
	const isRound = source.previousNodeOutput === 1 && !reset;
	const runs = runsOfLoop(context, source);
	return runs.slice(0, isRound ? 1 : undefined).flatMap((run) => run.source);
}

/** Returns the sources of the rows that a source's node output in that run. */
function sourcesBefore(context: IExecuteFunctions, source: ISourceData, run: ITaskData): Sources {
	const { workflow } = context as N8nData;
	const name = source.previousNode;
	if (isLoop(workflow, name)) return sourcesOfLoop(context, source);
	// An agent that has called tools names its own run as the run of the node before it.
	const tools = workflow?.getParentNodes(name, NodeConnectionTypes.AiTool, 1) ?? [];
	if (tools.length === 0) return run.source;
	return run.source.map((each) => each && { ...each, previousNodeRun: Infinity });
}

/**
 * Finds the runs that the current items came through, by node name. In a loop, these are the runs of the current round,
 * and those before the loop. Returns undefined if n8n doesn't provide the data.
 */
function findPath(context: IExecuteFunctions): Map<string, Set<ITaskData>> | undefined {
	const sources = [...ownSources(context)];
	const path = new Map<string, Set<ITaskData>>();
	// The loop also visits the sources that it adds.
	for (const source of sources) {
		if (!source) continue;
		const run = runOf(context, source);
		if (!run) return undefined;
		const ofNode = path.get(source.previousNode) ?? new Set();
		path.set(source.previousNode, ofNode);
		if (ofNode.has(run)) continue;
		ofNode.add(run);
		sources.push(...sourcesBefore(context, source, run));
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
		if (!last || rowsOf(last).length === 0 || !path() || !isBefore(context, name)) return false;
		const ofItems = path()!.get(name) ?? new Set();
		if (ofItems.has(last)) return false;
		const textOf = (run: ITaskData) => JSON.stringify(rowsOf(run).map(({ json }) => json));
		const text = textOf(last);
		return ![...ofItems].some((run) => textOf(run) === text);
	};
}

/** Whether a source names another output of its node than the ones that are connected to the node `name`. */
function isWrongOutput(workflow: N8nData['workflow'], name: string, source: ISourceData): boolean {
	const inputs = workflow?.connectionsByDestinationNode[name]?.main ?? [];
	const outputs = inputs
		.flatMap((connections) => connections ?? [])
		.flatMap(({ node, index }) => (node === source.previousNode ? [index] : []));
	return outputs.length > 0 && !outputs.includes(source.previousNodeOutput ?? 0);
}

/**
 * Finds an agent that the current items came through and whose items n8n pairs with the wrong rows. If an agent of
 * version 3 has called tools, n8n names the first output as its source, even if another output is connected to it.
 */
export function findMispairedAgent(context: IExecuteFunctions): string | undefined {
	const { workflow } = context as N8nData;
	const isMispaired = ([name, runs]: [name: string, runs: Set<ITaskData>]) =>
		[...runs].some(({ source }) =>
			source.some((each) => each && isWrongOutput(workflow, name, each)),
		);
	return [...(findPath(context) ?? [])].find(isMispaired)?.[0];
}

/** Finds Loop Over Items and its run that began the round in which the current node is, if it is in such a loop. */
function findLoopRound(context: IExecuteFunctions): { name: string; run: ITaskData } | undefined {
	const { workflow } = context as N8nData;
	const seen = new Set<ITaskData>();
	let source = ownSources(context).find(Boolean);
	while (source) {
		const run = runOf(context, source);
		if (!run || seen.has(run)) return undefined;
		seen.add(run);
		const name = source.previousNode;
		const isOfLoop = isLoop(workflow, name);
		if (isOfLoop && source.previousNodeOutput === 1) return { name, run };
		// Rows that come out of a loop at its end are in the round in which that loop began.
		const before = isOfLoop ? runsOfLoop(context, source)[0] : run;
		source = before?.source.find(Boolean);
	}
	return undefined;
}

/**
 * Whether the current node is in a round of Loop Over Items that has a single row, and a node is outside the loop, so
 * all items belong to the same one of the node's rows.
 */
export function isBeforeRoundOfOne(context: IExecuteFunctions, name: string): boolean {
	const round = findLoopRound(context);
	if (round?.run.data?.main?.[1]?.length !== 1) return false;
	return (context as N8nData).workflow?.getChildNodes(round.name).includes(name) !== true;
}

/**
 * Returns when the current round of a loop began, in milliseconds since 1970. Runs that began then or later belong to
 * the round. In a loop without Loop Over Items, and for an agent's tool, a round begins after the last run of the current
 * node, or of the agent that uses it.
 */
export function startOfRound(context: IExecuteFunctions): number {
	const own = runsOf(context, nodeInWorkflow(context)).at(-1);
	return Math.max(own ? own.startTime + 1 : 0, findLoopRound(context)?.run.startTime ?? 0);
}
