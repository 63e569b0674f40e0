import {
	type FromAIArgument,
	type IExecuteFunctions,
	type ISourceData,
	NodeConnectionTypes,
	traverseNodeParameters,
	type Workflow,
} from 'n8n-workflow';
import { InputError } from '../api/errors';
import { settleNow } from '../lib/async';
import { isJson, type Json } from '../lib/json';

/** Whether n8n runs the node as a sub-node of an AI agent, in a context of its own. */
export const isAgentSubNode = (context: IExecuteFunctions): boolean => 'getNextRunIndex' in context;

/** Whether n8n's AI Assistant runs the node alone, by the name of its workflow (`execute-node.service`). */
export const isSingleNode = (context: IExecuteFunctions): boolean =>
	context.getMode() === 'manual' &&
	context.getWorkflow().name === `Execute node ${context.getNode().type}`;

/** Whether the next try is a run of its own: of n8n's Agents or Assistant, or of an MCP Server Trigger. */
export const isOutsideExecution = (context: IExecuteFunctions): boolean =>
	context.getExecutionId() === undefined || isSingleNode(context);

/** Whether n8n's Agents call the node, outside of any workflow and execution. Each call makes a new node. */
export const isOutsideWorkflow = (context: IExecuteFunctions): boolean =>
	isOutsideExecution(context) && !context.getWorkflow().id;

/** Whether an AI agent uses the node. */
export const isTool = (context: IExecuteFunctions): boolean => {
	const { rewireOutputLogTo, type } = context.getNode();
	const isCalled = rewireOutputLogTo === NodeConnectionTypes.AiTool || type.endsWith('Tool');
	return isCalled || isAgentSubNode(context) || isOutsideWorkflow(context);
};

/** Whether a node is this agent, or one of its tools. */
export const isAgentOrTool = (context: IExecuteFunctions, agent: string, name: string): boolean => {
	const tools = context.getParentNodes(agent, { connectionType: 'ai_tool' });
	return [agent, ...tools.map((tool) => tool.name)].includes(name);
};

/** Tools have no On Error: what is thrown ends an agent, or before version 3 reads empty, but Retry On Fail needs it. */
export const continuesOnFail = (context: IExecuteFunctions): boolean => {
	const { onError, retryOnFail, rewireOutputLogTo } = context.getNode();
	const isSubNode = isAgentSubNode(context) && !isOutsideExecution(context) && !retryOnFail;
	return context.continueOnFail() || ((isSubNode || rewireOutputLogTo !== undefined) && !onError);
};

/** Whether a person has to approve what an agent wants to do: n8n makes a node type of its own for it. */
export const isReview = (context: IExecuteFunctions): boolean =>
	context.getNode().type.endsWith('HitlTool');

const countItems = (context: IExecuteFunctions, agent: ISourceData): number => {
	const items = `$(${JSON.stringify(agent.previousNode)}).all(${agent.previousNodeOutput ?? 0})`;
	const count = settleNow(() => context.evaluateExpression(`{{ ${items}.length }}`, 0));
	return count.status === 'fulfilled' ? Number(count.value) : 1;
};

/**
 * Whether a person reviews the call, or has approved it, for one of several items: n8n 2.41 runs what was approved once
 * for each, with another's data. What was approved comes from the node that asked, which has no model, as agents do.
 */
const isReviewOfSeveral = (context: IExecuteFunctions): boolean => {
	const { metadata, source } = context.getExecuteData();
	const agent = metadata?.preservedSourceOverwrite;
	if (!agent) return false;
	const caller = source?.main?.[0]?.previousNode ?? '';
	const connectionType = NodeConnectionTypes.AiLanguageModel;
	const isFromAgent = context.getParentNodes(caller, { connectionType }).length > 0;
	return (!isFromAgent || isReview(context)) && countItems(context, agent) > 1;
};

