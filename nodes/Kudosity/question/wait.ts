import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Clock } from '../lib/async';

/**
 * If the earlier wait would end within this time, n8n may already have a timer for it. n8n sets the timer up to 70
 * seconds before a wait ends. The other ten seconds allow for the time that asking the next question takes.
 */
const setBeforeMs = 80_000;
const marginMs = 2_000;

type Wait = { executionId: string; untilMs: number };

/**
 * Returns the object that holds the latest wait. n8n stores it with the execution, even while the execution is waiting.
 */
function waits(context: IExecuteFunctions) {
	return context.getContext('flow') as { kudosityWait?: Partial<Wait> };
}

/** Whether this is n8n 1, which has a method that n8n 2 lacks. */
function isN8n1(context: IExecuteFunctions): boolean {
	return 'setSignatureValidationRequired' in context;
}

/**
 * Pauses until the timer of an earlier question has fired. n8n's `WaitTracker` sets one timer per execution, and a
 * reply doesn't clear it, so the timer could end the next wait. On n8n 1, this doesn't pause, because the timer would
 * restart the execution while it is still running.
 *
 * @throws CancelledError - the user stops the execution
 */
export async function waitForEarlierTimer(context: IExecuteFunctions, clock: Clock): Promise<void> {
	const { executionId, untilMs = 0 } = waits(context).kudosityWait ?? {};
	const leftMs = untilMs - clock.calendarNow();
	const isDue = leftMs > 0 && leftMs <= setBeforeMs && executionId === context.getExecutionId();
	if (isDue && !isN8n1(context)) await clock.sleep(leftMs + marginMs);
}

/**
 * These fields are left out, so that nobody mistakes a waiting question for a “no”, and because `question` contains the
 * token of the reply's URL.
 */
const notYetKnown = ['approved', 'matched', 'data', 'question'];

function withoutDecision(json: IDataObject): IDataObject {
	const known = Object.entries(json).filter(([name]) => !notYetKnown.includes(name));
	return { ...Object.fromEntries(known), timedOut: false, waiting: true };
}

/**
 * Suspends the execution. At the time limit, n8n doesn't call the node again but outputs the input of this call, so the
 * input is replaced with `items` here. n8n then also disables the node object of this call. All waiting calls of an
 * agent share that object, so this call gets a copy.
 *
 * @returns the node's output until the reply arrives, e.g. for the caller of a Webhook node that responds when the last
 * node finishes. The array is a copy of `items`, because if the node has an error output, n8n empties the array that it
 * gets
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
	return items.map((item) => ({ ...item, json: withoutDecision(item.json) }));
}
