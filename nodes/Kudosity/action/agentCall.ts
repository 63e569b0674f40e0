import {
	type FromAIArgument,
	type IDataObject,
	type IExecuteFunctions,
	type INodeParameters,
	traverseNodeParameters,
} from 'n8n-workflow';
import { InputError } from '../api/errors';
import { isJson } from '../lib/json';
import type { Operation } from '../fields/operation';
import { hostOf, isOldAgentTool } from '../n8n/host';
import { isOnLaterOutput, nodeInWorkflow } from '../n8n/connections';
import { agentsThatAreTools, itemsOf, type WaitingAgent, waitingAgents } from '../n8n/runData';
import { evaluate, readsItem } from './nodeReads';

/** Whether the node `name` is the node `agent` or one of its tools. */
export function isAgentOrTool(context: IExecuteFunctions, agent: string, name: string): boolean {
	const tools = context.getParentNodes(agent, { connectionType: 'ai_tool' });
	return [agent, ...tools.map((tool) => tool.name)].includes(name);
}

/**
 * Whether n8n pairs the call with the first item of the wrong round or output. It does so if the agent is a tool of
 * another agent. For an agent of version 3, it also does so from the second run in a loop on, and from the second call
 * on if the agent is connected to a second output, e.g. of an If node.
 */
function isPairedWithFirst(context: IExecuteFunctions): boolean {
	const { data, metadata, source } = context.getExecuteData();
	const [paired] = [data.main?.[0]?.[0]?.pairedItem].flat();
	const overwrite = typeof paired === 'object' ? paired.sourceOverwrite : undefined;
	const input = metadata?.preservedSourceOverwrite ?? overwrite;
	// Only an outer agent of version 3 passes on the source of its item, so a source means that the calling agent is
	// nested.
	if (isOldAgentTool(context)) return input !== undefined;
	const { previousNode: agent = '', previousNodeRun: run = 0 } = source?.main?.[0] ?? {};
	const isNested =
		input !== undefined &&
		input.previousNode !== agent &&
		isAgentOrTool(context, input.previousNode, agent);
	const isBehindOutput = [agent, nodeInWorkflow(context)].some((name) =>
		isOnLaterOutput(context, name),
	);
	return isNested || run > 0 || isBehindOutput;
}

/**
 * Whether a parameter's value depends on an item. The model's own values, from `$fromAI`, don't count,
 * because they always belong to the call.
 */
const dependsOnItem = (value: unknown): boolean =>
	typeof value === 'string'
		? readsItem(value.replace(/\$fromai\b/gi, ''))
		: isJson(value) || Array.isArray(value)
			? Object.values(value).some(dependsOnItem)
			: false;

/**
 * Matches where an expression reads another node's item by pairing it with the current one. `$input.item` doesn't
 * match, because it is the current item, and neither does the column `$json.item`. The expression is part of a JSON
 * text, where a line break is `\n`.
 */
const pairedItem =
	/\)(?:\s|\\[nrt])*\??\.(?:\s|\\[nrt])*(?:item|itemMatching|pairedItem)\b|\$itemIndex\b/;

/** Reads a value of the tool call with `$fromAI`. Returns undefined if the call doesn't have the value. */
function givenBy(context: IExecuteFunctions, name: string, item: number): unknown {
	return evaluate(context, `$fromAI('${name}')`, item);
}

const isSame = (one: unknown, other: unknown): boolean =>
	JSON.stringify(one) === JSON.stringify(other);

/** Returns the names of the fields that a model fills in with `$fromAI`. */
function modelFields(parameters: INodeParameters): string[] {
	const found: FromAIArgument[] = [];
	traverseNodeParameters(parameters, found);
	return found.map(({ key }) => key);
}

