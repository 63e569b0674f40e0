import { randomUUID } from 'crypto';
import { NodeConnectionTypes, type IExecuteFunctions } from 'n8n-workflow';
import type { Json } from '../lib/json';

/** n8n's AI agents run the node in a context of its own, or as a node whose output goes to the agent. */
export const isAgentSubNode = (context: IExecuteFunctions): boolean => 'getNextRunIndex' in context;

/** n8n's Agents call the node by itself, outside of any workflow and execution. Each call makes a new node. */
export const isOutsideWorkflow = (context: IExecuteFunctions): boolean =>
	context.getExecutionId() === undefined && !context.getWorkflow().id;

/** Whether an AI agent uses the node. */
export const isTool = (context: IExecuteFunctions): boolean => {
	const { rewireOutputLogTo, type } = context.getNode();
	const isRewired = rewireOutputLogTo === NodeConnectionTypes.AiTool;
	return (
		isAgentSubNode(context) || isRewired || type.endsWith('Tool') || isOutsideWorkflow(context)
	);
};

/**
 * The node in its execution, which all of its runs and all calls of an agent share: names of nodes are unique in
 * a workflow. Without an execution there is nothing that could be run again. Outside of any workflow, all calls
 * with one account share it, since the agent can ask again.
 */
export const nodeKey = (context: IExecuteFunctions): string => {
	const { type, name, credentials } = context.getNode();
	if (isOutsideWorkflow(context)) return JSON.stringify([type, name, credentials]);
	return `${context.getExecutionId() ?? randomUUID()}:${name}`;
};

/**
 * By which Retry On Fail's second try of an item is recognised: its run and its place. There is none where
 * each call, and each retry, is a run of its own.
 */
export const createItemKeys = (context: IExecuteFunctions) => {
	if (isAgentSubNode(context) || isOutsideWorkflow(context)) return () => undefined;
	const run = String(context.evaluateExpression('{{ $runIndex }}', 0));
	return (item: number): string => `${run}:${item}`;
};

/** Of a message to one recipient. */
const messageFields = ['id', 'recipient', 'status', 'parts'];

/**
 * What an agent has to know of a message; all else is paid for with each of its steps. An answer that lacks the
 * first two of `names` is no message, and stays whole.
 */
export const agentAnswer = (answer: Json, names: readonly string[] = messageFields): Json => {
	if (!names.slice(0, 2).every((name) => name in answer)) return answer;
	const told = names.filter((name) => name in answer);
	return Object.fromEntries(told.map((name) => [name, answer[name]]));
};
