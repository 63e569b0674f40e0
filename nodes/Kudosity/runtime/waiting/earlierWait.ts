import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../../api/clock';
import { checksByItself } from './signature';

/** n8n sets a timer up to 70 seconds before the end of a wait; the rest is for asking. */
const setBeforeMs = 80_000;
const marginMs = 2_000;

type Wait = { executionId: string; untilMs: number };

/** Kept with the execution, also while it waits. */
const waits = (context: IExecuteFunctions) =>
	context.getContext('flow') as { kudosityWait?: Partial<Wait> };

/** Keeps the end of a question's wait for the next question of the same execution. */
export const keepWait = (context: IExecuteFunctions, untilMs: number): void => {
	waits(context).kudosityWait = { executionId: context.getExecutionId(), untilMs };
};

/**
 * Pauses until the timer of an answered question has gone off, which would end the next one of the same execution:
 * n8n's `WaitTracker` has one timer for each execution, and a reply does not clear it. Not on n8n 1, which would start
 * again what still runs then.
 *
 * @throws CancelledError when the user stops the run
 */
export const outlastEarlierWait = async (
	context: IExecuteFunctions,
	clock: Clock,
): Promise<void> => {
	const { executionId, untilMs = 0 } = waits(context).kudosityWait ?? {};
	const leftMs = untilMs - clock.calendarNow();
	const isDue = leftMs > 0 && leftMs <= setBeforeMs && executionId === context.getExecutionId();
	if (isDue && checksByItself(context)) await clock.sleep(leftMs + marginMs);
};
