import type { IExecuteFunctions, INodeExecutionData, IPinData, ITaskData } from 'n8n-workflow';
import { isLoop, isPassing, type N8nData } from './connections';
import { startOfRound } from './itemPath';
import { countRowsBefore, inputsOf, isCutToFirst, rowsOf, runsOf } from './runData';

/*
 * This file reads the last run of a node that returns people, e.g. those who opted out: whether the run is complete, and
 * whether its rows are from this execution.
 */

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
	const roundMs = afterOwn.includes(name) ? startOfRound(context) : 0;
	const runsOfRound = runs.filter((run) => run === last || run.startTime >= roundMs);
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
	const parameters = JSON.stringify(node?.parameters ?? {});
	const readsByName = /\$\(.*\.all\(/.test(parameters);
	// With Execute Once, a table that is filtered by a column of the input returns rows for the first value only.
	const columns = [...parameters.matchAll(/\$json\??\.(\w+)/g)].map(([, column = '']) => column);
	const isFirstValue = inputsOf(context, name).some((input) =>
		columns.some((column) => new Set(input.map(({ json }) => json[column])).size > 1),
	);
	const losesRows = isPassing(workflow, name) || isFirstValue;
	return {
		isPinned: pinned !== undefined,
		isPartial: node?.parameters.returnAll === false,
		isFailed: pinned === undefined && isFailed,
		/** Whether Execute Once is on and there was more than one row, so n8n gave the node only the first one. */
		isCut: losesRows && !readsByName && isCutToFirst(context, name),
		/** Whether it is a Limit node that left out rows. */
		isLimited:
			node?.type === 'n8n-nodes-base.limit' && countRowsBefore(context, name) > rowsOf(last).length,
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
