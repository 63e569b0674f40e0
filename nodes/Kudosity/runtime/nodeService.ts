import type { IAllExecuteFunctions } from 'n8n-workflow';
import { createService, type Service } from '../api/service';
import type { RetryPolicy } from '../api/retry';
import { createNodeClock } from './nodeClock';
import { createTransports } from './nodeTransport';

/** About 2 s: somebody looks at a drop-down meanwhile, and n8n itself repeats a failed registration. */
const policy: RetryPolicy = { maxRepeats: 2, firstPauseMs: 500, longestPauseMs: 2_000 };

/**
 * The service for everything that is no execution: drop-downs and the trigger's registration. Its requests
 * start before those of all executions: n8n gives up a registration that takes too long.
 */
export const createNodeService = (context: IAllExecuteFunctions): Service =>
	createService(
		createTransports(context, createNodeClock(undefined), { policy, goesFirst: true })(),
	);
