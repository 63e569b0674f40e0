import { NodeConnectionTypes, type IExecuteFunctions } from 'n8n-workflow';
import type { Json } from '../lib/json';

/** Whether n8n runs the node as a sub-node of an AI agent, in a context of its own. */
export const isAgentSubNode = (context: IExecuteFunctions): boolean => 'getNextRunIndex' in context;

/** Whether n8n's Agents call the node, outside of any workflow and execution. Each call makes a new node. */
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

/** For a message to one recipient. */
const messageFields = ['id', 'recipient', 'status', 'parts'];

/**
 * What an agent needs to know; every other field costs tokens at each of its steps. An answer without the first two of
 * `names` is not a message, e.g. of a skipped item, and stays as it is.
 */
export const agentAnswer = (answer: Json, names: readonly string[] = messageFields): Json => {
	if (!names.slice(0, 2).every((name) => name in answer)) return answer;
	const present = names.filter((name) => name in answer);
	return Object.fromEntries(present.map((name) => [name, answer[name]]));
};
