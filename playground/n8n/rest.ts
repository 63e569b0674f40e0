import { createSession, type Cookies } from './session.ts';
import { credentialCalls } from './credentialCalls.ts';
import { dataTableCalls } from './dataTableCalls.ts';
import { executionCalls } from './executionCalls.ts';
import { ownerCalls } from './ownerCalls.ts';
import { typeCalls } from './typeCalls.ts';
import { workflowCalls } from './workflowCalls.ts';

/**
 * The REST interface that n8n's own editor uses, for n8n 1.123 and 2.x. Log in first, or hand over the cookies
 * of a session that is logged in: n8n allows five logins in a minute.
 */
export const createRest = (url: string, cookies: Cookies = new Map()) => {
	const session = createSession(url, cookies);
	return {
		cookies,
		...ownerCalls(session),
		...credentialCalls(session),
		...workflowCalls(session),
		...executionCalls(session),
		...typeCalls(session),
		...dataTableCalls(session),
	};
};

export type Rest = ReturnType<typeof createRest>;
