import type { IAllExecuteFunctions } from 'n8n-workflow';
import { deleteWebhook } from '../api/endpoints/webhook';
import { isMissing } from '../api/errors';
import type { RetryPolicy } from '../api/retry';
import { createService, type Service } from '../api/service';
import type { Clock } from '../lib/async';
import { createUnstoppableClock } from './clock';
import { createTransports, withSignal } from './transport';

/**
 * Retries for about 2 s, because a user is waiting for a drop-down or a question. After 20 s, there are no retries,
 * because n8n gives up on a webhook registration after 85 s.
 */
const policy: RetryPolicy = {
	maxRepeats: 2,
	firstPauseMs: 500,
	maxPauseMs: 2_000,
	maxTotalMs: 20_000,
	maxRetryAfterMs: 10_000,
};

/** Obeys a longer `Retry-After`. Used in executions, and for work that no user is waiting for. */
export const patient = { maxRetryAfterMs: 60_000 };

/**
 * Creates the service for drop-downs, replies and webhook registrations. Its requests go before those of all
 * executions, because n8n gives up on a registration that takes too long.
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
 * Creates the service for webhooks that an execution needs. Its requests take turns with those of other executions, and
 * end when the execution is stopped.
 */
export function createSideService(context: IAllExecuteFunctions, clock: Clock): Service {
	return createService(createTransports(context, clock, { policy: { ...policy, ...patient } })());
}

/**
 * Creates the service for cleaning up after an execution. It ignores the stop signal, because n8n sends no requests for
 * an execution that was stopped.
 */
export function createCleanUpService(context: IAllExecuteFunctions): Service {
	return createNodeService(withSignal(context, undefined), patient);
}

/** Removes a webhook. Succeeds if the webhook no longer exists. */
export async function removeWebhook(service: Service, id: string): Promise<void> {
	await service.call(deleteWebhook, { id }).catch((error: unknown) => {
		if (!isMissing(error)) throw error;
	});
}

/**
 * Kudosity allows 100 characters, but doesn't say whether it counts characters or bytes. Counting bytes is safe either
 * way.
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
 * Returns the name that a webhook gets in the Kudosity account: `n8n: <workflow> - <node><suffix>`. If it is too long,
 * the longer of the two names is shortened.
 */
export function webhookNameIn({ workflow, node }: Place, suffix: string): string {
	const room = maxNameLength - byteLength(`n8n:  - ${suffix}`);
	const half = Math.floor(room / 2);
	const shownNode = shorten(node.trim(), Math.max(half, room - byteLength(workflow.trim())));
	const shownWorkflow = shorten(workflow.trim(), room - byteLength(shownNode));
	return `n8n: ${shownWorkflow} - ${shownNode}${suffix}`;
}
