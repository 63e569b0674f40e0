import type { INodeExecutionData } from 'n8n-workflow';
import { InputError, isOfItem } from '../api/errors';
import { runCodes, waitingCodes } from '../api/failureCodes';
import { failureCodeOf } from '../api/failureCodeOf';
import { defaultOutputField, type OutputMode } from '../fields/sendOptions';
import { isTaken, type Json, withValueAt } from '../lib/json';
import { joinSentences } from '../lib/text';
import { createUnstoppableClock, createYielder, mapYielding } from '../n8n/clock';
import { toNodeError } from '../n8n/nodeErrors';
import type { Prepared, Results } from '../send/attempt';
import { isNotStarted } from '../send/circuitBreaker';
import {
	failureRecordOf,
	isUnconfirmed,
	recordOf,
	type SendRecord,
	withEveryKey,
} from '../send/sendRecord';
import { skipIn } from '../send/skips';
import { type Options, outputItems, toItem, toItemError, withHiddenError } from './outputItems';

type SendOutput = Options & {
	mode: OutputMode;
	inputs: INodeExecutionData[];
	hint(text: string): void;
};

/** Returns why an item failed, or undefined if it didn't. */
const reasonOf = (result: Results[number]): unknown =>
	result.status === 'rejected' ? result.reason : undefined;

const isOfRun = (reason: unknown): boolean =>
	runCodes.includes(failureCodeOf(reason)) ||
	(reason instanceof InputError && reason.notes.isOfRun === true);

const isWaiting = (reason: unknown): boolean => waitingCodes.includes(failureCodeOf(reason));

/** Whether an item's message was sent, or may have been, so its record must not be lost. */
const isSent = (result: Results[number], each: Prepared): boolean =>
	result.status === 'fulfilled'
		? !each.isDry && !skipIn(result.value[0] ?? {})
		: isUnconfirmed(result.reason, each);

/**
 * Whether any message was or may have been sent. In that case, the node must not throw, because n8n discards the output
 * of a node that throws.
 */
const isAnySent = (results: Results, items: Prepared[]): boolean =>
	results.some((result, item) => isSent(result, items[item]!));

const minEqualFailures = 3;

type FailureOfRun = {
	/** The index of the item whose error the node throws. */
	item: number;
	/** How many items failed in the same way. Undefined if the error concerns all items anyway. */
	count?: number;
};

/**
 * Finds the error that the node throws for the whole run. Either the error concerns all items, or all items failed, and
 * at least three and most of them with the same code, e.g. after a column was renamed. Limits and sending hours don't
 * count, because they are temporary, and a scheduled workflow may meet them every night. Returns undefined if the node
 * must output records instead.
 */
function findFailureOfRun(results: Results, items: Prepared[]): FailureOfRun | undefined {
	if (isAnySent(results, items)) return undefined;
	const ofRun = results.findIndex(
		(result) => result.status === 'rejected' && !isNotStarted(result) && isOfRun(result.reason),
	);
	if (ofRun !== -1) return { item: ofRun };
	// A skipped item, e.g. a landline, says nothing about the others.
	const tried = results.filter(
		(result) => result.status === 'rejected' || !skipIn(result.value[0] ?? {}),
	);
	const codeOf = (result: Results[number]) =>
		result.status === 'rejected' ? failureCodeOf(result.reason) : undefined;
	const codes = new Set(tried.map(codeOf));
	if (codes.has(undefined)) return undefined;
	const withCode = (code: unknown) => tried.filter((result) => codeOf(result) === code);
	const most = [...codes].find((code) => withCode(code).length > tried.length / 2);
	const count = withCode(most).length;
	if (!most || count < minEqualFailures || waitingCodes.includes(most)) return undefined;
	return { item: results.indexOf(withCode(most)[0]!), count };
}

