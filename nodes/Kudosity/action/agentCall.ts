import {
	type FromAIArgument,
	type IDataObject,
	type IExecuteFunctions,
	type INodeParameters,
	type ISourceData,
	traverseNodeParameters,
} from 'n8n-workflow';
import { InputError } from '../api/errors';
import { once } from '../lib/async';
import { isJson } from '../lib/json';
import type { Operation } from '../fields/operation';
import { hostOf, isOldAgentTool } from '../n8n/host';
import { findRun } from '../n8n/runData';
import { evaluate, readsItem } from './nodeReads';

/** Whether the node `name` is the node `agent` or one of its tools. */
export function isAgentOrTool(context: IExecuteFunctions, agent: string, name: string): boolean {
	const tools = context.getParentNodes(agent, { connectionType: 'ai_tool' });
	return [agent, ...tools.map((tool) => tool.name)].includes(name);
}

/** Counts the items in the output of the previous node, which `source` identifies. If they can't be read, returns 1. */
function countItems(context: IExecuteFunctions, source: ISourceData): number {
	const items = `$(${JSON.stringify(source.previousNode)}).all(${source.previousNodeOutput ?? 0})`;
	return Number(evaluate(context, `${items}.length`) ?? 1);
}

/**
 * Counts the items of an agent that runs again in a loop, where it can have one item in one run, and several in the
 * next. Its items come from whichever node before it ran last.
 */
function countLatestItems(context: IExecuteFunctions, agent: string): number {
	const before = context.getParentNodes(agent, { depth: 1 });
	const runs = before.map(({ name }) => findRun(context, name));
	const [latest] = runs.sort((one, other) => (other.startedMs ?? 0) - (one.startedMs ?? 0));
	return Math.max(1, ...(latest?.outputs ?? []).map((rows) => rows?.length ?? 0));
}

type Caller = {
	/**
	 * How many items the calling agent processes. Undefined after the model's first round of tool calls, because n8n
	 * doesn't pass on the information then. If the agent runs again in a loop, the items are counted in n8n's data.
	 */
	items?: number;
	/**
	 * Whether n8n pairs the call with the first item. It does so if the agent is a tool of another agent, and, for an
	 * agent of version 3, from the second run in a loop on.
	 */
	readsFirstItem: boolean;
};

function findCaller(context: IExecuteFunctions): Caller {
	const { data, metadata, source } = context.getExecuteData();
	const items = data.main?.[0] ?? [];
	const [paired] = [items[0]?.pairedItem].flat();
	const overwrite = typeof paired === 'object' ? paired.sourceOverwrite : undefined;
	const input = metadata?.preservedSourceOverwrite ?? overwrite;
	const { previousNode: agent = '', previousNodeRun: run = 0 } = source?.main?.[0] ?? {};
	const isOfInput = input !== undefined && isAgentOrTool(context, input.previousNode, agent);
	if (isOldAgentTool(context)) {
		// Only an outer agent of version 3 passes on the source of its item, so a source means that the calling agent
		// is nested.
		return { items: items.length, readsFirstItem: input !== undefined };
	}
	const isNested = isOfInput && input.previousNode !== agent;
	const readsFirstItem = isNested || run > 0;
	if (!input) return { items: 1, readsFirstItem };
	if (!isOfInput) return { items: countItems(context, input), readsFirstItem };
	return { items: run > 0 ? countLatestItems(context, agent) : undefined, readsFirstItem };
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

/**
 * The indices of the outputs that are read from a node. Few nodes have more than ten, and n8n doesn't say how many a
 * node has.
 */
const outputs = [...Array(10).keys()];

/** Reads the items of the nodes before the calling agent. Outputs that don't exist or can't be read are left out. */
function agentItems(context: IExecuteFunctions): IDataObject[] {
	const agent = context.getExecuteData().source?.main?.[0]?.previousNode ?? '';
	const before = context.getParentNodes(agent, { depth: 1 });
	return before.flatMap(({ name }) =>
		outputs.flatMap((output) => {
			const items = `$(${JSON.stringify(name)}).all(${output})`;
			const read = evaluate(context, `${items}.map(({ json }) => json)`);
			return Array.isArray(read) ? (read as IDataObject[]) : [];
		}),
	);
}

/**
 * Matches the names that `$fromAI` accepts. For fields with other names, or with the value null, `$fromAI` can't tell
 * whether the model has set them.
 */
const fromAiName = /^[\w-]{1,64}$/;

const isSame = (one: unknown, other: unknown): boolean =>
	JSON.stringify(one) === JSON.stringify(other);

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
	return Object.entries(deciding).flatMap(([label, value]) => {
		const found: FromAIArgument[] = [];
		traverseNodeParameters({ value }, found);
		return found.length > 0 ? [label] : [];
	});
}

