import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import { allRows, type BlockedList, readBlocked } from '../fields/blockedRecipients';
import { type Field, type ReadContext, refuse, SharedValue } from '../fields/field';
import { inCollection, isExpression } from '../fields/requiredCheck';
import { once } from '../lib/async';
import { isBlank } from '../lib/text';
import { hostOf, isOldAgentTool } from '../n8n/host';
import { createListSource } from './listSource';
import { findSources, readsItem } from './nodeReads';

/**
 * Returns the default country for reading a recipient list that is the same for all items. Returns undefined if an
 * expression sets the country for each item.
 */
function sharedCountry(
	{ country, defaultCountry, options }: INodeParameters,
	readContext: ReadContext,
): string | undefined {
	const own = country ?? defaultCountry ?? inCollection(options).defaultCountry;
	if (isExpression(own)) return undefined;
	return typeof own === 'string' && !isBlank(own) ? own : readContext.defaultCountry;
}

/**
 * Matches a reference to the node's own input. In a tool, the input contains values that the model chose, so Allowed
 * Recipients must not depend on it.
 */
const ownInput = /\$(?:json|input)\b|\$items\(\s*\)/;

/** @throws Refusal - a limit would be set by the very model that it should restrain */
function refuseFilledByModel(name: string): never {
	return refuse(
		"can't be filled in by a model",
		name === 'blockedRecipients'
			? `Use a list that the workflow reads, e.g. ${allRows}`
			: 'Enter a value, or an expression without $fromAI that reads a node before the agent',
	);
}

function refuseModelsChoice(): never {
	return refuse(
		"reads the tool's input, which a model can replace",
		"Refer by name to a node before the agent, e.g. {{ $('Node').first().json.phone }}",
	);
}

/**
 * Reads each of the Sending Limits by its own path, e.g. `limits.maxPerDay`. If they were read as a whole, n8n would
 * evaluate a list of 50,000 opt-outs for every item. A limit without an expression is only read once. So is Blocked
 * Recipients, and also Allowed Recipients if its expression doesn't depend on the item.
 */
export function createLimitsReader(
	context: IExecuteFunctions,
	{ fields }: { fields: readonly Field[] },
	readContext: ReadContext,
) {
	const { parameters } = context.getNode();
	const stored = inCollection(parameters.limits);
	const limits = fields.find(({ property }) => property.name === 'limits')?.fields ?? [];
	const readPath = (name: string, item: number): unknown =>
		context.getNodeParameter(`limits.${name}`, item, undefined, { skipValidation: true });

	const hasList = 'blockedRecipients' in stored;
	const source = createListSource(context, stored.blockedRecipients, () =>
		readPath('blockedRecipients', 0),
	);
	const [read] = hasList ? findSources(context, String(stored.blockedRecipients)) : [];
	const readList = once((): BlockedList => {
		const { isTool, where } = hostOf(context);
		if (read && isTool && context.getExecutionId() === undefined) {
			refuse(
				`reads ${read.name || 'another node'}, but no node can run before this one in ${where}`,
				`Put ${read.name || 'that node'} and this node into a sub-workflow, and use that workflow as the tool`,
			);
		}
		const scope = { ...readContext, defaultCountry: sharedCountry(parameters, readContext) };
		const list = readBlocked(source.read(), scope, source.origin);
		if (list.size === 0 && !isTool) {
			const message = "'Blocked Recipients' is empty, so nobody was skipped";
			context.addExecutionHints({ message, location: 'outputPane' });
		}
		return list;
	});

	const readerOf = (name: string, value: unknown): ((item: number) => unknown) => {
		const readOnce = once(() => readPath(name, 0));
		if (isExpression(value) && /\$fromai\b/i.test(String(value))) {
			const limit = new SharedValue(() => refuseFilledByModel(name));
			return () => limit;
		}
		if (name === 'blockedRecipients') {
			const list = new SharedValue(readList);
			return () => list;
		}
		const isToolOfModel = hostOf(context).isTool && !isOldAgentTool(context);
		const isOpen = isToolOfModel && isExpression(value) && ownInput.test(String(value));
		if (name === 'allowedRecipients' && isOpen) {
			const list = new SharedValue(refuseModelsChoice);
			return () => list;
		}
		if (name === 'allowedRecipients' && !readsItem(value)) {
			const field = limits.find(({ property }) => property.name === name);
			const list = new SharedValue((scope) => field?.read(readOnce(), scope));
			return () => list;
		}
		return isExpression(value) ? (item) => readPath(name, item) : readOnce;
	};
	const readers = Object.entries(stored).map(
		([name, value]) => [name, readerOf(name, value)] as const,
	);
	return {
		read: (item: number) =>
			Object.fromEntries(readers.map(([name, readLimit]) => [name, readLimit(item)])),
		/** Must be called before anything is sent. @throws InputError - Blocked Recipients comes from pinned data */
		checkPinned: (): void => {
			if (hasList) source.checkPinned();
		},
	};
}
