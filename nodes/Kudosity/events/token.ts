import { createHmac, hash, timingSafeEqual } from 'crypto';

type TokenOwner = {
	workflowId: string;
	nodeId: string;
	/** Of the webhook in n8n, without host. */
	path: string;
};

/** A digest of texts that nobody without the API key can make. */
export const keyedDigestOf = (apiKey: string, parts: Array<string | number>): string =>
	createHmac('sha256', apiKey).update(parts.join('\n')).digest('base64url');

/**
 * The token of a webhook's URL. It needs no storage: whoever has the API key can make it again.
 * Another workflow or node has another token, also where n8n gave both the same path.
 */
export const createToken = (apiKey: string, { workflowId, nodeId, path }: TokenOwner): string =>
	keyedDigestOf(apiKey, [workflowId, nodeId, path]);

/** What may be kept of a token: it recognises the token, but nobody can make the token from it. */
export const digestOf = (token: string): string => hash('sha256', token, 'base64url');

/** Compares in a time that says nothing about where two digests differ; those of another length are none. */
export const isSameDigest = (digest: string, expected: string): boolean => {
	const [left, right] = [Buffer.from(digest), Buffer.from(expected)] as const;
	return left.length === right.length && timingSafeEqual(left, right);
};

/** Whether `token` can be one at all. What cannot need not be compared with anything. */
export const isTokenShaped = (token: unknown): token is string =>
	typeof token === 'string' && /^[\w-]{43}$/.test(token);

/** Whether `token`, which can be anything a query string holds, is one of those expected. */
export const isExpectedToken = (
	token: unknown,
	expectedDigests: Array<string | undefined>,
): boolean => {
	if (!isTokenShaped(token)) return false;
	const digest = digestOf(token);
	return expectedDigests.filter((expected = '') => isSameDigest(digest, expected)).length > 0;
};