/** Matches the fields of the reviewed call that a review shows, except methods, and fields with a default. */
const shownField =
	/\$tool\.parameters(?:\??\.(\w+)\b|(?:\?\.)?\[\\?["'](\w+)\\?["']\])(?!\s*(?:\(|\?(?!\.)|\|\|))/g;

/**
 * Returns the fields of a review that the model chooses (`$fromAI`) although they decide who approves what. A message
 * may have such a part if it also shows the call (`showsCall`).
 */
function choicesOfModel(parameters: INodeParameters, showsCall: boolean): string[] {
	const { recipient, sender, message, options } = parameters;
	const deciding = {
		Recipient: recipient,
		Sender: sender,
		Options: options,
		...(!showsCall && { Message: message }),
	};
	return Object.entries(deciding).flatMap(([label, value]) =>
		modelFields({ value } as INodeParameters).length > 0 ? [label] : [],
	);
}

/**
 * The texts that n8n itself may add to a tool call. If the agent's own item has such a field, n8n doesn't replace it.
 */
const textsOfN8n = ['query', 'tool', 'toolParameters'];

/**
 * Finds a field of a tool call that a model has set although only the workflow may set it. n8n adds the fields that
 * models set to the item of the outermost agent. So each field must have the same value in that item, unless it is
 * `expected`, or `outer`: a field of an agent that an outer model calls, and fills in.
 */
function findForeignField(
	json: IDataObject,
	{ expected, outer, agents }: { expected: string[]; outer: string[]; agents: WaitingAgent[] },
): string | undefined {
	const items = agents.flatMap((agent) => (agent.isTool ? [] : agent.items));
	const isAdded = (name: string) =>
		outer.includes(name) || (textsOfN8n.includes(name) && !isJson(json[name]));
	return Object.keys(json).find((name) => {
		const isKnown = items.some((item) => Object.hasOwn(item, name));
		return !(
			expected.includes(name) ||
			(isKnown && items.some((item) => isSame(item[name], json[name]))) ||
			(!isKnown && isAdded(name))
		);
	});
}

/**
 * Creates a check for an agent's calls to this tool, because n8n doesn't check them against the tool's schema. If the
 * agent has several items, n8n may also read the tool's fields from a different item than the one the agent is working
 * on.
 *
 * @returns a function that checks an item's tool call, and throws InputError if the call must be refused
 */
export function createCallCheck(
	context: IExecuteFunctions,
	{ sends, once: isDoneOnce }: Operation,
): (item: number) => void {
	const { isTool, isReview } = hostOf(context);
	if (!isTool) return () => undefined;
	const { parameters, rewireOutputLogTo } = context.getNode();
	const ownFields = modelFields(parameters);
	const shown = [...JSON.stringify(parameters).matchAll(shownField)].map(
		([, name, quoted]) => (name ?? quoted)!,
	);
	const ownChoices = isReview ? choicesOfModel(parameters, shown.length > 0) : [];
	const items = context.getInputData();
	const agents = waitingAgents(context);
	// An agent before version 3 gives its tools its own items. Only an outer agent's model can have set their fields.
	const ofOldAgent = isOldAgentTool(context) ? itemsOf(context.getExecuteData()) : undefined;
	const isChecked = ofOldAgent ? agents.length > 0 : rewireOutputLogTo !== undefined;
	const itemsOfAgents = ofOldAgent ? [ofOldAgent] : agents.map((agent) => agent.items);
	const hasSeveralItems = itemsOfAgents.some(({ length }) => length > 1);
	/** With the execution order of old workflows, n8n runs an agent of version 3 to its end before its tools. */
	const isTooLate =
		rewireOutputLogTo !== undefined && context.getWorkflowSettings().executionOrder !== 'v1';
	/** The fields of the call's item that the model, or n8n for a review, may set. */
	const expected = [...ownFields, 'toolCallId', ...(isReview ? ['tool', 'toolParameters'] : [])];
	const outer = agentsThatAreTools(context).flatMap(modelFields);
	const readsFirstItem = isPairedWithFirst(context) && pairedItem.test(JSON.stringify(parameters));
	const isForItem = sends !== undefined || isDoneOnce !== undefined || dependsOnItem(parameters);

	return (item) => {
		// If the first of two reviews at the same time times out, n8n 2.41 loses the second call. The reviewer would
		// then approve a message without seeing it.
		const reviewed = isReview ? givenBy(context, 'toolParameters', item) : {};
		if (reviewed === undefined) {
			throw new InputError(
				'n8n lost track of the tool call to review, so nobody was asked',
				'Run the workflow again with a longer time limit for reviews. n8n can lose a tool call if an earlier review times out',
			);
		}
		if (ownChoices.length > 0) {
			throw new InputError(
				`No approval was requested: the model would choose '${ownChoices.join("' and '")}' of the review itself`,
				"In the review, enter the reviewer's number and your sender, and show the call in the message, e.g. {{ $tool.parameters.message }}. Use $fromAI only in the reviewed tool",
			);
		}
		if (shown.length > 0 && isReview && !isJson(reviewed)) {
			throw new InputError(
				'No approval was requested: the tool call has no separate fields, so the review could not show them',
				'Call the tool with an object that has the fields in its schema, e.g. { recipient, message }',
			);
		}
		if (isReview && isJson(reviewed)) {
			const missing = shown.find((name) => !Object.hasOwn(reviewed, name));
			if (missing) {
				throw new InputError(
					`No approval was requested: the review message uses '$tool.parameters.${missing}', but the tool call has no such field`,
					`The call has these fields: ${Object.keys(reviewed).join(', ') || 'none'}. Use their names in the review's message, or give an optional field a default: {{ $tool.parameters.${missing} ?? 'none' }}`,
				);
			}
		}
		if (isForItem && isTooLate) {
			throw new InputError(
				'The agent has already finished without the result of this call. Nothing was done',
				"In the workflow's settings, set 'Execution Order' to 'v1 (recommended)'",
			);
		}
		if (isForItem && hasSeveralItems) {
			throw new InputError(
				"This tool could use another item's data: the agent has several items, and n8n can't tell which one a tool call is for. Nothing was done",
				"If the agent should run once, e.g. after a list of opt-outs, turn on 'Settings > Execute Once' in the agent. If it should run for each item, put Loop Over Items with Batch Size 1 before the agent",
			);
		}
		if (readsFirstItem) {
			throw new InputError(
				"This tool could use another item's data: in a loop, behind a node's second output, and for an agent inside an agent, n8n can read .item from the first item. Nothing was done",
				"In the tool's fields, use $json instead of .item, or $('Node').first() for a node inside the loop. Behind a second output, e.g. of an If node, you can also add a No Operation node before the agent. An agent inside an agent also needs Loop Over Items with Batch Size 1 before the outer agent",
			);
		}
		const json = items[item]?.json ?? {};
		const { query } = json;
		// `$fromAI` prefers the values in `query`. A user who reviews the call could see one recipient while the
		// message goes to another.
		const hidden =
			isJson(query) &&
			[...ownFields, 'tool', 'toolParameters'].find((name) => Object.hasOwn(query, name));
		if (hidden) {
			throw new InputError(
				`The model passed '${hidden}' inside 'query', where it would replace the visible field. Nothing was done`,
				"Call the tool only with the fields in its schema. If 'query' comes from a Webhook node, rename that parameter",
			);
		}
		const foreign =
			isChecked && findForeignField(ofOldAgent?.[0] ?? json, { expected, outer, agents });
		if (!foreign) return;
		throw new InputError(
			`The model tried to set '${foreign}', which only the workflow may set. Nothing was done`,
			'Call the tool only with the fields in its schema',
		);
	};
}
