import { z } from 'zod/v4';
import { defineOperation } from '../../runtime/operation';
import { webhookIdField, webhookIdInput } from './webhookFields';

/** DELETE /v2/webhook/{id}. `delete` itself is a reserved word. */
export const deleteWebhook = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete webhook',
	description: 'Delete a webhook for good: whoever receives its events gets no more of them',
	properties: [webhookIdField],
	input: z.object({ webhookId: webhookIdInput }),
	run: async ({ client }, { webhookId }) => {
		await client.webhooks.delete(webhookId);
		return { deleted: true, id: webhookId };
	},
});
