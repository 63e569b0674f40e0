import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';
import type { Service } from '../api/service';
import type { ApiRequest } from '../api/transport';
import { omitUndefined } from '../lib/json';
import type { Recipients } from '../operation';
import { isTool } from './agentTool';
import type { Stage } from './attempt';

/** Executions that are started in the editor, evaluations included. */
const editorModes: WorkflowExecuteMode[] = ['manual', 'evaluation'];

/** Whether nothing may be sent; `options` as evaluated, or as stored if that failed. */
export const isDryRun = (options: unknown, mode: WorkflowExecuteMode): boolean => {
	const { dryRun } = (options ?? {}) as { dryRun?: unknown };
	return dryRun === 'always' || (dryRun === 'manual' && editorModes.includes(mode));
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

const amount = (count: number, thing: string): string =>
	`${count} ${thing}${count === 1 ? '' : 's'}`;

/** Counts what a dry run would have sent. */
export const createTally = () => {
	let messages = 0;
	let requests = 0;
	let skipped = 0;
	const lists = new Set<string>();
	return {
		request: (to: Recipients): void => {
			requests++;
			// The service does not tell in advance how many people a contact list has.
			if ('numbers' in to) messages += to.numbers.length;
			else lists.add(to.listId);
		},
		skip: () => void skipped++,
		/** One sentence for the user; undefined if no item was a dry run. */
		summary: (
			items: Array<{ item: number; isDry: boolean }>,
			results: Array<PromiseSettledResult<unknown> | undefined>,
			isStrict: boolean,
		): string | undefined => {
			const dryItems = items.filter(({ isDry }) => isDry);
			if (dryItems.length === 0) return undefined;
			const refused = dryItems.filter(({ item }) => results[item]?.status === 'rejected').length;
			const which =
				dryItems.length < items.length
					? `Dry run of ${dryItems.length} of ${amount(items.length, 'item')}`
					: 'Dry run, nothing was sent';
			return [
				`${which}: ${amount(messages, 'message')} in ${amount(requests, 'request')}`,
				...(lists.size > 0 ? [amount(lists.size, 'contact list')] : []),
				...(refused > 0 ? [`${amount(refused, 'item')} refused`] : []),
				...(skipped > 0 ? [`${amount(skipped, 'item')} skipped`] : []),
				...(refused > 0 && isStrict
					? ['without Dry Run, the refused ones would stop the node first']
					: []),
			].join(', ');
		},
	};
};

export type Tally = ReturnType<typeof createTally>;

/** Marks answers as those of a dry run, and counts the items that would be skipped. */
export const createRehearsal = (context: IExecuteFunctions, tally: Tally): Stage => {
	const note = isTool(context) ? { reason: 'Dry run: nothing was sent' } : {};
	return async (_, next) => {
		const record = await next();
		if (record.skipped !== true) return omitUndefined({ dryRun: true, ...note, ...record });
		tally.skip();
		return { ...record, dryRun: true };
	};
};
