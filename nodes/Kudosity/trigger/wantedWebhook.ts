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

/**
 * Returns the statuses to which Kudosity can limit its events. An empty list means that Kudosity sends every status.
 */
function wantedStatuses(
	events: EventType[],
	{ filters, onlyFinalStatuses }: Subscription,
): readonly string[] {
	const types = events.filter((type) => kindOf(type) === 'status');
	const chosen = filters.status ?? [];
	if (!onlyFinalStatuses || types.length === 0) return chosen;
	// A webhook has one status filter for all event types. If the types have different last statuses, the node checks
	// each status when an event is delivered.
	if (chosen.length === 0) return types.some(hasOtherLastStatuses) ? [] : lastStatuses;
	const last = chosen.filter((status) => types.some((type) => canBeLast(status, type)));
	if (last.length > 0) return last;
	throw new InputError(
		"'Only Final Statuses' skips every status in the filter 'Status'",
		"Add a final status such as Delivered to 'Status', or turn off 'Only Final Statuses'",
	);
}

/**
 * Returns the filter for `anyOptOut`.
 *
 * @throws InputError - other events are selected, too, or a filter would hide opt-outs
 */
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
 * Returns the filter to send to Kudosity. It contains statuses only if every selected event is a status event: Kudosity
 * doesn't document how a status filter affects other events, so replies could get lost.
 *
 * @throws InputError - no event is selected, no status is left, or `anyOptOut` is combined with other events or with a
 * filter that hides opt-outs
 */
export function wantedFilter(subscription: Subscription): WebhookFilter {
	const { events, filters } = subscription;
	if (events.length === 0) {
		throw new InputError("'Trigger On' is empty", 'Select at least one event');
	}
	if (events.includes(anyOptOut)) return optOutFilter(subscription);
	const types = subscribedTypes(events);
	const statuses = wantedStatuses(types, subscription);
	return webhookFilter(types, {
		...filters,
		status: areStatusesAlone(events) ? [...statuses] : [],
	});
}

/**
 * Whether n8n is listening for a test event. Only correct during registration, because n8n removes the webhooks of
 * tests and of published workflows in the same mode.
 */
export function isTestRun(context: IHookFunctions): boolean {
	return context.getMode() === 'manual';
}

const unreachable = (): InputError =>
	new InputError(
		"Kudosity can't reach this n8n instance: its webhook URL is not a public https URL",
		`${howToBeReached}. Then publish the workflow again (activate it in n8n 1)`,
	);

/**
 * Reads the settings of the webhook that the node needs. Makes no requests.
 *
 * @throws InputError - Kudosity can't reach this n8n, no event is selected, or no status is left
 * @throws FieldError - a field can't be read, or the expression of a filter returns nothing
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
