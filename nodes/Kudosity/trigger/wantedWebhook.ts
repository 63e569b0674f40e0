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
import { webhookFilters } from '../fields/webhook';
import { defaultCountryOf, howToBeReached, isReachable } from '../n8n/credentials';
import { placeOf, webhookNameIn } from '../n8n/services';
import {
	anyOptOut,
	anyOptOutName,
	areStatusesAlone,
	readParameters,
	subscribedTypes,
	type TriggerEvent,
	webhookFields,
} from './fields';
import { type Identity, registeredUrl } from './identity';
import type { WantedWebhook } from './planRegistration';

type Subscription = { events: TriggerEvent[]; filters: FilterFields; onlyFinalStatuses: boolean };

/** Returns the statuses that can start the workflow; empty if n8n has to look at every status. */
function wantedStatuses(
	events: EventType[],
	{ filters, onlyFinalStatuses }: Subscription,
): readonly string[] {
	const types = events.filter((type) => kindOf(type) === 'status');
	const chosen = filters.status ?? [];
	if (!onlyFinalStatuses || types.length === 0) return chosen;
	// Kudosity has one list for all types, so if the types end differently, the status is checked at the delivery.
	if (chosen.length === 0) return types.some(hasOtherLastStatuses) ? [] : lastStatuses;
	const last = chosen.filter((status) => types.some((type) => canBeLast(status, type)));
	if (last.length > 0) return last;
	throw new InputError(
		"'Only Final Statuses' skips every status in the filter 'Status'",
		"Add a final status such as Delivered to 'Status', or turn off 'Only Final Statuses'",
	);
}

/** @throws InputError - it is chosen beside other events, or with a filter that opt-outs would not pass */
function optOutFilter({ events, filters }: Subscription): WebhookFilter {
	if (events.length > 1) {
		throw new InputError(
			`'${anyOptOutName}' needs its own trigger`,
			"In 'Trigger On', remove the other events, and add another Kudosity Trigger for them",
		);
	}
	const { sender, ...others } = filters;
	const values: Record<string, string[] | undefined> = others;
	const hiding = webhookFilters.fields?.find(({ property }) => values[property.name]?.length);
	if (hiding) {
		throw new InputError(
			`'Filters > ${hiding.property.displayName}' would hide opt-outs`,
			`Remove it: Sender is the only filter that applies to '${anyOptOutName}'`,
		);
	}
	return webhookFilter(subscribedTypes(events), { sender });
}

/**
 * Returns the filter for Kudosity. Statuses are part of it only if no other event is chosen: Kudosity does not document
 * the effect of a status filter on other events, and a reply could get lost.
 *
 * @throws InputError - when no event is chosen, no status is left, or any opt-out is not alone
 */
export function wantedFilter(subscription: Subscription): WebhookFilter {
	const { events, filters } = subscription;
	if (events.length === 0) {
		throw new InputError("'Trigger On' is empty", 'Choose at least one event');
	}
	if (events.includes(anyOptOut)) return optOutFilter(subscription);
	const types = subscribedTypes(events);
	const statuses = wantedStatuses(types, subscription);
	return webhookFilter(types, {
		...filters,
		status: areStatusesAlone(events) ? [...statuses] : [],
	});
}

/** Whether n8n listens for a test event. True only while registering: n8n removes all webhooks in the same mode. */
export function isTestRun(context: IHookFunctions): boolean {
	return context.getMode() === 'manual';
}

const unreachable = (): InputError =>
	new InputError(
		"Kudosity can't reach this n8n: its webhook URL is not a public https URL",
		`${howToBeReached}. Then publish the workflow again (activate it in n8n 1)`,
	);

/**
 * Reads the settings of the webhook that the node asks for. Makes no request.
 *
 * @throws InputError - when Kudosity cannot reach this n8n, no event is chosen, or no status is left
 * @throws FieldError - when a field cannot be read, or the expression of a filter returns nothing
 */
export async function wantedWebhook(
	context: IHookFunctions,
	identity: Identity,
): Promise<WantedWebhook> {
	if (!(await isReachable(context, { connection: 'key', url: identity.url }))) throw unreachable();
	const scope = {
		timeZone: context.getTimezone(),
		phones: await loadPhones(),
		defaultCountry: await defaultCountryOf(context, 'key'),
	};
	const wanted = readParameters(context, webhookFields, scope);
	createRequiredCheck(context, { fields: webhookFields })(wanted);
	const { events, filters, options } = wanted;
	const { onlyFinalStatuses, rateLimit } = options;
	return {
		name: webhookNameIn(placeOf(context), isTestRun(context) ? ' (test)' : ''),
		url: registeredUrl(identity),
		filter: wantedFilter({ events, filters, onlyFinalStatuses }),
		rateLimit,
	};
}
