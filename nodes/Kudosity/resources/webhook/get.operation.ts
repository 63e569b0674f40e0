import { z } from 'zod/v4';
import { withHiddenToken } from '../../api/hiddenToken';
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
	run: async ({ client }, { webhookId }) => withHiddenToken(await client.webhooks.get(webhookId)),
});
