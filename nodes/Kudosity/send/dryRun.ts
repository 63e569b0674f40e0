import type { IExecuteFunctions } from 'n8n-workflow';
import type { Service } from '../api/service';
import type { ApiRequest } from '../api/transport';
import { type Json, omitUndefined } from '../lib/json';
import type { Recipients } from '../fields/operation';
import type { Host } from '../n8n/host';
import { skipIn } from './skips';

/** Whether this is a dry run. `options` are the evaluated options, or the stored ones if their evaluation failed. */
export function isDryRun(options: unknown, context: IExecuteFunctions): boolean {
	const { dryRun } = (options ?? {}) as { dryRun?: unknown };
	// An execution that is retried from n8n's list has the mode `retry`, but still has the source of the original
	// execution.
	const modes = [context.getMode(), context.getExecutionContext?.()?.source];
	const isFromEditor = modes.includes('manual') || modes.includes('evaluation');
	return dryRun === 'always' || (dryRun === 'manual' && isFromEditor);
}

type Check = (request: Pick<ApiRequest, 'connection' | 'deliversTo'>) => Promise<void>;

/**
 * Returns a service that reads, but doesn't write. Write requests are only checked; their response consists of the
 * values that would have been written.
 */
export function withoutWriting(service: Service, check: Check): Service {
	return {
		...service,
		call: async (endpoint, values = {}, delivery) => {
			if (endpoint.verb === 'read') return await service.call(endpoint, values, delivery);
			await check({ connection: endpoint.connection, ...delivery });
			return omitUndefined(values) as never;
		},
	};
}

export function createTally() {
	const tally = { messages: 0, requests: 0, lists: 0 };
	const lists = new Set<string>();
	return {
		tally,
		request: (to: Recipients): void => {
			tally.requests++;
			// Kudosity doesn't say in advance how many people are in a contact list.
			if ('numbers' in to) tally.messages += to.numbers.length;
			else tally.lists = lists.add(to.listId).size;
		},
	};
}

export type Tally = ReturnType<typeof createTally>;

/** Shapes the answer for an item that would have been sent or skipped. */
export function toDryAnswer(answer: Json, { isTool }: Pick<Host, 'isTool'>): Json {
	const skip = skipIn(answer);
	if (skip) {
		// The earlier item with this key was also in the dry run, so it was not sent. A record that says "already sent"
		// would keep this item from being sent later.
		const again = 'inDryRun' in skip && {
			...{ outcome: 'dryRun', reason: skip.inDryRun, canRetry: true },
		};
		return { ...answer, ...again };
	}
	const note = isTool ? { reason: 'Dry run: nothing was sent' } : {};
	return omitUndefined({ dryRun: true, ...note, ...answer });
}
