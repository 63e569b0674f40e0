import type { WorkflowExecuteMode } from 'n8n-workflow';
import { omitUndefined } from '../lib/json';
import type { Service } from '../api/service';
import type { ApiRequest } from '../api/transport';
import type { Recipients } from '../operation';

/** Started in the editor: n8n runs its evaluations from there, too. */
const editorModes: WorkflowExecuteMode[] = ['manual', 'evaluation'];

/** Whether nothing is to be sent; `options` as they were read, or as they are stored. */
export const isDryRun = (options: unknown, mode: WorkflowExecuteMode): boolean => {
	const { dryRun } = (options ?? {}) as { dryRun?: unknown };
	return dryRun === 'always' || (dryRun === 'manual' && editorModes.includes(mode));
};

type Check = (request: Pick<ApiRequest, 'connection' | 'deliversTo'>) => Promise<void>;

/** The service with reads only: what would be written is checked, and is what it answers. */
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
			// How many people a contact list has is not known before.
			if ('numbers' in to) messages += to.numbers.length;
			else lists.add(to.listId);
		},
		skip: () => void skipped++,
		/** In one sentence, what it came to; undefined where nothing was only tried. */
		summary: (
			items: Array<{ item: number; isDry: boolean }>,
			results: Array<PromiseSettledResult<unknown> | undefined>,
			isStrict: boolean,
		): string | undefined => {
			const tried = items.filter(({ isDry }) => isDry);
			if (tried.length === 0) return undefined;
			const refused = tried.filter(({ item }) => results[item]?.status === 'rejected').length;
			const which =
				tried.length < items.length
					? `Dry run of ${tried.length} of ${amount(items.length, 'item')}`
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
