import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { attempt } from '../fields/refusal';
import { createTally } from '../sending/dryRun';
import { createGuards, type Guards } from '../sending/guards';
import { createBreather, mapInSlices, type Breathe } from './breather';
import { notShared } from './credentials';
import { createNodeClock } from './nodeClock';
import { findOperation, type Resource } from './operation';
import { outputItems } from './outputItems';
import { readItems, type Prepared } from './readItems';
import { readScope } from './readScope';
import { runItems } from './runItems';
import { toNodeError } from './toNodeError';
import { askItems } from './waiting/askItems';
import { park } from './waiting/park';

type Found = NonNullable<ReturnType<typeof findOperation>>;

/** Everything that can be told of the items before the first request. */
const prepare = async (
	context: IExecuteFunctions,
	{ operation, connection }: Found,
	{ breathe, guards }: { breathe: Breathe; guards: Guards },
) => {
	const scope = await readScope(context, operation, connection);
	const refusal = await notShared(context, connection);
	const read = await readItems(context, operation, { scope, breathe });
	// What the limits leave no room for is refused as well.
	const plan = (each: Prepared, item: number): Prepared => {
		if ('error' in each) return each;
		if (refusal !== undefined) return { error: refusal, isDry: each.isDry };
		const planned = attempt(() => guards.plan(each, item));
		return 'error' in planned ? { ...planned, isDry: each.isDry } : each;
	};
	return await mapInSlices(read, plan, breathe);
};

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
	const found = findOperation(resources, {
		resource: context.getNodeParameter('resource', 0),
		operation: context.getNodeParameter('operation', 0),
	});
	if (!found) throw toNodeError(node, new Error('This operation does not exist'));
	const { operation } = found;

	const clock = createNodeClock(context.getExecutionCancelSignal());
	const breathe = createBreather(clock);
	const keptClock = createNodeClock(undefined);
	const guards = createGuards(context, keptClock);
	const preparing = prepare(context, found, { breathe, guards });
	const prepared = await preparing.catch((error: unknown) => {
		throw toNodeError(node, error);
	});
	const continues = context.continueOnFail();
	const wrong = prepared.findIndex((item) => 'error' in item && !item.isDry);
	const firstWrong = prepared[wrong];
	if (!continues && firstWrong && 'error' in firstWrong) {
		throw toNodeError(node, firstWrong.error, wrong);
	}

	const isDry = (item: number) => prepared[item]?.isDry === true;
	// A dry run goes on: it shows all that is refused.
	const stopAtFailure = !continues && !prepared.every((item) => item.isDry);
	const tally = createTally();
	const running = { operation, stopAtFailure, clock, keptClock, breathe, guards, tally };
	const { results, remembersAnswers, untilMs } = operation.asks
		? await askItems(context, prepared, { ...running, asks: operation.asks })
		: await runItems(context, prepared, running);
	const total = prepared.length;
	const isSentInPart = operation.combine?.isSentInPart;
	const ended = { node, results, total, continues, remembersAnswers, isDry, isSentInPart };
	const items = await outputItems(ended);
	const tried = prepared.filter((item) => item.isDry).length;
	if (tried > 0) {
		const refused = results.filter(
			({ status }, item) => isDry(item) && status === 'rejected',
		).length;
		const message = tally.summary({ total, tried, refused, stops: !continues });
		context.addExecutionHints({ message, location: 'outputPane' });
	}
	if (untilMs !== undefined) await park(context, items, untilMs);
	return [items];
};
