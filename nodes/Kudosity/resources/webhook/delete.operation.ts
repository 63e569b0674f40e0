import { deleteWebhook as deleteEndpoint } from '../../api/endpoints/webhook';
import { defineOperation } from '../../runtime/operation';
import { webhookId } from './webhookId';

/** DELETE /v2/webhook/{id}. `delete` itself is a reserved word. */
export const deleteWebhook = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete webhook',
	description: 'Delete a webhook permanently. Whoever receives its events gets no more of them.',
	fields: [webhookId],
	once: true,
	run: async ({ call }, { webhookId: id }) => {
		await call(deleteEndpoint, { id });
		return { deleted: true, id };
	},
});
