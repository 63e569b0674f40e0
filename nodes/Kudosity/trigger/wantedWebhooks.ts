import type { IHookFunctions } from 'n8n-workflow';
import {
	type EventType,
	type FilterFields,
	type WebhookFilter,
	webhookFilter,
} from '../api/endpoints/webhook';
import { InputError } from '../api/errors';
import { kindOf } from '../events/schema';
import { canBeLast, hasOtherLastStatuses, lastStatuses } from '../events/statuses';
import { loadPhones } from '../fields/phone/phones';
import { createRequiredCheck } from '../fields/requiredCheck';
import { defaultCountryOf, howToBeReached, isReachable } from '../n8n/credentials';
import { placeOf, webhookNameIn } from '../n8n/services';
import { readParameters, webhookFields } from './fields';
import { type Identity, registeredUrl, type WebhookPart } from './identity';
import type { WantedWebhook } from './planRegistration';

type Subscription = { events: EventType[]; filters: FilterFields; onlyFinalStatuses: boolean };

/**
 * The status events for the service to filter, and the statuses. One filter applies to all of them, so with Only Final
 * Statuses, types that can end with other statuses are filtered on arrival instead.
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
 * Filtered statuses get a webhook of their own: the specification does not say what a status filter does to other
 * events, and a reply could get lost.
 *
 * @throws InputError when no event is chosen, or no status is left
 */
export const wantedFilters = (
	subscription: Subscription,
): Array<{ part: WebhookPart; filter: WebhookFilter }> => {
	const { events, filters } = subscription;
	if (events.length === 0) {
		throw new InputError("'Trigger On' is empty", 'Choose at least one event');
	}
	const { types, statuses } = filteredStatuses(subscription);
	if (types.length > 0 && statuses.length === 0) {
		throw new InputError(
			"'Only Final Statuses' skips every status in the filter 'Status'",
			"Add a final status such as Delivered to 'Status', or turn off 'Only Final Statuses'",
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

/** Splits the rate limit between one or two webhooks: at least 1 each, since 0 means the service's own default. */
export const shareRateLimit = (
	rateLimit: number | undefined,
	webhooks: number,
): Array<number | undefined> => {
	if (!rateLimit || webhooks === 1) return Array.from({ length: webhooks }, () => rateLimit);
	const ofRest = Math.max(1, Math.floor(rateLimit / 2));
	return [ofRest, Math.max(1, rateLimit - ofRest)];
};

/** Only works while registering: n8n removes test and production webhooks in the same mode. */
export const isTestRun = (context: IHookFunctions): boolean => context.getMode() === 'manual';

const unreachable = (): InputError =>
	new InputError(
		"Kudosity can't reach this n8n: its webhook URL is not a public https URL",
		`${howToBeReached}. Then publish the workflow again (activate it in n8n 1)`,
	);

/**
 * Each names its event types, since one without any would deliver all. Makes no request.
 *
 * @throws InputError when the service cannot reach this n8n, or no event is chosen; FieldError when a field cannot be
 * read, or the expression of a filter returns nothing
 */
export const wantedWebhooks = async (
	context: IHookFunctions,
	{ url, token }: Identity,
): Promise<WantedWebhook[]> => {
	if (!(await isReachable(context, { connection: 'key', url }))) throw unreachable();
	const scope = {
		timeZone: context.getTimezone(),
		phones: await loadPhones(),
		defaultCountry: await defaultCountryOf(context, 'key'),
	};
	const wanted = readParameters(context, webhookFields, scope);
	createRequiredCheck(context, { fields: webhookFields })(wanted);
	const { events, filters, options } = wanted;
	const { onlyFinalStatuses, rateLimit } = options;
	const parts = wantedFilters({ events, filters, onlyFinalStatuses });
	const limits = shareRateLimit(rateLimit, parts.length);
	const test = isTestRun(context) ? ' (test)' : '';
	return parts.map(({ part, filter }, index) => ({
		name: webhookNameIn(placeOf(context), `${part === 'status' ? ' (statuses)' : ''}${test}`),
		url: registeredUrl(url, token, part),
		filter,
		rateLimit: limits[index],
	}));
};
