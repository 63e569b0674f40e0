import type { IAllExecuteFunctions } from 'n8n-workflow';
import { deleteWebhook } from '../api/endpoints/webhook';
import { isMissing } from '../api/errors';
import type { RetryPolicy } from '../api/retry';
import { createService, type Service } from '../api/service';
import type { Clock } from '../lib/async';
import { createUnstoppableClock } from './clock';
import { createTransports, withSignal } from './transport';

/**
 * Repeats for about 2 s, because a user waits for a drop-down or a question. After 20 s, nothing is repeated, because
 * n8n gives up a registration that takes 85 s.
 */
const policy: RetryPolicy = {
	maxRepeats: 2,
	firstPauseMs: 500,
	maxPauseMs: 2_000,
	maxTotalMs: 20_000,
	maxRetryAfterMs: 10_000,
};

/** Pauses as long as the service asks. This is for executions, and for work that nobody waits for. */
export const patient = { maxRetryAfterMs: 60_000 };

/**
 * Creates the service for drop-downs, replies and registrations. Its requests go before those of all executions,
 * because n8n gives up a registration that takes too long.
 */
export function createNodeService(
	context: IAllExecuteFunctions,
	changes: Partial<RetryPolicy> = {},
): Service {
	return createService(
		createTransports(context, createUnstoppableClock(), {
			policy: { ...policy, ...changes },
			hasPriority: true,
		})(),
	);
}

/**
 * Creates the service for an execution's own webhooks. Its requests take turns with those of other executions, and end
 * with the execution.
 */
export function createSideService(context: IAllExecuteFunctions, clock: Clock): Service {
	return createService(createTransports(context, clock, { policy: { ...policy, ...patient } })());
}

/** Creates the service for cleaning up after an execution, because n8n sends no request for one that was stopped. */
export function createCleanUpService(context: IAllExecuteFunctions): Service {
	return createNodeService(withSignal(context, undefined), patient);
}

/** Removes a webhook. Succeeds if it is gone already. */
export async function removeWebhook(service: Service, id: string): Promise<void> {
	await service.call(deleteWebhook, { id }).catch((error: unknown) => {
		if (!isMissing(error)) throw error;
	});
}

/**
 * The service allows 100 characters, and does not say whether it counts bytes. Counting bytes is safe in both cases.
 */
const maxNameLength = 100;

const byteLength = (text: string): number => Buffer.byteLength(text);

const ellipsis = '...';

function shorten(text: string, maxBytes: number): string {
	if (byteLength(text) <= maxBytes) return text;
	let kept = '';
	for (const character of text) {
		if (byteLength(kept + character) > maxBytes - byteLength(ellipsis)) break;
		kept += character;
	}
	return kept.trimEnd() + ellipsis;
}

export type Place = { workflow: string; node: string };

export function placeOf(context: Pick<IAllExecuteFunctions, 'getNode' | 'getWorkflow'>): Place {
	return {
		workflow: context.getWorkflow().name ?? '',
		node: context.getNode().name,
	};
}

/**
 * The name of a webhook, for the list in the Kudosity account: `n8n: <workflow> - <node><suffix>`. The longer one of
 * the two names is shortened.
 */
export function webhookNameIn({ workflow, node }: Place, suffix: string): string {
	const room = maxNameLength - byteLength(`n8n:  - ${suffix}`);
	const half = Math.floor(room / 2);
	const shownNode = shorten(node.trim(), Math.max(half, room - byteLength(workflow.trim())));
	const shownWorkflow = shorten(workflow.trim(), room - byteLength(shownNode));
	return `n8n: ${shownWorkflow} - ${shownNode}${suffix}`;
}
