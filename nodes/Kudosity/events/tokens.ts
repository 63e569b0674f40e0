import { createHmac, hash, timingSafeEqual } from 'crypto';

type TokenOwner = {
	workflowId: string;
	nodeId: string;
	/** The webhook's path in n8n, without the host. */
	path: string;
};

/** Returns a digest that only a holder of the API key can produce. */
export function keyedDigestOf(apiKey: string, parts: Array<string | number>): string {
	return createHmac('sha256', apiKey).update(parts.join('\n')).digest('base64url');
}

/**
 * Derives a token from the API key, so it doesn't need to be stored. Each node in each workflow has its own token, even
 * if two nodes share a path.
 */
export function createToken(apiKey: string, { workflowId, nodeId, path }: TokenOwner): string {
	return keyedDigestOf(apiKey, [workflowId, nodeId, path]);
}

/** Returns a digest that is safe to store: it recognizes a token without revealing it. */
export function digestOf(token: string): string {
	return hash('sha256', token, 'base64url');
}

/** Compares two digests in constant time. */
export function isSameDigest(digest: string, expected: string): boolean {
	const [left, right] = [Buffer.from(digest), Buffer.from(expected)] as const;
	return left.length === right.length && timingSafeEqual(left, right);
}

/** Whether a value has the format of a token. This is cheap, so it is checked first. */
export function looksLikeToken(token: unknown): token is string {
	return typeof token === 'string' && /^[\w-]{43}$/.test(token);
}

/** Whether `token`, an untrusted query parameter, matches one of the digests. */
export function isExpectedToken(
	token: unknown,
	expectedDigests: Array<string | undefined>,
): boolean {
	if (!looksLikeToken(token)) return false;
	const digest = digestOf(token);
	return expectedDigests.filter((expected = '') => isSameDigest(digest, expected)).length > 0;
}

/**
 * Whether a query parameter is a trigger's token, or n8n's signature in the URL of an open question. Anyone who has one
 * of these can deliver events.
 */
const isSecret = (name: string, value: string): boolean =>
	name === 'token' ? looksLikeToken(value) : /^[0-9a-f]{64}(?!\w)/.test(value);
const nameAndValue = /(?<=[?&])(token|signature)=([\w-]+)/g;
const hiddenToken = /[?&](?:token|signature)=\*\*\*(?![^&#])/;

/** Hides the secrets in a webhook's URL, so it is safe to show and store. */
export function withoutToken(url: string): string {
	return url.replace(nameAndValue, (whole, name: string, value: string) =>
		isSecret(name, value) ? `${name}=***` : whole,
	);
}

/**
 * Whether `withoutToken` has hidden a secret in the URL. If such a URL were registered, its trigger would reject every
 * event.
 */
export function lacksToken(url: string): boolean {
	return hiddenToken.test(url);
}

export function withHiddenToken<Shown extends Record<string, unknown>>(webhook: Shown): Shown {
	return typeof webhook.url === 'string' ? { ...webhook, url: withoutToken(webhook.url) } : webhook;
}