/** In an expression, anything but what reads no item, or a certain one. */
const anyItem =
	/\$(?!(?:fromAI|now|today|vars|secrets|env|workflow|execution|tool|if|ifEmpty|min|max|jmespath)\b|\(\s*(['"`])(?:\\.|(?!\1|\\).)*\1\s*\)\s*\??\.\s*(?:first|last|all)\b)[a-z_(]/i;

const firstOutput =
	/\$(?:items)?\(\s*(['"`])((?:\\.|(?!\1|\\).)*)\1\s*\)(?!\s*\??\.\s*(?:(?:first|last|all)\(\s*\d|item|pairedItem|params|context|isExecuted))/g;

/** A node that a tool reads without naming the output that the agent is on: there, n8n reads the first one. */
const findMisreadNode = (context: IExecuteFunctions, code: string) => {
	const { workflow } = context as { workflow?: Workflow };
	const agents = workflow?.getChildNodes(context.getNode().name, NodeConnectionTypes.AiTool) ?? [];
	const outputOf = (name: string) => (agent: string) =>
		workflow?.getNodeConnectionIndexes(agent, name.replace(/\\(.)/g, '$1'))?.sourceIndex;
	const names = [...code.matchAll(firstOutput)].map(([, , name = '']) => name);
	return names.find((name) => agents.some(outputOf(name)));
};

/** Whether a field has another item than the agent's: the first of several, or from version 3 that of a loop's first. */
const readsOtherItem = (context: IExecuteFunctions, code: string): boolean => {
	const { data, metadata, source } = context.getExecuteData();
	const items = data.main?.[0] ?? [];
	if (isAgentSubNode(context) && items.length > 1) return anyItem.test(code);
	const [paired] = [items[0]?.pairedItem].flat();
	const overwrite = typeof paired === 'object' ? paired.sourceOverwrite : undefined;
	const agent = metadata?.preservedSourceOverwrite ?? overwrite;
	// Here, `$json` is the agent's own item.
	if (!agent || !anyItem.test(code.replace(/\$(?:json|input)\b/g, ''))) return false;
	const caller = source?.main?.[0]?.previousNode;
	// In later rounds, n8n does not know what came before the agent, which may have the caller as its tool.
	const isLater = isAgentOrTool(context, agent.previousNode, caller ?? '');
	return isLater || countItems(context, agent) > 1;
};

/** As `$fromAI` and `$tool` read it. */
const givenBy = (context: IExecuteFunctions, name: string, item: number): unknown => {
	const given = settleNow(() => context.evaluateExpression(`{{ $fromAI('${name}') }}`, item));
	return given.status === 'fulfilled' ? given.value : undefined;
};

/**
 * n8n does not check a call against the tool's schema. `$fromAI` and `$tool` take a field from `query` first: a model
 * could show the person who reviews its call one recipient, and mean another. Its fields also replace those of `$json`.
 */
export const createCallCheck = (context: IExecuteFunctions) => {
	if (!isTool(context)) return () => undefined;
	const { parameters, rewireOutputLogTo } = context.getNode();
	const placeholders: FromAIArgument[] = [];
	traverseNodeParameters(parameters, placeholders);
	const names = ['tool', 'toolParameters', ...placeholders.map(({ key }) => key)];
	const written = JSON.stringify(parameters);
	const items = context.getInputData();
	const isOfSeveral = !isAgentSubNode(context) && isReviewOfSeveral(context);
	const expressions = written.match(/"=(?:[^"\\]|\\.)*"/g) ?? [];
	const code = expressions.map((text): unknown => JSON.parse(text)).join();
	const isOfOther = readsOtherItem(context, code);
	const misread = findMisreadNode(context, code);

	const isHidden = (name: string, item: number): boolean => {
		const { query, [name]: shown } = items[item]?.json ?? {};
		if (!isJson(query) || !Object.hasOwn(query, name)) return false;
		const meant = JSON.stringify(givenBy(context, name, item));
		return meant === JSON.stringify(query[name]) && meant !== JSON.stringify(shown);
	};
	const isReplaced = (name: string, item: number): boolean =>
		/^[\w-]+$/.test(name) &&
		!names.includes(name) &&
		new RegExp(`\\$(?:json|input)\\b[^}]*\\b${name}\\b`).test(written) &&
		givenBy(context, name, item) !== undefined;
	/** In n8n 1, `$fromAI` reads `$json`, where n8n puts the ID of the call. */
	const canTell = (item: number): boolean =>
		rewireOutputLogTo !== undefined &&
		givenBy(context, 'toolCallId', item) !== items[item]?.json.toolCallId;

	/** @throws InputError */
	return (item: number): void => {
		if (isOfSeveral) {
			throw new InputError(
				'A person can only review an agent that has one item. Nothing was sent',
				'Put Loop Over Items with Batch Size 1 before the agent: n8n runs an approved tool once for each item',
			);
		}
		if (isOfOther) {
			throw new InputError(
				'For an agent with several items, n8n reads a field of this tool from another item. Nothing was done',
				"Put Loop Over Items with Batch Size 1 before the agent, and use $('Node').first() in the tool, or .first(1) of the loop itself, not .item",
			);
		}
		if (misread !== undefined) {
			throw new InputError(
				`In a tool, n8n reads $('${misread}') from its first output, not from the agent's. Nothing was done`,
				`Name the agent's output: $('${misread}').first(1) is the second`,
			);
		}
		const hidden = names.find((name) => isHidden(name, item));
		if (hidden !== undefined) {
			throw new InputError(
				`The call hides '${hidden}' in 'query', so nothing was done`,
				"Call the tool with the fields of its schema only. If 'query' comes from a Webhook node, rename its parameter",
			);
		}
		const { json = {} } = items[item] ?? {};
		const replaced = canTell(item) && Object.keys(json).find((name) => isReplaced(name, item));
		if (!replaced) return;
		throw new InputError(
			`The call sets '${replaced}', which the workflow sets, so nothing was done`,
			'Call the tool with the fields of its schema only',
		);
	};
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
