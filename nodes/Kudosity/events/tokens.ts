import { createHmac, hash, timingSafeEqual } from 'crypto';
import { personOf } from '../lib/personOf';
import { parseUrl } from '../lib/text';

type TokenOwner = {
	workflowId: string;
	nodeId: string;
	/** The webhook's path in n8n, without host. */
	path: string;
};

/** A digest that only a holder of the API key can produce. */
export function keyedDigestOf(apiKey: string, parts: Array<string | number>): string {
	return createHmac('sha256', apiKey).update(parts.join('\n')).digest('base64url');
}

/** Derived from the API key: it needs no storage. Each workflow and node has its own, even under the same path. */
export function createToken(apiKey: string, { workflowId, nodeId, path }: TokenOwner): string {
	return keyedDigestOf(apiKey, [workflowId, nodeId, path]);
}

/** Safe to store: recognizes a token without revealing it. */
export function digestOf(token: string): string {
	return hash('sha256', token, 'base64url');
}

/** Compares in constant time. */
export function isSameDigest(digest: string, expected: string): boolean {
	const [left, right] = [Buffer.from(digest), Buffer.from(expected)] as const;
	return left.length === right.length && timingSafeEqual(left, right);
}

/** Rejects early what cannot be a token. */
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

/** A trigger's token, or n8n's signature in the URL of an open question. Anyone who has it can deliver events. */
const isSecret = (name: string, value: string): boolean =>
	name === 'token' ? looksLikeToken(value) : /^[0-9a-f]{64}(?!\w)/.test(value);
const nameAndValue = /(?<=[?&])(token|signature)=([\w-]+)/g;
const hiddenToken = /[?&](?:token|signature)=\*\*\*(?![^&#])/;

/** A webhook's URL, safe to show and store. */
export function withoutToken(url: string): string {
	return url.replace(nameAndValue, (whole, name: string, value: string) =>
		isSecret(name, value) ? `${name}=***` : whole,
	);
}

/** Whether a URL went through `withoutToken`. If it were registered, its trigger would refuse every event. */
export function lacksToken(url: string): boolean {
	return hiddenToken.test(url);
}

export function withHiddenToken<Shown extends Record<string, unknown>>(webhook: Shown): Shown {
	return typeof webhook.url === 'string' ? { ...webhook, url: withoutToken(webhook.url) } : webhook;
}

/** What a question's webhook URL says about it, so that other runs need no stored state. */
export type AskToken = {
	nonce: string;
	/** A keyed digest of contact and sender, which reveals neither. */
	person: string;
	/** Milliseconds since the epoch. */
	askedMs: number;
	untilMs: number;
};

const markLength = 22;
const personLength = 16;
const base = 36;

/** The same for each person and sender, however the contact is spelled; only a holder of the key can tell whose it is. */
export function conversationDigest(apiKey: string, contact: string, sender: string): string {
	return keyedDigestOf(apiKey, ['person', personOf(contact), sender]).slice(0, personLength);
}

const endDigestLength = 16;

/** Tells which message ended a question; an opt-out by a link has none, and matches no message. */
export function endDigestOf(apiKey: string, nonce: string, messageId = ''): string {
	return keyedDigestOf(apiKey, ['end', nonce, messageId]).slice(0, endDigestLength);
}

const markOf = (apiKey: string, { nonce, person, askedMs, untilMs }: AskToken): string =>
	keyedDigestOf(apiKey, ['ask', nonce, person, askedMs, untilMs]).slice(0, markLength);

/** `<nonce>.<person>.<asked>.<until>.<mark>`; only a holder of the API key can produce the mark. */
export function writeAsk(apiKey: string, ask: AskToken): string {
	return [
		ask.nonce,
		ask.person,
		ask.askedMs.toString(base),
		ask.untilMs.toString(base),
		markOf(apiKey, ask),
	].join('.');
}

const shape = /^([\w-]+)\.([\w-]+)\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([\w-]+)$/;

/** Reads what `writeAsk` wrote with the same key. Undefined for any other text. */
export function readAsk(apiKey: string, text: string | null | undefined): AskToken | undefined {
	const [, nonce = '', person = '', asked = '', until = '', mark = ''] =
		shape.exec(text ?? '') ?? [];
	const ask = { nonce, person, askedMs: parseInt(asked, base), untilMs: parseInt(until, base) };
	return mark !== '' && isSameDigest(digestOf(mark), digestOf(markOf(apiKey, ask)))
		? ask
		: undefined;
}

/** A query parameter of a webhook's URL, which is untrusted. */
export function queryParameter(
	url: string | undefined,
	name: 'ask' | 'words',
): string | null | undefined {
	return parseUrl(url)?.searchParams.get(name);
}
