import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { InputError, OutcomeUnknownError } from '../api/errors';
import type { FailureCode } from '../api/failureCodes';
import { type Input, unwrittenKind } from '../fields/field';
import { settleNow } from '../lib/async';
import { isTaken, type Json, withValueAt } from '../lib/json';
import { joinSentences } from '../lib/text';
import type { Annotation } from '../fields/operation';
import type { Prepared, Results } from '../send/attempt';
import { createUnstoppableClock, createYielder, mapYielding, type YieldIfDue } from '../n8n/clock';
import { isNotStarted } from '../send/circuitBreaker';
import { toNodeError } from '../n8n/nodeErrors';

type NodeError = ReturnType<typeof toNodeError>;
type Place = { item: number; isDry: boolean };

/** Turns a record into an n8n item. Records come from JSON, so they match n8n's IDataObject. */
export function toItem(
	record: Json,
	item: number,
	{ binary }: Partial<INodeExecutionData> = {},
): INodeExecutionData {
	return { json: record as IDataObject, ...(binary && { binary }), pairedItem: { item } };
}

const codeOf = ({ context }: NodeError): FailureCode => context.code as FailureCode;

/**
 * Marks an item as failed, so n8n passes it to the error output. n8n 2 recognizes a failed item by the keys of its
 * JSON, n8n 1 by an `error` property next to the JSON. The property isn't enumerable, because n8n might otherwise
 * replace the JSON with the error's message.
 */
export function withHiddenError(item: INodeExecutionData, message: string): INodeExecutionData {
	return Object.defineProperty(item, 'error', { value: { message } });
}

const ownerMustCorrect = "If the workflow sets this value, the workflow's owner has to correct it";

/**
 * Returns what a model reads instead of a remedy for the workflow's owner. A model would otherwise guess the missing
 * digits of a number, put a placeholder in quotes, or send a message again that may have been sent.
 */
function remedyForModel(code: unknown, reason: unknown): string | undefined {
	if (reason instanceof OutcomeUnknownError) {
		return "Don't repeat it. Say that it may have gone through, and that somebody has to check in Kudosity";
	}
	if (code === ('invalid_number' satisfies FailureCode)) {
		return `Don't change or complete the number. Ask for it, with its country code. ${ownerMustCorrect}`;
	}
	const isText = reason instanceof InputError && reason.notes.kind === unwrittenKind;
	return isText
		? `Write the text with the real value, or ask for the value. ${ownerMustCorrect}`
		: undefined;
}

/** Turns the reason for an item's failure into an n8n error, with a remedy that suits the reader. */
export function toItemError(
	{ node, isTool }: Pick<Options, 'node' | 'isTool'>,
	reason: unknown,
	item: number,
): NodeError {
	const error = toNodeError(node, reason, item);
	const remedy = isTool ? remedyForModel(error.context.code, reason) : undefined;
	if (remedy !== undefined) error.description = remedy;
	return error;
}

function toFailedItem(error: NodeError, { node }: Options, { item, isDry }: Place) {
	const { canRetry, nextAllowedAt } = error.context;
	const details = {
		code: codeOf(error),
		...(canRetry === true && { canRetry }),
		...(typeof nextAllowedAt === 'string' && { nextAllowedAt }),
		...(error.context.tried === false && { tried: false }),
		...(isDry && { dryRun: true }),
	};
	const json = { error: joinSentences(error.message, error.description), details };
	const failed: INodeExecutionData = { json, pairedItem: { item } };
	return node.onError === 'continueErrorOutput' ? withHiddenError(failed, json.error) : failed;
}

export type Options = {
	node: INode;
	/** Whether a model reads the output. */
	isTool?: boolean;
	/** Whether failed items are output as items instead of failing the node. */
	continues: boolean;
	/** Whether the node remembers accepted items, so Retry On Fail doesn't send them again. */
	remembersAnswers: boolean;
	/** The input items. Set if the output includes their files. */
	keptFiles?: INodeExecutionData[];
	/** Shapes an answer for the output. By default, the answer is output unchanged. */
	shape?: (answer: Json, item: number) => Json;
	/** Returns the record to output for a failure, or undefined if the failure isn't output as a record. */
	recordOfFailure?: (reason: unknown, item: number) => Json | undefined;
};

