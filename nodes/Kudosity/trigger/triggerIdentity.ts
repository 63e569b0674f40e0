import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { createToken } from '../events/token';
import { apiKeyOf } from '../runtime/credentials';
import type { Identity } from './ownership';
import { readRegistration } from './storedRegistration';
import { webhookPathOf } from './webhookUrl';

/**
 * The token that the credential's key makes for this trigger.
 *
 * @throws InputError when the credential has no usable key
 */
export const deriveToken = async (context: IHookFunctions | IWebhookFunctions): Promise<string> => {
	const key = await apiKeyOf(context);
	const { id: nodeId, webhookId } = context.getNode();
	const path = webhookPathOf(context.getNodeWebhookUrl('default') ?? '', webhookId);
	const workflowId = context.getWorkflow().id ?? '';
	return createToken(key, { workflowId, nodeId, path });
};

/**
 * What tells this trigger's webhooks from all others.
 *
 * @throws InputError when the credential has no usable key
 */
export const readIdentity = async (context: IHookFunctions): Promise<Identity> => {
	const { ids, tokenDigest } = readRegistration(context);
	const url = context.getNodeWebhookUrl('default') ?? '';
	return { url, token: await deriveToken(context), ids, tokenDigest };
};
