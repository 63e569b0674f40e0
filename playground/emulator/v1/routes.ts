import { accountRoutes, emailSenderRoutes } from './account.ts';
import { bulkSmsRoutes } from './bulkSms.ts';
import { contactRoutes } from './contacts.ts';
import type { V1Route } from './dialect.ts';
import { importRoutes } from './importContacts.ts';
import { keywordRoutes } from './keywords.ts';
import { listRoutes } from './lists.ts';
import { numberRoutes } from './numbers.ts';
import { reportRoutes } from './reports.ts';

export const v1Routes: V1Route[] = [
	...accountRoutes,
	...bulkSmsRoutes,
	...contactRoutes,
	...emailSenderRoutes,
	...keywordRoutes,
	...listRoutes,
	...importRoutes,
	...numberRoutes,
	...reportRoutes,
];
