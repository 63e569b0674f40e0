import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { z } from 'zod/v4';
import { createClient } from '../api/client';
import { NotBegunError } from '../api/errors';
import { mapConcurrently } from './mapConcurrently';
import { createNodeClock } from './nodeClock';
import { createTransports } from './nodeTransport';
import type { Json, Operation, Output, Resource } from './operation';
import { parseInput } from './parseInput';
import { progressOf } from './progress';
import { createSendOnce } from './sending';
import { sentences } from './sentences';
import { toNodeError } from './toNodeError';

/** Enough to fill 15 requests/s while each takes up to 3 s, little enough to stop quickly. */
const mostInFlight = 50;

type Input = z.output<z.ZodObject>;
type Prepared = { input: Input } | { error: unknown };

const findOperation = (
	context: IExecuteFunctions,
	resources: Resource[],
): Operation | undefined => {
	const resource = context.getNodeParameter('resource', 0);
	const operation = context.getNodeParameter('operation', 0);
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
};

/** Fields that another field hides (Limit, while Return All is on) have no value. */
const readValues = (context: IExecuteFunctions, { input }: Operation, itemIndex: number) => {
	const { parameters } = context.getNode();
	return Object.fromEntries(
		Object.keys(input.shape)
			.filter((name) => name in parameters)
			.map((name) => [
				name,
				context.getNodeParameter(name, itemIndex, undefined, { extractValue: true }),
			]),
	);
};

const prepare = (context: IExecuteFunctions, operation: Operation, itemIndex: number): Prepared => {
	try {
		return { input: parseInput(operation, readValues(context, operation, itemIndex)) };
	} catch (error) {
		return { error };
	}
};

/** Collected before anything is passed on: a failure on page 3 leaves no half list. */
const collect = async (output: Output): Promise<Json[]> => {
	if (Array.isArray(output)) return output;
	if (!(Symbol.asyncIterator in output)) return [output];
	const records: Json[] = [];
	for await (const record of output as AsyncIterable<Json>) records.push(record);
	return records;
};

const requestsPerSecondOf = ({ options }: Input): number | undefined => {
	const value = (options as { requestsPerSecond?: unknown } | undefined)?.requestsPerSecond;
	return typeof value === 'number' ? value : undefined;
};

/**
 * Runs one operation on one item. Made once per node run, so that credential and memory are read once.
 * With `stopAtFailure`, items that wait for their turn when another one fails make no request any more.
 */
const createRunner = (
	context: IExecuteFunctions,
	{ operation, stopAtFailure }: { operation: Operation; stopAtFailure: boolean },
) => {
	let hasFailed = false;
	const mayBegin = () => !(hasFailed && stopAtFailure);
	const clock = createNodeClock(context.getExecutionCancelSignal());
	const transportAt = createTransports(context, clock, { mayBegin });
	const { sendOnce, hasBegun } = createSendOnce(context);
	const timeZone = context.getTimezone();
	const run = async (prepared: Prepared, itemIndex: number): Promise<Json[]> => {
		if ('error' in prepared) throw prepared.error;
		const client = createClient(transportAt(requestsPerSecondOf(prepared.input)));
		const services = { client, clock, timeZone, sendOnce: sendOnce(itemIndex) };
		return await collect(await operation.run(services, prepared.input));
	};
	const runItem = async (prepared: Prepared, itemIndex: number): Promise<Json[]> =>
		await run(prepared, itemIndex).catch((error: unknown) => {
			hasFailed = true;
			throw error;
		});
	return { runItem, remembersAnswers: hasBegun };
};

/** Records come from JSON, so they are what n8n calls an IDataObject. */
const toItem = (record: Json, item: number): INodeExecutionData => ({
	json: record as IDataObject,
	pairedItem: { item },
});

/**
 * The one loop of the action node: reads each item's fields, runs the operation with overlapping requests,
 * and gives back its records in the order of the items, each paired with its item.
 *
 * All fields are checked before the first request: without Continue On Fail, one wrong value in a batch
 * sends nothing. A failure later on stops what has not begun and waits for what has.
 *
 * @throws NodeApiError | NodeOperationError of the first item that failed, unless the node continues on fail
 */
export const executeOperations = async (
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> => {
	const node = context.getNode();
	const operation = findOperation(context, resources);
	if (!operation) throw toNodeError(node, new Error('This operation does not exist'));

	const prepared = context
		.getInputData()
		.map((_, itemIndex) => prepare(context, operation, itemIndex));
	const continues = context.continueOnFail();
	const wrong = prepared.findIndex((item) => 'error' in item);
	const firstWrong = prepared[wrong];
	if (!continues && firstWrong && 'error' in firstWrong) {
		throw toNodeError(node, firstWrong.error, wrong);
	}

	const stopAtFailure = !continues;
	const { runItem, remembersAnswers } = createRunner(context, { operation, stopAtFailure });
	const results = await mapConcurrently(prepared, runItem, { mostInFlight, stopAtFailure });
	const output = results.flatMap((result, item): INodeExecutionData[] => {
		if (result.status === 'fulfilled') return result.value.map((json) => toItem(json, item));
		// It stopped at another item, whose failure is the one to show.
		if (result.reason instanceof NotBegunError) return [];
		const error = toNodeError(node, result.reason, item);
		// One text with the reason; with an `error` beside it, n8n would put its message alone in place of this.
		const text = sentences(error.message, error.description);
		if (continues) return [{ json: { error: text }, pairedItem: { item } }];
		const progress = progressOf(results, {
			shown: result,
			total: prepared.length,
			remembersAnswers: remembersAnswers(),
		});
		error.description = sentences(error.description, progress);
		throw error;
	});
	return [output];
};