/**
 * Describes how far the run got. This is added to the error of the first failure, which is all that users see if the
 * node doesn't continue on fail.
 */
function progressOf(
	results: Results,
	total: number,
	{ shown, remembersAnswers }: Options & { shown: unknown },
): string {
	const done = results.filter(({ status }) => status === 'fulfilled').length;
	const unknown = results.filter(
		(result) =>
			result !== shown &&
			result.status === 'rejected' &&
			result.reason instanceof OutcomeUnknownError,
	).length;
	if (done + unknown === 0) return '';
	return [
		`${done} of ${total} items were completed`,
		...(unknown === 0 ? [] : [`${unknown} more not confirmed`]),
		...(remembersAnswers ? ["'Retry On Fail' does not repeat accepted items"] : []),
	].join('; ');
}

/**
 * Turns the results into n8n items, in the order of the input.
 *
 * @throws NodeApiError | NodeOperationError - for the first item that failed, unless the node continues on fail
 */
export async function outputItems(
	results: Results,
	items: Array<{ isDry: boolean }>,
	options: Options,
): Promise<INodeExecutionData[]> {
	const { continues, keptFiles, shape = (answer) => answer, recordOfFailure } = options;
	const isDry = (item: number) => items[item]?.isDry === true;
	const stopsAtAnother = results.some(
		(result, item) => result.status === 'rejected' && !isNotStarted(result) && !isDry(item),
	);
	const itemsOf = (result: Results[number], item: number): INodeExecutionData[] => {
		if (result.status === 'fulfilled')
			return result.value.map((json) => toItem(shape(json, item), item, keptFiles?.[item]));
		const record = recordOfFailure?.(result.reason, item);
		if (record) return [toItem(record, item)];
		// This item was not started because another one failed, and the other one's failure is shown instead.
		if (!continues && stopsAtAnother && isNotStarted(result)) return [];
		const error = toItemError(options, result.reason, item);
		if (continues) return [toFailedItem(error, options, { item, isDry: isDry(item) })];
		const progress = progressOf(results, items.length, { ...options, shown: result });
		error.description = joinSentences(error.description, progress);
		throw error;
	};
	// The clock can't be stopped, because finished work is output even if the user stops the run now.
	const yieldIfDue = createYielder(createUnstoppableClock());
	return (await mapYielding(results, itemsOf, yieldIfDue)).flat();
}

/** Adds one field to each item. Used by operations that make no requests. */
export async function annotateItems(
	context: IExecuteFunctions,
	items: Prepared[],
	{ annotate, yieldIfDue }: { annotate: (input: Input) => Annotation; yieldIfDue: YieldIfDue },
): Promise<INodeExecutionData[]> {
	const inputs = context.getInputData();
	const replaced: string[] = [];
	const annotateItem = (each: Prepared): Json[] => {
		if ('error' in each) throw each.error;
		const { path, value } = annotate(each.input);
		const json = inputs[each.item]?.json ?? {};
		if (isTaken(json, path)) replaced.push(path.join('.'));
		return [withValueAt(json, path, value)];
	};
	const results = await mapYielding(
		items,
		(each) => settleNow(() => annotateItem(each)),
		yieldIfDue,
	);
	if (replaced.length > 0) {
		context.addExecutionHints({
			message: `The input field '${replaced[0]}' was replaced in ${replaced.length} of ${items.length} items. To keep it, change 'Output Field'`,
			location: 'outputPane',
		});
	}
	const how = { node: context.getNode(), continues: context.continueOnFail() };
	return await outputItems(results, items, { ...how, remembersAnswers: false, keptFiles: inputs });
}
