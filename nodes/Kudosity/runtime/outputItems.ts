import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { OutcomeUnknownError } from '../api/errors';
import type { Json } from '../lib/json';
import { createYielder, createNodeClock, mapYielding } from './clock';
import { isNotStarted, type Results } from './itemRunner';
import type { FailureCode } from '../api/failureCodes';
import { joinSentences } from '../lib/text';
import { toNodeError } from './nodeErrors';

type NodeError = ReturnType<typeof toNodeError>;
type Place = { item: number; isDry: boolean };

/** Records come from JSON, so they are what n8n calls an IDataObject. */
const toItem = (
	record: Json,
	item: number,
	{ binary }: Partial<INodeExecutionData> = {},
): INodeExecutionData => ({
	json: record as IDataObject,
	...(binary && { binary }),
	pairedItem: { item },
});

const codeOf = ({ context }: NodeError): FailureCode => context.code as FailureCode;

/** What a dry run says of an item at which the real one would stop. */
const toRefusedItem = (error: NodeError, { item }: Place): INodeExecutionData => ({
	json: {
		dryRun: true,
		refused: true,
		reason: joinSentences(error.message, error.description),
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
	{ item, isDry }: Place,
): INodeExecutionData => {
	const details = { code: codeOf(error), ...(isDry && { dryRun: true }) };
	const json = { error: joinSentences(error.message, error.description), details };
	const failed: INodeExecutionData = { json, pairedItem: { item } };
	return node.onError === 'continueErrorOutput'
		? Object.defineProperty(failed, 'error', { value: error })
		: failed;
};

type Options = {
	node: INode;
	/** Whether failures are items of their own. */
	continues: boolean;
	/** Whether a re-run leaves alone what was accepted. */
	remembersAnswers: boolean;
	/** Of an operation whose items go out together. */
	isSentInPart?: (answer: Json) => boolean;
	/** The items that came in, where they keep their files. */
	inputs?: INodeExecutionData[];
};

/** Says how far the batch got: without Continue On Fail only the first failure is shown. */
const progressOf = (
	results: Results,
	total: number,
	{ shown, remembersAnswers, isSentInPart = () => false }: Options & { shown: unknown },
): string => {
	const fulfilled = results.filter((result) => result.status === 'fulfilled');
	const inPart = fulfilled.filter(({ value }) => value.some(isSentInPart)).length;
	const done = fulfilled.length - inPart;
	const unknown = results.filter(
		(result) =>
			result !== shown &&
			result.status === 'rejected' &&
			result.reason instanceof OutcomeUnknownError,
	).length;
	if (done + inPart + unknown === 0) return '';
	return [
		`${done} of ${total} items were done`,
		...(inPart === 0 ? [] : [`${inPart} went to a part of its numbers only`]),
		...(unknown === 0 ? [] : [`the outcome of ${unknown} more is unknown`]),
		...(remembersAnswers ? ['Retry On Fail does not repeat what was accepted'] : []),
	].join('; ');
};

/**
 * The items that the results become, each paired with its input item; those that never began have no result.
 *
 * @throws NodeApiError | NodeOperationError of the first item that failed, unless the node continues on fail
 */
export const outputItems = async (
	results: Results,
	items: Array<{ isDry: boolean }>,
	options: Options,
): Promise<INodeExecutionData[]> => {
	const { node, continues, inputs } = options;
	const isDry = (item: number) => items[item]?.isDry === true;
	const stopsAtAnother = results.some(
		(result, item) => result.status === 'rejected' && !isNotStarted(result) && !isDry(item),
	);
	const itemsOf = (result: Results[number], item: number): INodeExecutionData[] => {
		if (result.status === 'fulfilled')
			return result.value.map((json) => toItem(json, item, inputs?.[item]));
		// It stopped at another item, whose failure is the one to show.
		if (stopsAtAnother && isNotStarted(result)) return [];
		const error = toNodeError(node, result.reason, item);
		const place = { item, isDry: isDry(item) };
		if (continues) return [toFailedItem(node, error, place)];
		if (place.isDry) return [toRefusedItem(error, place)];
		const progress = progressOf(results, items.length, { ...options, shown: result });
		error.description = joinSentences(error.description, progress);
		throw error;
	};
	// Not the clock of the execution: what was done is put out although the user stops it now.
	const breathe = createYielder(createNodeClock(undefined));
	return (await mapYielding(results, itemsOf, breathe)).flat();
};
