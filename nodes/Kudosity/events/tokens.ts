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
export const looksLikeToken = (token: unknown): token is string =>
	typeof token === 'string' && /^[\w-]{43}$/.test(token);

/** Whether `token`, which can be anything a query string holds, is one of those expected. */
export const isExpectedToken = (
	token: unknown,
	expectedDigests: Array<string | undefined>,
): boolean => {
	if (!looksLikeToken(token)) return false;
	const digest = digestOf(token);
	return expectedDigests.filter((expected = '') => isSameDigest(digest, expected)).length > 0;
};

/**
 * The token of a trigger's own webhook, and n8n's signature in that of an open question: whoever has it can
 * deliver events.
 */
const isSecret = (name: string, value: string): boolean =>
	name === 'token' ? looksLikeToken(value) : /^[0-9a-f]{64}(?!\w)/.test(value);
const nameAndValue = /(?<=[?&])(token|signature)=([\w-]+)/g;
const hiddenToken = /[?&](?:token|signature)=\*\*\*(?![^&#])/;

/** A webhook's address as it may be shown and stored. */
export const withoutToken = (url: string): string =>
	url.replace(nameAndValue, (whole, name: string, value: string) =>
		isSecret(name, value) ? `${name}=***` : whole,
	);

/** Whether an address went through `withoutToken`: registered so, its trigger would refuse every event. */
export const lacksToken = (url: string): boolean => hiddenToken.test(url);

export const withHiddenToken = <Shown extends Record<string, unknown>>(webhook: Shown): Shown =>
	typeof webhook.url === 'string' ? { ...webhook, url: withoutToken(webhook.url) } : webhook;

/** What the address of a question's webhook says of it, so that later runs know it without any memory. */
export type AskToken = {
	/** Unique. */
	nonce: string;
	/** Stands for the person and the sender, without naming them. */
	person: string;
	/** Milliseconds since the epoch. */
	askedMs: number;
	untilMs: number;
};

const markLength = 22;
const personLength = 16;
const base = 36;

/** The same person asked from the same sender has the same text; nobody without the key can tell whose it is. */
export const personOf = (apiKey: string, contact: string, sender: string): string =>
	keyedDigestOf(apiKey, ['person', contact, sender]).slice(0, personLength);

const markOf = (apiKey: string, { nonce, person, askedMs, untilMs }: AskToken): string =>
	keyedDigestOf(apiKey, ['ask', nonce, person, askedMs, untilMs]).slice(0, markLength);

/** `<nonce>.<person>.<asked>.<until>.<mark>`; nobody without the API key can make the mark. */
export const writeAsk = (apiKey: string, ask: AskToken): string =>
	[
		ask.nonce,
		ask.person,
		ask.askedMs.toString(base),
		ask.untilMs.toString(base),
		markOf(apiKey, ask),
	].join('.');

const shape = /^([\w-]+)\.([\w-]+)\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([\w-]+)$/;

/** What `writeAsk` wrote with the same key; undefined for any other text. */
export const readAsk = (apiKey: string, text: string | null | undefined): AskToken | undefined => {
	const [, nonce = '', person = '', asked = '', until = '', mark = ''] =
		shape.exec(text ?? '') ?? [];
	const ask = { nonce, person, askedMs: parseInt(asked, base), untilMs: parseInt(until, base) };
	return mark !== '' && isSameDigest(digestOf(mark), digestOf(markOf(apiKey, ask)))
		? ask
		: undefined;
};

/** What the address of a webhook says by a name, whoever made it. */
export const textInUrl = (url: string | undefined, name: 'ask' | 'words'): string | null =>
	url !== undefined && URL.canParse(url) ? new URL(url).searchParams.get(name) : null;
