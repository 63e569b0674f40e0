import type { IAllExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../api/clock';
import type { RetryPolicy } from '../api/retry';
import { createService, type Service } from '../api/service';
import { createNodeClock } from './nodeClock';
import { createTransports, endedBy } from './nodeTransport';

/**
 * About 2 s: somebody looks at a drop-down or waits for a question meanwhile, and n8n itself repeats a failed
 * registration. It gives up one that takes 84 s: what has not answered in time is not asked again.
 */
const policy: RetryPolicy = {
	maxRepeats: 2,
	firstPauseMs: 500,
	longestPauseMs: 2_000,
	longestMs: 20_000,
	longestRetryAfterMs: 10_000,
};

/** For what nobody waits for, and executions, which do as the service asks. */
export const patient = { longestRetryAfterMs: 60_000 };

/**
 * The service for everything that is no execution: drop-downs and the trigger's registration. Its requests
 * start before those of all executions: n8n gives up a registration that takes too long.
 */
export const createNodeService = (
	context: IAllExecuteFunctions,
	changes: Partial<RetryPolicy> = {},
): Service =>
	createService(
		createTransports(context, createNodeClock(undefined), {
			policy: { ...policy, ...changes },
			goesFirst: true,
		})(),
	);

/** The service for what an execution does beside its items. It takes turns with all others, and ends with it. */
export const createSideService = (context: IAllExecuteFunctions, clock: Clock): Service =>
	createService(createTransports(context, clock, { policy: { ...policy, ...patient } })());

/** The same for what is tidied up after an execution: n8n sends no request of one that was stopped. */
export const createTidyingService = (context: IAllExecuteFunctions): Service =>
	createNodeService(endedBy(undefined, context), patient);
