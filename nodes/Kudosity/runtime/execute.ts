import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { mapConcurrently, maxInFlight } from '../lib/async';
import { attempt } from '../fields/field';
import { findOperation, type Resource } from '../operation';
import type { Prepared } from '../send/attempt';
import { createPipeline, type Pipeline } from '../send/pipeline';
import { createTally } from '../send/dryRun';
import { annotateItems } from './annotate';
import { runBatches } from './batch';
import { createYielder, createNodeClock, mapYielding } from './clock';
import {
	type CircuitBreaker,
	createCircuitBreaker,
	createItemRunner,
	isNotStarted,
	type ItemRunner,
	type Results,
} from './itemRunner';
import { notShared } from './credentials';
import { createTransports } from './transport';
import { outputItems } from './outputItems';
import { readItems, readContext } from './readItems';
import { toNodeError } from './nodeErrors';
import { ask } from '../question/ask';

/** Looks for the messages of unknown outcome, and says what the items came to that had one. */
const resolveDoubts = async (pipeline: Pipeline | undefined, breaker: CircuitBreaker) => {
	const { answers = [], missing = 0 } = (await pipeline?.resolve()) ?? {};
	if (missing > 0) breaker.failed();
	else breaker.answered();
	return answers;
};

/** One request or more for each item. Those of unknown outcome are looked up when all others are done. */
const runEach = async (
	items: Prepared[],
	{ runItem, breaker }: ItemRunner,
	pipeline: Pipeline | undefined,
): Promise<Results> => {
	const results: Results = [];
	const isOver = () => !breaker.isClosed();
	do {
		const begun = items.filter(({ item }) => isNotStarted(results[item]));
		const how = { maxInFlight: maxInFlight, stopAtFailure: false, isOver };
		const ended = await mapConcurrently(begun, async (each) => await runItem(each), how);
		ended.forEach((result, index) => (results[begun[index]!.item] = result));
		for (const [item, answer] of await resolveDoubts(pipeline, breaker)) {
			results[item] = { status: 'fulfilled', value: [answer] };
		}
	} while (!isOver() && items.some(({ item }) => isNotStarted(results[item])));
	return results;
};

/**
 * The one way through the action node: reads each item's fields, runs the operation with overlapping requests,
 * and gives back its records in the order of the items, each paired with its item.
 *
 * All fields are checked before the first request: without Continue On Fail, one wrong value in a batch
 * sends nothing. A failure later on stops what has not begun and waits for what has.
 *
 * @throws NodeApiError | NodeOperationError of the first item that failed, unless the node continues on fail
 */
export const execute = async (
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> => {
	const node = context.getNode();
	const found = findOperation(resources, {
		resource: context.getNodeParameter('resource', 0),
		operation: context.getNodeParameter('operation', 0),
	});
	if (!found) throw toNodeError(node, new Error('This operation does not exist'));
	const { operation, connection } = found;

	const clock = createNodeClock(context.getExecutionCancelSignal());
	const cleanupClock = createNodeClock(undefined);
	const breathe = createYielder(clock);
	const tally = createTally();
	const transportsWhile = (mayBegin: () => boolean) =>
		createTransports(context, clock, { mayBegin });
	const pipeline =
		operation.sends || operation.once
			? createPipeline({ context, operation, clock, cleanupClock, transportsWhile }, tally)
			: undefined;

	/** Everything that can be told of the items before the first request. */
	const prepare = async (): Promise<Prepared[]> => {
		const scope = await readContext(context, operation, connection);
		const refusal = await notShared(context, connection);
		const read = await readItems(context, operation, { scope, breathe });
		const check = (each: Prepared): Prepared => {
			if ('error' in each) return each;
			const { item, isDry } = each;
			if (refusal !== undefined) return { item, isDry, error: refusal };
			const planned = attempt(() => pipeline?.plan(each));
			return 'error' in planned ? { item, isDry, error: planned.error } : each;
		};
		return await mapYielding(read, check, breathe);
	};
	const asNodeError = (error: unknown): never => {
		throw toNodeError(node, error);
	};
	const items = await prepare().catch(asNodeError);
	const continues = context.continueOnFail();
	const wrong = items.find((each) => 'error' in each && !each.isDry);
	if (!continues && wrong && 'error' in wrong) throw toNodeError(node, wrong.error, wrong.item);
	if (operation.annotator) {
		const how = { annotate: operation.annotator(), breathe };
		return [await annotateItems(context, items, how).catch(asNodeError)];
	}

	// A dry run goes on: it shows all that is refused.
	const breaker = createCircuitBreaker(!continues && !items.every(({ isDry }) => isDry));
	const transportAt = transportsWhile(breaker.isClosed);
	const running = { operation, pipeline, clock, transportAt, breaker, breathe, tally };
	const runner = createItemRunner(context, running);
	const run = async (): Promise<Results> => {
		if (operation.batch) return await runBatches(items, runner, operation.batch);
		return await runEach(items, runner, pipeline);
	};
	const question =
		operation.asks && (await ask(context, items, { runner, clock, asks: operation.asks }));
	const results = question?.results ?? (await run());
	const output = await outputItems(results, items, {
		node,
		continues,
		remembersAnswers: pipeline !== undefined && !question?.isRefused,
		isSentInPart: operation.batch?.isSentInPart,
	});
	const hint = tally.summary(items, results, !continues);
	if (hint) context.addExecutionHints({ message: hint, location: 'outputPane' });
	await question?.park?.(output);
	return [output];
};
