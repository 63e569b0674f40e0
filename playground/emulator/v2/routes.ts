import type { V2Route } from './dialect.ts';
import { mmsRoutes } from './mms.ts';
import { rcsRoutes } from './rcs.ts';
import { senderRoutes } from './senders.ts';
import { smsRoutes } from './sms.ts';
import { webhookRoutes } from './webhooks.ts';
import { whatsappRoutes } from './whatsapp.ts';

export const v2Routes: V2Route[] = [
	...smsRoutes,
	...mmsRoutes,
	...whatsappRoutes,
	...rcsRoutes,
	...senderRoutes,
	...webhookRoutes,
];
