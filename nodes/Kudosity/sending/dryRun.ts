import type { WorkflowExecuteMode } from 'n8n-workflow';
import { filled } from '../api/json';
import type { Service } from '../api/service';
import type { ApiRequest } from '../api/transport';
import type { Receivers } from './message';

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
		return filled(values) as never;
	},
});

const amount = (count: number, thing: string): string =>
	`${count} ${thing}${count === 1 ? '' : 's'}`;

type Run = {
	/** How many items there were, and of how many nothing was to be sent. */
	total: number;
	tried: number;
	refused: number;
	/** Whether a refused item would stop the real run. */
	stops: boolean;
};

/** Counts what a dry run would have sent. */
export const createTally = () => {
	let messages = 0;
	let requests = 0;
	let skipped = 0;
	const lists = new Set<string>();
	return {
		request: (to: Receivers): void => {
			requests++;
			// How many people a contact list has is not known before.
			if ('numbers' in to) messages += to.numbers.length;
			else lists.add(to.listId);
		},
		skip: () => void skipped++,
		/** In one sentence, what it came to. */
		summary: ({ total, tried, refused, stops }: Run): string => {
			const which =
				tried < total
					? `Dry run of ${tried} of ${amount(total, 'item')}`
					: 'Dry run, nothing was sent';
			return [
				`${which}: ${amount(messages, 'message')} in ${amount(requests, 'request')}`,
				...(lists.size > 0 ? [amount(lists.size, 'contact list')] : []),
				...(refused > 0 ? [`${amount(refused, 'item')} refused`] : []),
				...(skipped > 0 ? [`${amount(skipped, 'item')} skipped`] : []),
				...(refused > 0 && stops
					? ['without Dry Run, the refused ones would stop the node first']
					: []),
			].join(', ');
		},
	};
};

export type Tally = ReturnType<typeof createTally>;
