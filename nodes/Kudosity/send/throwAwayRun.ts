import type { IExecuteFunctions } from 'n8n-workflow';
import { isOutsideWorkflow, isSingleNode } from './agentTool';

type ThrowAwayRun = {
	/** Where the node runs, in the words of an error. */
	where: string;
	/** Never to remove a limit: the reader may be the model that the limit holds back. */
	remedy: string;
	/** Whether one run can have several calls of the node, so that a count within it makes sense. */
	countsOnce: boolean;
};

const inAgents: ThrowAwayRun = {
	where: "n8n's Agents, which run this node outside a workflow",
	remedy: 'Give the agent a saved workflow with this node as a tool, or ask the owner to',
	countsOnce: false,
};

const inChat: ThrowAwayRun = {
	where: "n8n's Chat, which uses a temporary workflow for each turn",
	remedy: 'Use a saved workflow with a Chat Trigger, or ask the owner to',
	countsOnce: true,
};

const byAssistant: ThrowAwayRun = {
	where: "n8n's AI Assistant, which runs this node in a temporary workflow",
	remedy: 'Run the saved workflow, or ask the owner to',
	countsOnce: false,
};

/** By how n8n's Chat names the workflow of a turn. Other workflows can run in chat mode, too. */
const isChatTurn = (context: IExecuteFunctions): boolean =>
	context.getMode() === 'chat' && /^Chat [\da-f-]{36}$/i.test(context.getWorkflow().name ?? '');

/**
 * Where n8n runs the node in something that it throws away afterwards: nothing that is kept by workflow, node or
 * execution holds the next time, and no reply finds an execution that waits. Undefined for all other runs.
 */
export const findThrowAwayRun = (context: IExecuteFunctions): ThrowAwayRun | undefined => {
	if (isOutsideWorkflow(context)) return inAgents;
	if (isChatTurn(context)) return inChat;
	return isSingleNode(context) ? byAssistant : undefined;
};
