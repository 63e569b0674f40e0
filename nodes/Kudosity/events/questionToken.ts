import { personOf } from '../lib/personOf';
import { parseUrl } from '../lib/text';
import { digestOf, isSameDigest, keyedDigestOf } from './tokens';

/** What the URL of a question's webhook says about the question. Only a holder of the API key can write it. */
export type QuestionToken = {
	/** Identifies the question. Its message has the same reference, so a reply may quote it. */
	nonce: string;
	/** A keyed digest of the person and the sender: the same for two questions to one person, and reveals neither. */
	conversationDigest: string;
	/** By the clock of the n8n that asked, in milliseconds since the epoch. */
	askedMs: number;
	/** Until when the webhook is needed. */
	expiresMs: number;
};

const conversationDigestLength = 16;
const messageDigestLength = 16;
const signatureLength = 22;
const base = 36;

/** The same however the contact is spelled. */
export function conversationDigestOf(apiKey: string, contact: string, sender: string): string {
	const digest = keyedDigestOf(apiKey, ['person', personOf(contact), sender]);
	return digest.slice(0, conversationDigestLength);
}

/** Tells which message ended a question. An opt-out by a link has none, and its digest matches no message. */
export function messageDigestOf(apiKey: string, nonce: string, messageId = ''): string {
	return keyedDigestOf(apiKey, ['end', nonce, messageId]).slice(0, messageDigestLength);
}

function signatureOf(apiKey: string, token: QuestionToken): string {
	const { nonce, conversationDigest, askedMs, expiresMs } = token;
	const parts = ['ask', nonce, conversationDigest, askedMs, expiresMs];
	return keyedDigestOf(apiKey, parts).slice(0, signatureLength);
}

/** `<nonce>.<conversation digest>.<asked>.<expires>.<signature>` */
export function encodeQuestionToken(apiKey: string, token: QuestionToken): string {
	const { nonce, conversationDigest, askedMs, expiresMs } = token;
	const times = [askedMs.toString(base), expiresMs.toString(base)];
	return [nonce, conversationDigest, ...times, signatureOf(apiKey, token)].join('.');
}

const shape = /^([\w-]+)\.([\w-]+)\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([\w-]+)$/;

/** Undefined for a text that was not encoded with the same key. */
export function decodeQuestionToken(apiKey: string, text = ''): QuestionToken | undefined {
	const [, nonce = '', conversationDigest = '', asked = '', expires = '', signature = ''] =
		shape.exec(text) ?? [];
	const times = { askedMs: parseInt(asked, base), expiresMs: parseInt(expires, base) };
	const token = { nonce, conversationDigest, ...times };
	const isOurs =
		signature !== '' && isSameDigest(digestOf(signature), digestOf(signatureOf(apiKey, token)));
	return isOurs ? token : undefined;
}

/** Reads a query parameter of a webhook's URL, which anybody may have written. */
export function queryParameter(url: string | undefined, name: 'ask' | 'words'): string | undefined {
	return parseUrl(url)?.searchParams.get(name) ?? undefined;
}
