import type { IHookFunctions } from 'n8n-workflow';
import { InputError } from '../api/errors';
import { loadPhones } from '../fields/phone/phones';
import { defaultCountryOf } from '../runtime/credentials';
import { createValueCheck } from '../runtime/neededValues';
import { howToBeReached, requireReachable } from '../runtime/reachable';
import { webhookFields } from './fields';
import { readParameters } from './nodeParameters';
import type { Identity } from './ownership';
import type { WantedWebhook } from './planRegistration';
import { shareRateLimit, wantedFilters } from './splitSubscription';
import { registeredName } from './registeredName';
import { registeredUrl } from './webhookUrl';

/** Only registering knows the mode: n8n removes a test and a production webhook in the same one. */
export const isTestRun = (context: IHookFunctions): boolean => context.getMode() === 'manual';

const unreachable = (): InputError =>
	new InputError(
		'Kudosity cannot reach this n8n: its webhook URL is no public https address',
		`${howToBeReached}. Then publish the workflow again (in n8n 1: switch it to Active)`,
	);

/**
 * The webhooks that this trigger has to have at the service. Each names event types: without them it would
 * deliver all.
 *
 * @throws InputError when the service could not reach it, nothing is subscribed, or a field cannot be read or a filter's
 * expression delivers nothing (FieldError); nothing was sent then
 */
export const wantedWebhooks = async (
	context: IHookFunctions,
	{ url, token }: Identity,
): Promise<WantedWebhook[]> => {
	await requireReachable(context, { connection: 'key', url }, unreachable);
	const scope = {
		timeZone: context.getTimezone(),
		phones: await loadPhones(),
		defaultCountry: await defaultCountryOf(context, 'key'),
	};
	const wanted = readParameters(context, webhookFields, scope);
	createValueCheck(context, { fields: webhookFields })(wanted);
	const { events, filters, options } = wanted;
	const { onlyFinalStatuses, rateLimit } = options;
	const parts = wantedFilters({ events, filters, onlyFinalStatuses });
	const limits = shareRateLimit(rateLimit, parts.length);
	const names = {
		workflow: context.getWorkflow().name ?? '',
		node: context.getNode().name,
		isTest: isTestRun(context),
	};
	return parts.map(({ part, filter }, index) => ({
		name: registeredName({ ...names, part }),
		url: registeredUrl(url, token, part),
		filter,
		rateLimit: limits[index],
	}));
};
