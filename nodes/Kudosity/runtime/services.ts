import type { IAllExecuteFunctions } from 'n8n-workflow';
import { deleteWebhook } from '../api/endpoints/webhook';
import { ApiError } from '../api/errors';
import type { RetryPolicy } from '../api/retry';
import { createService, type Service } from '../api/service';
import type { Clock } from '../lib/async';
import { createNodeClock } from './clock';
import { createTransports, endedBy } from './transport';

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

/** A webhook that is gone already is what was wanted. */
export const removeWebhook = async (service: Service, id: string): Promise<void> => {
	await service.call(deleteWebhook, { id }).catch((error: unknown) => {
		if (!(error instanceof ApiError && error.fields.status === 404)) throw error;
	});
};

/** The service's limit is 100 characters; it does not say whether it counts bytes, so bytes it is. */
const maxNameLength = 100;

const byteLength = (text: string): number => Buffer.byteLength(text);

const ellipsis = '...';

/** As much of `text` as fits, cut between characters. */
const shorten = (text: string, mostBytes: number): string => {
	if (byteLength(text) <= mostBytes) return text;
	let kept = '';
	for (const character of text) {
		if (byteLength(kept + character) > mostBytes - byteLength(ellipsis)) break;
		kept += character;
	}
	return kept.trimEnd() + ellipsis;
};

export type Place = { workflow: string; node: string };

/**
 * `n8n: <workflow> - <node><suffix>`, so that the list in the Kudosity account shows what a webhook belongs to.
 * Both names stay visible: the longer one gives way.
 */
export const webhookNameIn = ({ workflow, node }: Place, suffix: string): string => {
	const room = maxNameLength - byteLength(`n8n:  - ${suffix}`);
	const half = Math.floor(room / 2);
	const shownNode = shorten(node.trim(), Math.max(half, room - byteLength(workflow.trim())));
	const shownWorkflow = shorten(workflow.trim(), room - byteLength(shownNode));
	return `n8n: ${shownWorkflow} - ${shownNode}${suffix}`;
};
