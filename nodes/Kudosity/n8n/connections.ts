import {
	type IExecuteFunctions,
	type IRunExecutionData,
	NodeConnectionTypes,
	type Workflow,
} from 'n8n-workflow';

/*
 * This file finds out how the nodes of a workflow are connected. n8n doesn't document the data. See `runData.ts`.
 */

/** The parts of n8n's internal data that this folder reads. Any of them may be missing. */
export type N8nData = {
	runExecutionData?: IRunExecutionData | null;
	workflow?: Pick<
		Workflow,
		'connectionsByDestinationNode' | 'getNode' | 'getParentNodes' | 'getChildNodes' | 'pinData'
	>;
};

/** n8n's nodes that output the rows of the nodes before them. */
const passingTypes =
	/^n8n-nodes-base\.(aggregate|code|compareDatasets|crypto|dateTime|executionData|filter|if|itemLists|limit|merge|noOp|removeDuplicates|renameKeys|set|sort|splitInBatches|splitOut|summarize|switch|wait)$/;

/** Whether a node outputs the rows of the nodes before it. */
export function isPassing(workflow: N8nData['workflow'], name: string): boolean {
	const { type = '', parameters } = workflow?.getNode(name) ?? {};
	return passingTypes.test(type) || parameters?.operation === 'clean';
}

/**
 * Returns the names of the nodes that a node's rows come from, including the node itself. The search ends at nodes that
 * get their rows from elsewhere, e.g. from a database, because whatever runs before them doesn't change the list. It
 * also ends at the current node, which a loop may connect to the node. Deactivated nodes on the way are left out,
 * because n8n passes their input on.
 */
export function findOrigins(context: IExecuteFunctions, name: string): string[] {
	const { workflow } = context as N8nData;
	const own = context.getNode().name;
	const names = new Set([name]);
	// The loop also visits the names that it adds.
	for (const each of names) {
		if (!isPassing(workflow, each)) continue;
		for (const before of workflow?.getParentNodes(each, 'main', 1) ?? []) {
			if (before !== own) names.add(before);
		}
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
 * Whether a node between the node `name` and the current node gets other rows for each item, e.g. from a table. n8n
 * pairs those rows reliably.
 */
export function isLookedUpAfter(context: IExecuteFunctions, name: string): boolean {
	const { workflow } = context as N8nData;
	const after = workflow?.getChildNodes(name) ?? [];
	const between = workflow?.getParentNodes(context.getNode().name) ?? [];
	return between.some((each) => {
		const { type = '', executeOnce } = workflow?.getNode(each) ?? {};
		const isOther = !isPassing(workflow, each) && !type.endsWith('.executeWorkflow');
		return each !== name && after.includes(each) && isOther && executeOnce !== true;
	});
}

/** Returns the names of the agents that use a node as a tool, directly or through other agents. */
export function agentsUsing(workflow: N8nData['workflow'], name: string): string[] {
	return workflow?.getChildNodes(name, NodeConnectionTypes.AiTool) ?? [];
}

/** Whether a node whose output a model writes, e.g. an agent, is before the current node. */
export function isAfterModel(context: IExecuteFunctions): boolean {
	const { workflow } = context as N8nData;
	const before = workflow?.getParentNodes(context.getNode().name) ?? [];
	return before.some((name) =>
		/^@n8n\/n8n-nodes-langchain\.(agent|anthropic|chainLlm|googleGemini|ollama|openAi)$/.test(
			workflow?.getNode(name)?.type ?? '',
		),
	);
}

/**
 * Whether a node is connected somewhere before the current node, or before the agent that uses the current node as a
 * tool. If n8n doesn't provide the data, or the name isn't known, the answer is yes.
 */
export function isBefore(context: IExecuteFunctions, name: string): boolean {
	const { workflow } = context as N8nData;
	if (!workflow?.getNode(name)) return true;
	const own = context.getNode().name;
	return [own, ...agentsUsing(workflow, own)].some((each) =>
		workflow.getParentNodes(each).includes(name),
	);
}

/** Whether a node is n8n's Loop Over Items. */
export function isLoop(workflow: N8nData['workflow'], name: string): boolean {
	return workflow?.getNode(name)?.type === 'n8n-nodes-base.splitInBatches';
}

/**
 * Returns the name of the node whose runs are the rounds of a loop: the current node or, if it is a tool, the agent
 * that uses it, directly or through other agents.
 */
export function nodeInWorkflow(context: IExecuteFunctions): string {
	const { workflow } = context as N8nData;
	const own = context.getNode().name;
	return (
		agentsUsing(workflow, own).find(
			(name) => workflow!.getParentNodes(name, 'main', 1).length > 0,
		) ?? own
	);
}

/**
 * Whether a node is connected to another output than the first one of the node before it, e.g. to the false output of an
 * If node.
 */
export function isOnLaterOutput(context: IExecuteFunctions, name: string): boolean {
	const { workflow } = context as N8nData;
	const inputs = workflow?.connectionsByDestinationNode[name]?.main ?? [];
	return inputs.some((connections) => connections?.some(({ index }) => index > 0));
}

/**
 * Finds the node that runs once for each row of the nodes `names`, e.g. for each opt-out: the next node on the way to
 * the current node, unless it has Execute Once.
 */
export function findNodeForEachRow(
	context: IExecuteFunctions,
	names: string[],
): string | undefined {
	const { workflow } = context as N8nData;
	const own = context.getNode();
	const next = names.flatMap((name) => workflow?.getChildNodes(name, 'main', 1) ?? []);
	return next.find((name) => {
		const isOnWay = name === own.name || isBefore(context, name);
		return isOnWay && workflow?.getNode(name)?.executeOnce !== true;
	});
}