/**
 * Whether n8n itself adds a field to a tool call. n8n adds objects only to reviews: the call to review. Other objects
 * with one of these names come from the model, or from the agent's own item, such as the `query` of a Webhook node.
 */
function isAddedByN8n(name: string, value: unknown, isReview: boolean): boolean {
	const isOfReview = isReview && ['tool', 'toolParameters'].includes(name);
	const isText = ['query', 'tool', 'toolParameters'].includes(name) && !isJson(value);
	return name === 'toolCallId' || isOfReview || isText;
}

/**
 * Creates a check for an agent's calls to this tool, because n8n doesn't check them against the tool's schema. If the
 * agent has several items, n8n may also read the tool's fields from a different item than the one the agent is working
 * on.
 *
 * @param memory - state that lasts as long as the execution
 * @returns a function that checks an item's tool call, and throws InputError if the call must be refused
 */
export function createCallCheck(
	context: IExecuteFunctions,
	{ sends, once: isDoneOnce }: Operation,
	memory: { agentHasSeveralItems?: boolean },
): (item: number) => void {
	const { isTool, isReview } = hostOf(context);
	if (!isTool) return () => undefined;
	const { parameters, rewireOutputLogTo } = context.getNode();
	const placeholders: FromAIArgument[] = [];
	traverseNodeParameters(parameters, placeholders);
	const ownFields = placeholders.map(({ key }) => key);
	const shown = [...JSON.stringify(parameters).matchAll(shownField)].map(
		([, name, quoted]) => (name ?? quoted)!,
	);
	const ownChoices = isReview ? choicesOfModel(parameters, shown.length > 0) : [];
	const items = context.getInputData();
	const ofAgent = once(() => agentItems(context));
	const caller = findCaller(context);
	if (caller.items !== undefined) memory.agentHasSeveralItems = caller.items > 1;
	const readsFirstItem = caller.readsFirstItem && pairedItem.test(JSON.stringify(parameters));
	const isForItem = sends !== undefined || isDoneOnce !== undefined || dependsOnItem(parameters);

	/**
	 * Whether `$fromAI` reads only values that the model has set. Before n8n 2, it also reads the item's own fields.
	 * That is recognized by `toolCallId`, which n8n adds to the item.
	 */
	const tellsWhoSetIt = (item: number): boolean =>
		rewireOutputLogTo !== undefined &&
		givenBy(context, 'toolCallId', item) !== items[item]?.json.toolCallId;

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
		if (isForItem && memory.agentHasSeveralItems) {
			throw new InputError(
				"This tool could use another item's data: the agent has several items, and n8n can't tell which one a tool call is for. Nothing was done",
				'Put Loop Over Items with Batch Size 1 before the agent',
			);
		}
		if (readsFirstItem) {
			throw new InputError(
				"This tool would use another item's data: in a loop, and for an agent inside an agent, n8n reads .item from the first item. Nothing was done",
				"In the tool's fields, use $json, or $('Node').first() for a node inside the loop, instead of .item. An agent inside an agent also needs Loop Over Items with Batch Size 1 before the outer agent",
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
		// If `$fromAI` can't tell whether the model set a field, the items before the agent are compared: if one of
		// them has the same field with the same value, the model didn't set it.
		const isSetByModel = (name: string): boolean =>
			json[name] !== null && fromAiName.test(name)
				? givenBy(context, name, item) !== undefined
				: !ofAgent().some((each) => isSame(each[name], json[name]));
		const foreign =
			tellsWhoSetIt(item) &&
			Object.keys(json).find((name) => {
				const isExpected = ownFields.includes(name) || isAddedByN8n(name, json[name], isReview);
				return !isExpected && isSetByModel(name);
			});
		if (!foreign) return;
		throw new InputError(
			`The model tried to set '${foreign}', which only the workflow may set. Nothing was done`,
			'Call the tool only with the fields in its schema',
		);
	};
}
