import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Clock } from '../lib/async';

/** n8n sets its timer up to 70 seconds before a wait ends; the rest is for asking. */
const setBeforeMs = 80_000;
const marginMs = 2_000;

type Wait = { executionId: string; untilMs: number };

/** n8n keeps it with the execution, also while that waits. */
function waits(context: IExecuteFunctions) {
	return context.getContext('flow') as { kudosityWait?: Partial<Wait> };
}

/** n8n 1 has a call that n8n 2 lacks. */
function isN8n1(context: IExecuteFunctions): boolean {
	return 'setSignatureValidationRequired' in context;
}

/**
 * Pauses until the timer of an answered question has gone off: n8n's `WaitTracker` has one for each execution, which a
 * reply does not clear. Not on n8n 1, where it would restart an execution that is still running.
 *
 * @throws CancelledError when the user stops the run
 */
export async function waitForEarlierTimer(context: IExecuteFunctions, clock: Clock): Promise<void> {
	const { executionId, untilMs = 0 } = waits(context).kudosityWait ?? {};
	const leftMs = untilMs - clock.calendarNow();
	const isDue = leftMs > 0 && leftMs <= setBeforeMs && executionId === context.getExecutionId();
	if (isDue && !isN8n1(context)) await clock.sleep(leftMs + marginMs);
}

/**
 * Lets the execution wait. At the time limit, n8n does not call the node, but passes on the input of this call. It also
 * disables the node of this call, which is why that is a copy: waiting calls of an agent share the original.
 *
 * @returns what is output meanwhile, e.g. to the caller of a Webhook node that responds when the last node finishes: a
 * copy, as with an error output n8n empties the array that it is given
 */
export async function suspend(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	untilMs: number,
): Promise<INodeExecutionData[]> {
	const call = context.getExecuteData();
	call.data = { main: [items] };
	call.node = { ...call.node };
	await context.putExecutionToWait(new Date(untilMs));
	waits(context).kudosityWait = { executionId: context.getExecutionId(), untilMs };
	return items.map((item) => ({ ...item, json: { ...item.json, timedOut: false } }));
}
