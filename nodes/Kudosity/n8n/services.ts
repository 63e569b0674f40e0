import type { IAllExecuteFunctions } from 'n8n-workflow';
import { deleteWebhook } from '../api/endpoints/webhook';
import { isMissing } from '../api/errors';
import type { RetryPolicy } from '../api/retry';
import { createService, type Service } from '../api/service';
import type { Clock } from '../lib/async';
import { createUnstoppableClock } from './clock';
import { createTransports, withSignal } from './transport';

/**
 * About 2 s, since a user waits for a drop-down or a question. n8n gives up a registration that takes 85 s, so that
 * nothing is repeated after 20 s.
 */
const policy: RetryPolicy = {
	maxRepeats: 2,
	firstPauseMs: 500,
	maxPauseMs: 2_000,
	maxTotalMs: 20_000,
	maxRetryAfterMs: 10_000,
};

/** For executions, and for work that nobody waits for: they pause as long as the service asks. */
export const patient = { maxRetryAfterMs: 60_000 };

/** For drop-downs, replies and registrations. Goes before all executions: n8n gives up a registration that takes long. */
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

/** The service for an execution's own webhooks. Takes turns with other executions, and ends with its own. */
export function createSideService(context: IAllExecuteFunctions, clock: Clock): Service {
	return createService(createTransports(context, clock, { policy: { ...policy, ...patient } })());
}

/** The service for cleaning up after an execution: n8n sends no request of one that was stopped. */
export function createCleanUpService(context: IAllExecuteFunctions): Service {
	return createNodeService(withSignal(context, undefined), patient);
}

/** Succeeds if the webhook is gone already. */
export async function removeWebhook(service: Service, id: string): Promise<void> {
	await service.call(deleteWebhook, { id }).catch((error: unknown) => {
		if (!isMissing(error)) throw error;
	});
}

/** The service allows 100 characters, and does not say whether it counts bytes: bytes are the safe reading. */
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

/** `n8n: <workflow> - <node><suffix>`, for the list in the Kudosity account. The longer of the two names gives way. */
export function webhookNameIn({ workflow, node }: Place, suffix: string): string {
	const room = maxNameLength - byteLength(`n8n:  - ${suffix}`);
	const half = Math.floor(room / 2);
	const shownNode = shorten(node.trim(), Math.max(half, room - byteLength(workflow.trim())));
	const shownWorkflow = shorten(workflow.trim(), room - byteLength(shownNode));
	return `n8n: ${shownWorkflow} - ${shownNode}${suffix}`;
}
