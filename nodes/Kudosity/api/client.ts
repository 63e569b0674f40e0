import { createListApi } from './list.api';
import { createNumberApi } from './number.api';
import { createRcsApi } from './rcs.api';
import { createSmsApi } from './sms.api';
import type { Transport } from './transport';
import { createWebhookApi } from './webhook.api';

/** The whole service behind one transport. Adding a resource = one `.api.ts` file and one entry here. */
export const createClient = (transport: Transport) => ({
	lists: createListApi(transport),
	numbers: createNumberApi(transport),
	rcs: createRcsApi(transport),
	sms: createSmsApi(transport),
	webhooks: createWebhookApi(transport),
});

export type Client = ReturnType<typeof createClient>;
