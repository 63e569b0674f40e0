import { z } from 'zod/v4';
import { defineOperation } from '../../runtime/operation';
import { webhookIdField, webhookIdInput } from './webhookFields';

/** GET /v2/webhook/{id}. */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get webhook',
	description: 'Get one webhook of the account',
	properties: [webhookIdField],
	input: z.object({ webhookId: webhookIdInput }),
	run: async ({ client }, { webhookId }) => await client.webhooks.get(webhookId),
});
