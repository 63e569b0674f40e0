import type { IncomingHttpHeaders } from 'node:http';
import type { Account } from '../account.ts';
import { isV2Path, problemRefusal, v1Refusal } from './refusal.ts';

function basicAccount(header: string | undefined, accounts: Account[]): Account {
	if (!header) throw v1Refusal(401, 'AUTH_FAILED_NO_DATA');
	const [scheme, encoded = ''] = header.split(' ');
	const decoded = Buffer.from(encoded, 'base64').toString('utf8');
	const colon = decoded.indexOf(':');
	const apiKey = decoded.slice(0, colon);
	const apiSecret = decoded.slice(colon + 1);
	const account = accounts.find((one) => one.apiKey === apiKey && one.apiSecret === apiSecret);
	const isBasic = scheme?.toLowerCase() === 'basic' && colon >= 0;
	if (!isBasic || !apiSecret || !account) throw v1Refusal(401, 'AUTH_FAILED');
	return account;
}

function keyAccount(path: string, key: unknown, accounts: Account[]): Account {
	const account = accounts.find((one) => one.apiKey !== '' && one.apiKey === key);
	if (account) return account;
	// The two families of v2 operations are documented with different error bodies.
	throw /^\/v2\/(?:rcs|whatsapp|senders)\b/.test(path)
		? problemRefusal(401)
		: v1Refusal(401, 'AUTH_FAILED');
}

/** The account that the request belongs to: Basic on v1, `x-api-key` on v2. Throws the 401 of the dialect. */
export const authenticate = (path: string, headers: IncomingHttpHeaders, accounts: Account[]) =>
	isV2Path(path)
		? keyAccount(path, headers['x-api-key'], accounts)
		: basicAccount(headers.authorization, accounts);
