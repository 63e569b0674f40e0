import type { IExecuteFunctions } from 'n8n-workflow';
import type { Service } from '../api/service';
import type { ApiRequest } from '../api/transport';
import { omitUndefined } from '../lib/json';
import type { Recipients } from '../fields/operation';
import { isTool } from './agentTool';
import type { Stage } from './attempt';

/** Whether nothing may be sent; `options` as evaluated, or as stored if that failed. */
export const isDryRun = (options: unknown, context: IExecuteFunctions): boolean => {
	const { dryRun } = (options ?? {}) as { dryRun?: unknown };
	// A retry in the executions list has a mode of its own, but the source of the first run.
	const modes = [context.getMode(), context.getExecutionContext?.()?.source];
	const isFromEditor = modes.includes('manual') || modes.includes('evaluation');
	return dryRun === 'always' || (dryRun === 'manual' && isFromEditor);
};

type Check = (request: Pick<ApiRequest, 'connection' | 'deliversTo'>) => Promise<void>;

/** The service without writes: they are checked, and answered with what would have been written. */
export const withoutWriting = (service: Service, check: Check): Service => ({
	...service,
	call: async (endpoint, values = {}, delivery) => {
		if (endpoint.verb === 'read') return await service.call(endpoint, values, delivery);
		await check({ connection: endpoint.connection, ...delivery });
		return omitUndefined(values) as never;
	},
});

export const createTally = () => {
	const tally = { messages: 0, requests: 0, lists: 0 };
	const lists = new Set<string>();
	return {
		tally,
		request: (to: Recipients): void => {
			tally.requests++;
			// The service does not tell in advance how many people a contact list has.
			if ('numbers' in to) tally.messages += to.numbers.length;
			else tally.lists = lists.add(to.listId).size;
		},
	};
};

export type Tally = ReturnType<typeof createTally>;

export const createRehearsal = (context: IExecuteFunctions): Stage => {
	const note = isTool(context) ? { reason: 'Dry run: nothing was sent' } : {};
	return async (_, next) => {
		const record = await next();
		return record.skipped === true
			? { ...record, dryRun: true }
			: omitUndefined({ dryRun: true, ...note, ...record });
	};
};
