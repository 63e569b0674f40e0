import { NodeConnectionTypes, type IExecuteFunctions } from 'n8n-workflow';
import type { Json } from '../api/json';

/** n8n's AI agents run the node in a context of its own, or as a node whose output goes to the agent. */
export const isSubNode = (context: IExecuteFunctions): boolean => 'getNextRunIndex' in context;

/** n8n's Agents call the node by itself, outside of any workflow and execution. Each call makes a new node. */
export const isAlone = (context: IExecuteFunctions): boolean =>
	context.getExecutionId() === undefined && !context.getWorkflow().id;

/** Whether an AI agent uses the node. */
export const isTool = (context: IExecuteFunctions): boolean => {
	const { rewireOutputLogTo, type } = context.getNode();
	const isRewired = rewireOutputLogTo === NodeConnectionTypes.AiTool;
	return isSubNode(context) || isRewired || type.endsWith('Tool') || isAlone(context);
};

/** Of a message to one recipient. */
const ofMessage = ['id', 'recipient', 'status', 'parts'];

/**
 * What an agent has to know of a message; all else is paid for with each of its steps. An answer that lacks the
 * first two of `names` is no message, and stays whole.
 */
export const shortAnswer = (answer: Json, names: readonly string[] = ofMessage): Json => {
	if (!names.slice(0, 2).every((name) => name in answer)) return answer;
	const told = names.filter((name) => name in answer);
	return Object.fromEntries(told.map((name) => [name, answer[name]]));
};
