import { type IExecuteFunctions, NodeConnectionTypes } from 'n8n-workflow';

/**
 * The consequences of where n8n runs the node. The tables below say which host is which. All other code asks for the
 * consequence that it needs, and names no host.
 */
export type Host = {
	/** Whether a language model makes the call and reads the output. */
	isTool: boolean;
	/** Whether the node asks a person to approve an agent's call. n8n makes a node type of its own for that. */
	isReview: boolean;
	/**
	 * Whether the node's memory lasts until the next try of Retry On Fail, a later run of the same execution, and a
	 * later execution.
	 */
	remembers: { retry: boolean; execution: boolean; workflow: boolean };
	/** Whether failures are output as items, so the other items continue. */
	failsSoftly: boolean;
	/** Whether a reply can find the execution that waits for it. */
	canWait: boolean;
	/**
	 * The host's name, and an alternative to it, for errors where the host cannot do something. The alternative is
	 * never to remove a limit, because the reader may be the model that the limit holds back.
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

/** The places where the node runs, other than an execution of a saved workflow. The first row that fits counts. */
const places: Place[] = [
	{
		// n8n's Agents call the node outside of any workflow and execution. Each call creates the node again.
		is: (context) => hasNoExecution(context) && !context.getWorkflow().id,
		remembers: nothing,
		where: "n8n's Agents, which run this node outside a workflow",
		instead: 'Give the agent a saved workflow with this node as a tool, or ask the owner to',
	},
	{
		// An MCP Server Trigger makes each call an execution of its own.
		is: hasNoExecution,
		remembers: { ...everything, retry: false },
		where: 'an MCP Server Trigger',
		instead: 'Use a tool that calls a saved workflow',
	},
	{
		// n8n's Chat is recognized by the name alone, because other workflows can run in chat mode, too.
		is: (context) =>
			context.getMode() === 'chat' && /^Chat [\da-f-]{36}$/i.test(context.getWorkflow().name ?? ''),
		remembers: { ...everything, workflow: false },
		where: "n8n's Chat, which uses a temporary workflow for each turn",
		instead: 'Use a saved workflow with a Chat Trigger, or ask the owner to',
	},
	{
		// n8n's AI Assistant runs a single node in a workflow of that name (`execute-node.service`).
		is: (context) =>
			context.getMode() === 'manual' &&
			context.getWorkflow().name === `Execute node ${context.getNode().type}`,
		remembers: nothing,
		where: "n8n's AI Assistant, which runs this node in a temporary workflow",
		instead: 'Run the saved workflow, or ask the owner to',
	},
];

const inWorkflow = { remembers: everything, where: 'this workflow', instead: '' };
/** The consequences of an agent before version 3, whose tools n8n cannot let wait. */
const byOldAgent = {
	remembers: everything,
	where: 'this AI Agent',
	instead: 'Use version 3 or later of the AI Agent node',
};

/** Whether an agent before version 3 runs the node. n8n gives its tools another kind of context. */
export function isOldAgentTool(context: IExecuteFunctions): boolean {
	return 'getNextRunIndex' in context;
}

export function hostOf(context: IExecuteFunctions): Host {
	const { onError, retryOnFail, rewireOutputLogTo, type } = context.getNode();
	const isOld = isOldAgentTool(context);
	const elsewhere = places.find(({ is }) => is(context));
	const { remembers, where, instead } = elsewhere ?? (isOld ? byOldAgent : inWorkflow);
	const isFromVersion3 = rewireOutputLogTo === NodeConnectionTypes.AiTool || type.endsWith('Tool');
	// A tool has no On Error setting. A thrown error ends an agent (version 3), or reaches the model as an empty answer
	// (before), so failures are items. With Retry On Fail, they are thrown, because it reacts to nothing else.
	const isSoftTool =
		rewireOutputLogTo !== undefined || (isOld && !hasNoExecution(context) && !retryOnFail);
	return {
		isTool: isOld || isFromVersion3 || (hasNoExecution(context) && !context.getWorkflow().id),
		isReview: type.endsWith('HitlTool'),
		// Each try of an old agent's tool is a call of its own.
		remembers: isOld ? { ...remembers, retry: false } : remembers,
		failsSoftly: context.continueOnFail() || (isSoftTool && !onError),
		canWait: !elsewhere && !isOld,
		...{ where, instead },
	};
}
