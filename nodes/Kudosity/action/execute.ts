import type { IExecuteFunctions, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';
import { InputError } from '../api/errors';
import { mapConcurrently, maxInFlight, settle, settleNow } from '../lib/async';
import { findOperation, type Resource } from '../fields/operation';
import type { OutputMode } from '../fields/sendOptions';
import { ask } from '../question/ask';
import { type Prepared, refused, type Results } from '../send/attempt';
import { completeResults, createCircuitBreaker, isNotStarted } from '../send/circuitBreaker';
import { createTally } from '../send/dryRun';
import { refuseSharedKeys } from '../send/keyCheck';
import { describeKeyRoom, refuseTooManyKeys } from '../send/keyRoom';
import { describeRepeats, refuseMultiplied } from '../send/multipliedItems';
import { createPipeline, type Pipeline } from '../send/pipeline';
import { isAgentOrTool } from './agentCall';
import { readsItem } from './nodeReads';
import { alignBatch } from './alignBatch';
import { runBatches } from './batch';
import { createNodeClock, createYielder, mapYielding } from '../n8n/clock';
import { requireSharedCredential } from '../n8n/credentials';
import { createItemRunner, type ItemRunner } from './itemRunner';
import { toNodeError } from '../n8n/nodeErrors';
import { annotateItems, outputItems, toItemError } from './outputItems';
import { outputSends } from './sendOutput';
import { createReadContext, readItems } from './readItems';
import { describeProblems, describeRun, describeStop } from './summary';
import { hostOf } from '../n8n/host';
import { findFullNode } from '../n8n/runData';
import { createTransports } from '../n8n/transport';

/**
 * Runs the items concurrently, and then searches for messages whose response was lost. If the messages are found, the
 * circuit breaker can close again. In that case, the items that were not started are run, too.
 */
async function runEach(
	items: Prepared[],
	{ runItem, breaker }: ItemRunner,
	pipeline: Pipeline | undefined,
): Promise<Results> {
	const results: Results = [];
	const isOver = () => !breaker.isClosed();
	do {
		const remaining = items.filter(({ item }) => isNotStarted(results[item]));
		const options = { maxInFlight, isOver };
		const ended = await mapConcurrently(remaining, async (each) => await runItem(each), options);
		ended.forEach((result, index) => (results[remaining[index]!.item] = result));
		const { answers = [], missing = 0 } = (await pipeline?.resolve()) ?? {};
		if (missing > 0) breaker.failed();
		else if (answers.length > 0) breaker.answered();
		for (const [item, answer] of answers) results[item] = { status: 'fulfilled', value: [answer] };
	} while (!isOver() && items.some(({ item }) => isNotStarted(results[item])));
	return completeResults(results, items);
}

/**
 * Whether the node is running without the user having asked for it. In the editor, "Execute previous nodes" also runs
 * the node on which it was selected, which can be this node or the agent that uses it as a tool.
 */
function isRunForPreviousNodes(context: IExecuteFunctions, name: string): boolean {
	const { runExecutionData } = context as { runExecutionData?: IRunExecutionData };
	const destination = runExecutionData?.startData?.destinationNode;
	return destination?.mode === 'exclusive' && isAgentOrTool(context, destination.nodeName, name);
}

/**
 * Runs the action node: reads all items' fields, runs the operation for several items at a time, and returns the
 * records in the order of the items. All fields are checked before the first request. If the node stops at failures,
 * one wrong value means that nothing is sent. After a later failure, it starts no new requests, but awaits those in
 * progress.
 *
 * @throws NodeApiError | NodeOperationError - for the first item that failed, unless the node continues on fail
 */
export async function execute(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const found = findOperation(resources, {
		resource: context.getNodeParameter('resource', 0),
		operation: context.getNodeParameter('operation', 0),
	});
	if (!found) throw toNodeError(node, new Error('This operation does not exist'));
	const { operation, connection } = found;
	if ((operation.sends || operation.once) && isRunForPreviousNodes(context, node.name)) {
		const text =
			"This node did not run, because you selected 'Execute previous nodes'. Nothing was sent or changed";
		throw toNodeError(node, new InputError(text, "To run this node too, select 'Execute step'"));
	}
	const clock = createNodeClock(context.getExecutionCancelSignal());
	const yieldIfDue = createYielder(clock);
	const { tally, request: countRequest } = createTally();
	const host = hostOf(context);
	const continues = host.failsSoftly;
	// Only sends have the Output option. A question outputs the reply instead, and a model gets a short answer.
	const hasOutput = operation.sends && !operation.asks && !host.isTool;
	const mode = hasOutput ? (node.parameters.output as OutputMode) : 'raw';
	// In Result for Each Item, a failed item doesn't stop the others.
	const leavesRest = mode === 'itemResult';
	const stops = !continues && !leavesRest;
	const breaker = createCircuitBreaker({ stopAtFailure: stops });
	const pipeline =
		operation.sends || operation.once
			? createPipeline({ context, operation, clock }, breaker)
			: undefined;

	const prepare = async (): Promise<Prepared[]> => {
		const readContext = await createReadContext(context, operation, connection);
		const credential = await settle(requireSharedCredential(context, connection));
		const read = await readItems(context, operation, { readContext, yieldIfDue });
		const together = operation.batch ? alignBatch(read, operation, operation.batch) : read;
		const plan = (each: Prepared): Prepared => {
			if ('error' in each) return each;
			if (credential.status === 'rejected') return refused(each, credential.reason);
			const planned = settleNow(() => pipeline?.plan(each));
			return planned.status === 'rejected' ? refused(each, planned.reason) : each;
		};
		const checked = refuseTooManyKeys(refuseSharedKeys(together));
		const kept = refuseMultiplied(checked, {
			isBatch: operation.batch !== undefined,
			isEachOwn: readsItem(node.parameters.recipient),
		});
		return await mapYielding(kept, plan, yieldIfDue);
	};
	const asNodeError = (error: unknown): never => {
		throw toNodeError(node, error);
	};
	const items = await prepare().catch(asNodeError);
	const wrong = items.find((each) => 'error' in each && !each.isDry);
	if (stops && wrong && 'error' in wrong) {
		const error = toItemError({ node, isTool: host.isTool }, wrong.error, wrong.item);
		if (operation.sends) error.description = describeProblems(error.description, wrong, items);
		throw error;
	}
	if (stops) await pipeline?.requireRoom().catch(asNodeError);
	if (operation.annotator) {
		const how = { annotate: operation.annotator(), yieldIfDue };
		return [await annotateItems(context, items, how).catch(asNodeError)];
	}

	const transportAt = createTransports(context, clock, { canStart: breaker.mayRequest });
	const shares = { operation, pipeline, clock, transportAt, breaker, yieldIfDue, countRequest };
	const runner = createItemRunner(context, shares);
	const run = async (): Promise<Results> => {
		if (operation.batch && pipeline) {
			return await runBatches(items, { runner, pipeline, batch: operation.batch });
		}
		return await runEach(items, runner, pipeline);
	};
	const question =
		operation.asks && (await ask(context, items, { runner, clock, asks: operation.asks }));
	const results = question?.results ?? (await run());
	const summary = { operation, tally, stops };
	if (operation.sends && context.getExecutionCancelSignal()?.aborted) {
		// n8n discards the output of a node that was stopped, so the log has to say what was sent.
		const place = {
			node: node.name,
			workflowId: context.getWorkflow().id,
			executionId: context.getExecutionId(),
		};
		context.logger.warn(describeStop(items, results, summary), place);
	}
	const hint = (message: string) => context.addExecutionHints({ message, location: 'outputPane' });
	const how = { node, isTool: host.isTool, continues, remembersAnswers: pipeline !== undefined };
	const output = operation.sends
		? await outputSends(results, items, { ...how, mode, inputs: context.getInputData(), hint })
		: await outputItems(results, items, how);
	if (operation.sends && !host.isTool) {
		const full = findFullNode(context);
		const hints = [
			describeRun(items, results, summary),
			operation.batch ? undefined : describeRepeats(items),
			await describeKeyRoom(context, items),
			full &&
				`${full} returned as many rows as its limit. If there are more, turn on 'Return All' in that node`,
		];
		for (const message of hints) if (message) hint(message);
	}
	return [(await question?.suspend?.(output)) ?? output];
}
