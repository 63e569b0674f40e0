import { createSmsApi } from './sms.api';
import type { Transport } from './transport';
import { createWebhookApi } from './webhook.api';

/** The whole service behind one transport. Adding a resource = one `.api.ts` file and one entry here. */
export const createClient = (transport: Transport) => ({
	sms: createSmsApi(transport),
	webhooks: createWebhookApi(transport),
});

export type Client = ReturnType<typeof createClient>;
