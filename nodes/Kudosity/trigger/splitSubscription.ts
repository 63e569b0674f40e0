import { InputError } from '../api/errors';
import type { EventType, WebhookFilter } from '../api/schemas/webhook.schema';
import { webhookFilter, type FilterFields } from '../api/webhookSettings';
import { kindOf } from '../events/eventKinds';
import { canBeLast, hasOtherLastStatuses, lastStatuses } from '../events/statuses';
import type { WebhookPart } from './webhookUrl';

type Subscription = {
	events: EventType[];
	filters: FilterFields;
	onlyFinalStatuses: boolean;
};

/**
 * The status events that the service is to filter, and by which statuses. One filter goes for all of them: with
 * Only Final Statuses, events that can end with others are looked at when they arrive.
 */
const filteredStatuses = ({ events, filters, onlyFinalStatuses }: Subscription) => {
	const types = events.filter((type) => kindOf(type) === 'status');
	const chosen = filters.status ?? [];
	if (!onlyFinalStatuses) return { types: chosen.length > 0 ? types : [], statuses: chosen };
	if (chosen.length === 0) {
		const usual = types.filter((type) => !hasOtherLastStatuses(type));
		return { types: usual, statuses: [...lastStatuses] };
	}
	const mayEndWith = (status: string) => types.some((type) => canBeLast(status, type));
	return { types, statuses: chosen.filter(mayEndWith) };
};

/**
 * The filter of each webhook that the trigger needs. The specification says that a status filter applies to
 * status events only, and nothing says what becomes of the others: a reply could get lost. So statuses that
 * are filtered have a webhook of their own beside the rest.
 *
 * @throws InputError when no event is chosen, or no status is left
 */
export const wantedFilters = (
	subscription: Subscription,
): Array<{ part: WebhookPart; filter: WebhookFilter }> => {
	const { events, filters } = subscription;
	if (events.length === 0) {
		throw new InputError("'Events' is empty", 'Choose at least one event to start on');
	}
	const { types, statuses } = filteredStatuses(subscription);
	if (types.length > 0 && statuses.length === 0) {
		throw new InputError(
			"No status is left: 'Only Final Statuses' leaves out all that the filter 'Status' names",
			"Add a final status such as Delivered to 'Status', or switch 'Only Final Statuses' off",
		);
	}
	const rest = events.filter((type) => !types.includes(type));
	const ofRest = webhookFilter(rest, { ...filters, status: [] });
	const ofStatuses = webhookFilter(types, { ...filters, status: statuses });
	if (types.length === 0) return [{ part: 'rest', filter: ofRest }];
	if (rest.length === 0) return [{ part: 'rest', filter: ofStatuses }];
	return [
		{ part: 'rest', filter: ofRest },
		{ part: 'status', filter: ofStatuses },
	];
};

/**
 * The rate limit of each of one or two webhooks, so that together they keep to it. The service takes 0 for
 * its own default, so that none gets less than 1.
 */
export const shareRateLimit = (
	rateLimit: number | undefined,
	webhooks: number,
): Array<number | undefined> => {
	if (!rateLimit || webhooks === 1) return Array.from({ length: webhooks }, () => rateLimit);
	const ofRest = Math.max(1, Math.floor(rateLimit / 2));
	return [ofRest, Math.max(1, rateLimit - ofRest)];
};
