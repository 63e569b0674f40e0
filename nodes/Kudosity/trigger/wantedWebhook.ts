import type { IHookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import { requireSecret } from '../api/credential';
import { InputError } from '../api/errors';
import { canReach } from '../api/reachability';
import type { WebhookFilter } from '../api/schemas/webhook.schema';
import { webhookFilter } from '../api/webhookSettings';
import { credentialNames } from '../runtime/nodeTransport';
import { parseInput } from '../runtime/parseInput';
import { filtersField, filtersInput } from './filters';
import { readParameters } from './nodeParameters';
import type { WantedWebhook } from './registration';
import { createToken } from './token';
import type { TriggerParameters } from './triggerParameters';
import { webhookNameOf } from './webhookName';
import { webhookPathOf, withToken } from './webhookUrl';

export const webhookUrlOf = (context: IHookFunctions): string =>
	context.getNodeWebhookUrl('default') ?? '';

/** Only registering knows the mode: n8n removes a test and a production webhook in the same one. */
export const isTestRun = (context: IHookFunctions): boolean => context.getMode() === 'manual';

const unreachable = (): InputError =>
	new InputError(
		'Kudosity cannot reach this n8n: its webhook URL is no public https address',
		'Set the environment variable N8N_WEBHOOK_URL to the https address by which the internet reaches n8n, e.g. https://n8n.example.com/, then restart n8n and publish the workflow again',
	);

const filterFields = { input: z.object({ filters: filtersInput }), properties: [filtersField] };

/**
 * The service's filter. It always names event types: without them it would deliver all.
 *
 * @throws InputError when no event is chosen, or a filter cannot be read and would let too much through
 */
export const filterOf = ({ events, filters }: TriggerParameters): WebhookFilter => {
	if (events.length === 0) {
		throw new InputError("'Events' is empty", 'Choose at least one event to start on');
	}
	const input = parseInput(filterFields, { filters: filters ?? {} });
	return webhookFilter(events, input.filters);
};

/**
 * The webhook that this trigger has to have at the service.
 *
 * @throws InputError when the service could not reach it, nothing is subscribed, or a filter cannot be read;
 * nothing was sent then
 */
export const wantedWebhook = async (
	context: IHookFunctions,
): Promise<WantedWebhook & { token: string }> => {
	const { apiKey, baseUrl } = await context.getCredentials(credentialNames.key);
	const url = webhookUrlOf(context);
	if (!canReach(String(baseUrl), url)) throw unreachable();
	const filter = filterOf(readParameters(context));
	const node = context.getNode();
	const path = webhookPathOf(url, node.webhookId);
	const token = createToken(requireSecret(apiKey, 'API Key'), path);
	const workflow = context.getWorkflow().name ?? '';
	return {
		name: webhookNameOf({ workflow, node: node.name, isTest: isTestRun(context) }),
		url: withToken(url, token),
		filter,
		token,
	};
};
