import type { V2Route } from '../dialect.ts';
import { listSms } from './list.ts';
import { getSms, sendSms } from './send.ts';

export const smsRoutes: V2Route[] = [
	{ method: 'POST', path: '/v2/sms', run: sendSms },
	{ method: 'GET', path: '/v2/sms', run: listSms },
	{ method: 'GET', path: '/v2/sms/{id}', run: getSms },
];
