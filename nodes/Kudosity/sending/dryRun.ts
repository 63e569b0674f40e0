import type { WorkflowExecuteMode } from 'n8n-workflow';
import { filled, type Json } from '../api/json';
import type { Service } from '../api/service';

/** Whether nothing is to be sent; `options` as they were read, or as they are stored. */
export const isDryRun = (options: unknown, mode: WorkflowExecuteMode): boolean => {
	const { dryRun } = (options ?? {}) as { dryRun?: unknown };
	return dryRun === 'always' || (dryRun === 'manual' && mode === 'manual');
};

/** The service with reads only: what would be written is what it answers. */
export const withoutWriting = (service: Service): Service => ({
	...service,
	call: async (endpoint, values = {}, delivery) =>
		endpoint.verb === 'read'
			? await service.call(endpoint, values, delivery)
			: (filled(values) as never),
});

/** What would go out for an item whose request it shares with others. */
export const wouldSend = ({ message, sender, recipients, listId }: Json): Json =>
	filled({
		message,
		sender,
		to: (recipients as { numbers?: string[] } | undefined)?.numbers,
		listId,
	});

type Tried = { json: Json };

/** How many people a contact list has is not known before. */
const countOf = ({ recipients, listId }: Json): number => {
	if (listId !== undefined) return 0;
	return typeof recipients === 'number' ? recipients : 1;
};

const requestsOf = (json: Json): number =>
	Number((json.request as { requests?: number } | undefined)?.requests ?? 0);

const amount = (count: number, thing: string): string =>
	`${count} ${thing}${count === 1 ? '' : 's'}`;

type Run = {
	/** Whether a refused item would stop the real run. */
	stops: boolean;
	/** Whether other items were sent. */
	sendsOthers: boolean;
};

/** In one sentence, what the items of a dry run came to. */
export const summaryOf = (items: Tried[], { stops, sendsOthers }: Run): string => {
	const records = items.map(({ json }) => json);
	const sent = records.filter(({ dryRun, refused, skipped }) => dryRun && !refused && !skipped);
	const refused = records.filter((json) => !json.skipped && (json.refused || json.error)).length;
	const skipped = records.filter((json) => json.skipped).length;
	const messages = sent.reduce((sum, json) => sum + countOf(json), 0);
	const together = sent.reduce((most, json) => Math.max(most, requestsOf(json)), 0);
	const requests = together > 0 ? together : sent.length;
	const lists = new Set(sent.flatMap(({ listId }) => listId ?? [])).size;
	const which = sendsOthers
		? `Dry run of ${amount(items.length, 'item')} among others that were sent`
		: 'Dry run, nothing was sent';
	return [
		`${which}: ${amount(messages, 'message')} in ${amount(requests, 'request')}`,
		...(lists > 0 ? [amount(lists, 'contact list')] : []),
		...(refused > 0 ? [`${amount(refused, 'item')} refused`] : []),
		...(skipped > 0 ? [`${amount(skipped, 'item')} skipped`] : []),
		...(refused > 0 && stops
			? ['without Dry Run, the refused ones would stop the node first']
			: []),
	].join(', ');
};
