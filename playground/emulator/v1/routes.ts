import { accountRoutes } from './account/routes.ts';
import { bulkSmsRoutes } from './bulkSms/routes.ts';
import { contactRoutes } from './contacts/routes.ts';
import type { V1Route } from './dialect.ts';
import { emailSenderRoutes } from './emailSenders/routes.ts';
import { keywordRoutes } from './keywords/routes.ts';
import { listRoutes } from './lists/routes.ts';
import { numberRoutes } from './numbers/routes.ts';
import { reportRoutes } from './reports/routes.ts';

export const v1Routes: V1Route[] = [
	...accountRoutes,
	...bulkSmsRoutes,
	...contactRoutes,
	...emailSenderRoutes,
	...keywordRoutes,
	...listRoutes,
	...numberRoutes,
	...reportRoutes,
];
