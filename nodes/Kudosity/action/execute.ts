import type { IExecuteFunctions, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';
import { InputError } from '../api/errors';
import { mapConcurrently, maxInFlight, settle, settleNow } from '../lib/async';
import { findOperation, type Resource } from '../fields/operation';
import { ask } from '../question/ask';
import { continuesOnFail, isAgentOrTool, isTool } from '../send/agentTool';
import type { Prepared, Results } from '../send/attempt';
import { createTally } from '../send/dryRun';
import { createPipeline, type Pipeline } from '../send/pipeline';
import { runBatches } from './batch';
import { createNodeClock, createYielder, mapYielding } from '../n8n/clock';
import { requireSharedCredential } from '../n8n/credentials';
import {
	createCircuitBreaker,
	createItemRunner,
	isNotStarted,
	type ItemRunner,
} from './itemRunner';
import { failureCodeOf } from '../api/failureCodeOf';
import { toNodeError } from '../n8n/nodeErrors';
import { annotateItems, outputItems } from './outputItems';
import { createReadContext, readItems } from './readItems';
import { describeProblems, describeRun, describeStop } from './summary';
import { createTransports } from '../n8n/transport';

/**
 * Runs the items side by side, then looks for messages whose answer was lost. If that closes the circuit breaker again,
 * the items that were not started continue.
 */
const runEach = async (
	items: Prepared[],
	{ runItem, breaker }: ItemRunner,
	pipeline: Pipeline | undefined,
): Promise<Results> => {
	const results: Results = [];
	const isOver = () => !breaker.isClosed();
	do {
		const left = items.filter(({ item }) => isNotStarted(results[item]));
		const options = { maxInFlight, isOver };
		const ended = await mapConcurrently(left, async (each) => await runItem(each), options);
		ended.forEach((result, index) => (results[left[index]!.item] = result));
		const { answers = [], missing = 0 } = (await pipeline?.resolve()) ?? {};
		if (missing > 0) breaker.failed();
		else breaker.answered();
		for (const [item, answer] of answers) results[item] = { status: 'fulfilled', value: [answer] };
	} while (!isOver() && items.some(({ item }) => isNotStarted(results[item])));
	return results;
};

/** After a step of an earlier node, the editor's "Execute previous nodes" runs its node, too: this one, or our agent. */
const isUnasked = (context: IExecuteFunctions, name: string): boolean => {
	const { runExecutionData } = context as { runExecutionData?: IRunExecutionData };
	const destination = runExecutionData?.startData?.destinationNode;
	return destination?.mode === 'exclusive' && isAgentOrTool(context, destination.nodeName, name);
};

/**
 * The action node: reads the fields of all items, runs the operation for each, several at a time, and returns its
 * records in the order of the items. All fields are checked before the first request: without Continue On Fail, one
 * wrong value sends nothing. After a later failure, nothing new starts, and what is under way is waited for.
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
	if ((operation.sends || operation.once) && isUnasked(context, node.name)) {
		const text = 'Nothing was sent or changed: only the previous nodes were to run';
		throw toNodeError(node, new InputError(text, "To run this node, select 'Execute step'"));
	}
	const clock = createNodeClock(context.getExecutionCancelSignal());
	const cleanupClock = createNodeClock(undefined);
	const yieldIfDue = createYielder(clock);
	const { tally, request: countRequest } = createTally();
	const continues = continuesOnFail(context);
	const breaker = createCircuitBreaker(!continues);
	const openTransports = (canStart: () => boolean) =>
		createTransports(context, clock, { canStart });
	const shared = { context, operation, failureCodeOf, clock, cleanupClock, openTransports };
	const pipeline =
		operation.sends || operation.once ? createPipeline({ ...shared, ...breaker }) : undefined;

	const prepare = async (): Promise<Prepared[]> => {
		const readContext = await createReadContext(context, operation, connection);
		const credential = await settle(requireSharedCredential(context, connection));
		const read = await readItems(context, operation, { readContext, yieldIfDue });
		const plan = (each: Prepared): Prepared => {
			if ('error' in each) return each;
			const { item, isDry } = each;
			if (credential.status === 'rejected') return { item, isDry, error: credential.reason };
			const planned = settleNow(() => pipeline?.plan(each));
			return planned.status === 'rejected' ? { item, isDry, error: planned.reason } : each;
		};
		return await mapYielding(read, plan, yieldIfDue);
	};
	const asNodeError = (error: unknown): never => {
		throw toNodeError(node, error);
	};
	const items = await prepare().catch(asNodeError);
	const wrong = items.find((each) => 'error' in each && !each.isDry);
	if (!continues && wrong && 'error' in wrong) {
		const error = toNodeError(node, wrong.error, wrong.item);
		if (operation.sends) error.description = describeProblems(error.description, wrong, items);
		throw error;
	}
	if (operation.annotator) {
		const how = { annotate: operation.annotator(), yieldIfDue };
		return [await annotateItems(context, items, how).catch(asNodeError)];
	}

	const transportAt = openTransports(breaker.mayRequest);
	const shares = { operation, pipeline, clock, transportAt, breaker, yieldIfDue, countRequest };
	const runner = createItemRunner(context, shares);
	const run = async (): Promise<Results> => {
		if (operation.batch) return await runBatches(items, runner, operation.batch);
		return await runEach(items, runner, pipeline);
	};
	const question =
		operation.asks && (await ask(context, items, { runner, clock, asks: operation.asks }));
	const results = question?.results ?? (await (pipeline?.share(items, run) ?? run()));
	const told = { operation, tally, stops: !continues };
	if (operation.sends && context.getExecutionCancelSignal()?.aborted) {
		// n8n keeps no output of a node that was stopped.
		context.logger.warn(describeStop(items, results, told), { node: node.name });
	}
	const output = await outputItems(results, items, {
		node,
		continues,
		remembersAnswers: pipeline !== undefined,
		isSentInPart: operation.batch?.isSentInPart,
	});
	const hint = operation.sends && !isTool(context) && describeRun(items, results, told);
	if (hint) context.addExecutionHints({ message: hint, location: 'outputPane' });
	return [(await question?.suspend?.(output)) ?? output];
};
