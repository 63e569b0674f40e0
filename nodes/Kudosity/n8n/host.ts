import { type IExecuteFunctions, NodeConnectionTypes } from 'n8n-workflow';

/**
 * The node's abilities, which depend on where n8n runs it (its host). The table `places` below tells the hosts apart,
 * so other code only has to check these properties.
 */
export type Host = {
	/** Whether a language model calls the node and reads its output. */
	isTool: boolean;
	/** Whether the node asks a person to approve an agent's tool call. n8n has a separate node type for that. */
	isReview: boolean;
	/**
	 * How long the node's memory lasts: until the next attempt of Retry On Fail, until a later run in the same
	 * execution, and until a later execution of the workflow.
	 */
	remembers: { retry: boolean; execution: boolean; workflow: boolean };
	/** Whether failures are output as items, so the other items continue. */
	failsSoftly: boolean;
	/** Whether the node can wait for a reply, because the reply will find the waiting execution. */
	canWait: boolean;
	/**
	 * The host's name and an alternative to it, for errors about something that the host can't do. The alternative is
	 * never to remove a limit, because the reader may be the very model that the limit restrains.
	 */
	where: string;
	instead: string;
};

type Place = Pick<Host, 'remembers' | 'where' | 'instead'> & {
	is(context: IExecuteFunctions): boolean;
};

const nothing = { retry: false, execution: false, workflow: false };
const everything = { retry: true, execution: true, workflow: true };

function hasNoExecution(context: IExecuteFunctions): boolean {
	return context.getExecutionId() === undefined;
}

/** All hosts except an execution of a saved workflow. The first match applies. */
const places: Place[] = [
	{
		// n8n's Agents call the node outside any workflow and execution. The node is created again for each call.
		is: (context) => hasNoExecution(context) && !context.getWorkflow().id,
		remembers: nothing,
		where: "n8n's Agents, which run this node outside a workflow",
		instead:
			'Put this node in a saved workflow and give the agent that workflow as a tool, or ask the owner to',
	},
	{
		// An MCP Server Trigger calls the node in a saved workflow, but without an execution ID.
		is: hasNoExecution,
		remembers: { ...everything, retry: false },
		where: 'an MCP Server Trigger',
		instead: 'Use a tool that calls a saved workflow',
	},
	{
		// n8n's Chat is recognized by its mode and the workflow's name, because other workflows can also run in chat
		// mode.
		is: (context) =>
			context.getMode() === 'chat' && /^Chat [\da-f-]{36}$/i.test(context.getWorkflow().name ?? ''),
		remembers: { ...everything, workflow: false },
		where: "n8n's Chat, which uses a temporary workflow for each turn",
		instead: 'Use a saved workflow with a Chat Trigger, or ask the owner to',
	},
	{
		// n8n's AI Assistant runs a single node in a workflow with this name (`execute-node.service`).
		is: (context) =>
			context.getMode() === 'manual' &&
			context.getWorkflow().name === `Execute node ${context.getNode().type}`,
		remembers: nothing,
		where: "n8n's AI Assistant, which runs this node in a temporary workflow",
		instead: 'Run the saved workflow, or ask the owner to',
	},
];

const inWorkflow = { remembers: everything, where: 'this workflow', instead: '' };
/** The host of a tool that an AI Agent before version 3 calls. n8n can't let such a tool wait. */
const byOldAgent = {
	remembers: everything,
	where: 'this AI Agent',
	instead: 'Use version 3 or later of the AI Agent node',
};

/** Whether an AI Agent before version 3 calls the node. n8n gives its tools another kind of context. */
export function isOldAgentTool(context: IExecuteFunctions): boolean {
	return 'getNextRunIndex' in context;
}

export function hostOf(context: IExecuteFunctions): Host {
	const { onError, retryOnFail, rewireOutputLogTo, type } = context.getNode();
	const isOld = isOldAgentTool(context);
	const elsewhere = places.find(({ is }) => is(context));
	const { remembers, where, instead } = elsewhere ?? (isOld ? byOldAgent : inWorkflow);
	const isFromVersion3 = rewireOutputLogTo === NodeConnectionTypes.AiTool || type.endsWith('Tool');
	// A tool has no On Error setting. A thrown error would stop a version 3 agent, and would reach an older agent's
	// model as an empty response, so failures are output as items. However, with Retry On Fail, an older agent's tool
	// throws its failures, because n8n only retries if the node throws.
	const isSoftTool =
		rewireOutputLogTo !== undefined || (isOld && !hasNoExecution(context) && !retryOnFail);
	return {
		isTool: isOld || isFromVersion3 || (hasNoExecution(context) && !context.getWorkflow().id),
		isReview: type.endsWith('HitlTool'),
		// Each attempt of an older agent's tool is a separate call.
		remembers: isOld ? { ...remembers, retry: false } : remembers,
		failsSoftly: context.continueOnFail() || (isSoftTool && !onError),
		canWait: !elsewhere && !isOld,
		...{ where, instead },
	};
}
