import type { V2Route } from './dialect.ts';
import { mmsRoutes } from './mms/routes.ts';
import { rcsRoutes } from './rcs/routes.ts';
import { senderRoutes } from './senders/routes.ts';
import { smsRoutes } from './sms/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { whatsappRoutes } from './whatsapp/routes.ts';

export const v2Routes: V2Route[] = [
	...smsRoutes,
	...mmsRoutes,
	...whatsappRoutes,
	...rcsRoutes,
	...senderRoutes,
	...webhookRoutes,
];
