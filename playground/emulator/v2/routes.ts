import type { Call, Dialect, Route } from '../http/routes.ts';
import { fieldsOf, type Fields } from './body.ts';
import { mmsRoutes } from './mms/routes.ts';
import { rcsRoutes } from './rcs/routes.ts';
import { senderRoutes } from './senders/routes.ts';
import { smsRoutes } from './sms/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { whatsappRoutes } from './whatsapp/routes.ts';

export type V2Call = Call<Fields>;
export type V2Route = Route<Fields>;

export const v2Dialect: Dialect<Fields> = {
	methods: ({ method }) => [method],
	fields: ({ body }) => fieldsOf(body),
	answer: (result) => result,
};

export const v2Routes: V2Route[] = [
	...smsRoutes,
	...mmsRoutes,
	...whatsappRoutes,
	...rcsRoutes,
	...senderRoutes,
	...webhookRoutes,
];
