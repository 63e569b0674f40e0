import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import type { Json } from '../api/json';
import { hasNotBegun } from './brake';
import { createBreather, mapInSlices } from './breather';
import { createNodeClock } from './nodeClock';
import type { FailureCode } from './failureCodes';
import { progressOf } from './progress';
import { sentences } from './sentences';
import { toNodeError } from './toNodeError';

type NodeError = ReturnType<typeof toNodeError>;

/** Records come from JSON, so they are what n8n calls an IDataObject. */
const toItem = (record: Json, item: number): INodeExecutionData => ({
	json: record as IDataObject,
	pairedItem: { item },
});

const codeOf = ({ context }: NodeError): FailureCode => context.code as FailureCode;

/** What a dry run says of an item at which the real one would stop. */
const toRefusedItem = (error: NodeError, item: number): INodeExecutionData => ({
	json: {
		dryRun: true,
		refused: true,
		reason: sentences(error.message, error.description),
		details: { code: codeOf(error) },
	},
	pairedItem: { item },
});

/**
 * An item that failed, in words and by its code. n8n's error output takes it by its keys. n8n 1 knows no
 * `details` there: it takes what has an error beside the JSON. That one is hidden, since n8n would put a visible
 * error's message alone in place of the JSON, which it also does on the regular output.
 */
const toFailedItem = (
	node: INode,
	error: NodeError,
	{ item, isDry }: { item: number; isDry: boolean },
): INodeExecutionData => {
	const details = { code: codeOf(error), ...(isDry && { dryRun: true }) };
	const json = { error: sentences(error.message, error.description), details };
	const failed: INodeExecutionData = { json, pairedItem: { item } };
	return node.onError === 'continueErrorOutput'
		? Object.defineProperty(failed, 'error', { value: error })
		: failed;
};

type Ended = {
	node: INode;
	/** In the order of the items. */
	results: Array<PromiseSettledResult<Json[]>>;
	/** How many items there were: those that never began have no result. */
	total: number;
	/** Whether failures are items of their own. */
	continues: boolean;
	/** Whether a re-run leaves alone what was accepted. */
	remembersAnswers: boolean;
	/** Whether nothing was to be sent for an item. */
	isDry: (item: number) => boolean;
	/** Of an operation whose items go out together. */
	isSentInPart?: (answer: Json) => boolean;
};

/**
 * The items that the results become, each paired with its input item.
 *
 * @throws NodeApiError | NodeOperationError of the first item that failed, unless the node continues on fail
 */
export const outputItems = async (ended: Ended): Promise<INodeExecutionData[]> => {
	const { node, results, total, continues, remembersAnswers, isDry, isSentInPart } = ended;
	const stopsAtAnother = results.some(
		(result, item) => result.status === 'rejected' && !hasNotBegun(result) && !isDry(item),
	);
	const itemsOf = (result: PromiseSettledResult<Json[]>, item: number): INodeExecutionData[] => {
		if (result.status === 'fulfilled') return result.value.map((json) => toItem(json, item));
		// It stopped at another item, whose failure is the one to show.
		if (stopsAtAnother && hasNotBegun(result)) return [];
		const error = toNodeError(node, result.reason, item);
		if (continues) return [toFailedItem(node, error, { item, isDry: isDry(item) })];
		if (isDry(item)) return [toRefusedItem(error, item)];
		const progress = progressOf(results, { shown: result, total, remembersAnswers, isSentInPart });
		error.description = sentences(error.description, progress);
		throw error;
	};
	// Not the clock of the execution: what was done is put out although the user stops it now.
	const breathe = createBreather(createNodeClock(undefined));
	return (await mapInSlices(results, itemsOf, breathe)).flat();
};
