import { NodeConnectionTypes, type IExecuteFunctions } from 'n8n-workflow';
import type { Json } from '../api/json';

/** n8n's AI agents run the node in a context of its own, or as a node whose output goes to the agent. */
export const isSubNode = (context: IExecuteFunctions): boolean => 'getNextRunIndex' in context;

/** Whether an AI agent uses the node. */
export const isTool = (context: IExecuteFunctions): boolean =>
	isSubNode(context) || context.getNode().rewireOutputLogTo === NodeConnectionTypes.AiTool;

/** Of a message to one recipient, and of one to several. */
const toldToAgents = [
	['id', 'recipient', 'status', 'parts'],
	['message_id', 'recipients', 'not_sent', 'duplicate', 'parts'],
];

/** What an agent has to know of a message; all else is paid for with each of its steps. */
export const shortAnswer = (answer: Json): Json => {
	const names = toldToAgents.find((told) => told.slice(0, 2).every((name) => name in answer));
	if (!names) return answer;
	const told = names.filter((name) => name in answer);
	return Object.fromEntries(told.map((name) => [name, answer[name]]));
};
