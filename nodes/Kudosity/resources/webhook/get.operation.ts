import { getWebhook } from '../../api/endpoints/webhook';
import { withHiddenToken } from '../../events/hiddenToken';
import { defineOperation } from '../../runtime/operation';
import { webhookId } from './webhookId';

/** GET /v2/webhook/{id}. */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get webhook',
	description: 'Get one webhook of the account',
	fields: [webhookId],
	run: async ({ call }, { webhookId: id }) => withHiddenToken(await call(getWebhook, { id })),
});