/** Outputs each item once, with its own fields and files, and adds its record under Output Field. */
async function outputResults(results: Results, items: Prepared[], options: SendOutput) {
	const { node, continues, inputs, hint } = options;
	const fieldOf = (each: Prepared | undefined) =>
		each && !('error' in each) ? each.options.outputField : undefined;
	// If an item can't be read, its record goes to the same field as those of the others.
	const usual = items.map(fieldOf).find((field) => field !== undefined) ?? [defaultOutputField];
	const failed = findFailureOfRun(results, items);
	const failure = failed && results[failed.item];
	if (failed && failure?.status === 'rejected' && !continues) {
		const error = toNodeError(node, failure.reason, failed.item);
		if (failed.count !== undefined) {
			error.description = joinSentences(
				`${failed.count} of ${items.length} items have this problem${failureCodeOf(failure.reason) === 'invalid_number' ? ', so the field may read the wrong column' : ''}`,
				error.description,
			);
		}
		throw error;
	}
	let replaced = 0;
	const itemOf = (result: Results[number], item: number): INodeExecutionData => {
		const { json = {}, binary } = inputs[item] ?? {};
		const path = fieldOf(items[item]) ?? usual;
		if (isTaken(json, path)) replaced++;
		const put = (record: SendRecord) => {
			const out = withValueAt(json, path, withEveryKey(record));
			const [first = ''] = path;
			// The editor's table shows the record before the item's own fields, which can be many.
			return toItem({ [first]: out[first], ...out }, item, { binary });
		};
		const each = items[item]!;
		if (result.status === 'fulfilled') return put(recordOf(result.value[0] ?? {}, each));
		const error = toNodeError(node, result.reason, item);
		const out = put(failureRecordOf(error, result.reason, each));
		const isSame =
			failure?.status === 'rejected' &&
			failureCodeOf(failure.reason) === failureCodeOf(result.reason);
		const isForErrorOutput =
			node.onError === 'continueErrorOutput' && (isSame || isOfRun(result.reason));
		return isForErrorOutput ? withHiddenError(out, error.message) : out;
	};
	const output = await mapYielding(results, itemOf, createYielder(createUnstoppableClock()));
	if (replaced > 0) {
		hint(
			`The input field '${usual.join('.')}' was replaced in ${replaced} of ${items.length} items. To keep it, change 'Options > Output Field'`,
		);
	}
	return output;
}

/**
 * Outputs the records of a send in the form that the Output option selects. A node that stops at a failure throws it,
 * with two exceptions: dry-run items are output as records, and if a limit is reached halfway, the remaining items are
 * left to a later run.
 *
 * @throws NodeApiError | NodeOperationError - for the first item that failed, unless the node continues on fail
 */
export async function outputSends(
	results: Results,
	items: Prepared[],
	options: SendOutput,
): Promise<INodeExecutionData[]> {
	const { mode, continues } = options;
	if (mode === 'itemResult') return await outputResults(results, items, options);
	// In other outputs, `outcome` says that an item was a dry run. Raw output consists of Kudosity's responses, which
	// have no `outcome`, so dry-run items are marked.
	const mark = (record: Json, item: number): Json =>
		mode === 'raw' && items[item]!.isDry ? { dryRun: true, ...record } : record;
	const shape = (answer: Json, item: number): Json =>
		mode === 'simplified' || 'outcome' in answer
			? mark(recordOf(answer, items[item]!), item)
			: answer;
	const waits = results.map(reasonOf).filter(isWaiting);
	const isFailure = (result: Results[number], item: number): boolean =>
		result.status === 'rejected' &&
		!isNotStarted(result) &&
		!isWaiting(result.reason) &&
		!items[item]!.isDry;
	// If nothing was sent, and an item failed for another reason, its failure says more than a limit, which is temporary.
	const leavesRest =
		!continues && waits.length > 0 && (isAnySent(results, items) || results.some(isFailure));
	// One person's limit doesn't stop the run, so it isn't why the remaining items weren't sent.
	const stopReason = waits.find((reason) => !isOfItem(reason)) ?? waits[0];
	const recordOfFailure = (reason: unknown, item: number): Json | undefined => {
		const each = items[item]!;
		const isRest = leavesRest && isNotStarted(results[item]);
		const isLeft = isRest || (leavesRest && isWaiting(reason));
		if (!isLeft && !(each.isDry && !continues)) return undefined;
		const why = isRest ? stopReason : reason;
		return mark(failureRecordOf(toItemError(options, why, item), why, each), item);
	};
	return await outputItems(results, items, { ...options, shape, recordOfFailure });
}
