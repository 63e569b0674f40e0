import { personOf } from '../lib/personOf';
import { parseUrl } from '../lib/text';
import { digestOf, isSameDigest, keyedDigestOf } from './tokens';

/**
 * The data about a question in the URL of its webhook. The data is signed, so only a holder of the API key can create
 * it.
 */
export type QuestionToken = {
	/**
	 * The question's unique ID. The question's message is sent with this ID as its `message_ref`, so the event for a
	 * reply may contain it.
	 */
	nonce: string;
	/**
	 * A keyed digest of the recipient and the sender. All questions in the same conversation share it, and it reveals
	 * neither number.
	 */
	conversationDigest: string;
	/** When the question was asked, in epoch milliseconds by the clock of the n8n that asked. */
	askedMs: number;
	/**
	 * Until when the webhook is needed, in epoch milliseconds. This is the end of the wait; once the question is
	 * closed, it is the time until which `closeQuestion` keeps the webhook.
	 */
	expiresMs: number;
};

const conversationDigestLength = 16;
const messageDigestLength = 16;
const signatureLength = 22;
const base = 36;

/** Returns a conversation's digest, which is the same however the contact's number is written. */
export function conversationDigestOf(apiKey: string, contact: string, sender: string): string {
	const digest = keyedDigestOf(apiKey, ['person', personOf(contact), sender]);
	return digest.slice(0, conversationDigestLength);
}

/**
 * Returns a digest that identifies the message that ended a question. An opt-out by link has no message, so its digest
 * matches no message.
 */
export function messageDigestOf(apiKey: string, nonce: string, messageId = ''): string {
	return keyedDigestOf(apiKey, ['end', nonce, messageId]).slice(0, messageDigestLength);
}

function signatureOf(apiKey: string, token: QuestionToken): string {
	const { nonce, conversationDigest, askedMs, expiresMs } = token;
	const parts = ['ask', nonce, conversationDigest, askedMs, expiresMs];
	return keyedDigestOf(apiKey, parts).slice(0, signatureLength);
}

/** Encodes the token as `<nonce>.<conversation digest>.<asked>.<expires>.<signature>`. */
export function encodeQuestionToken(apiKey: string, token: QuestionToken): string {
	const { nonce, conversationDigest, askedMs, expiresMs } = token;
	const times = [askedMs.toString(base), expiresMs.toString(base)];
	return [nonce, conversationDigest, ...times, signatureOf(apiKey, token)].join('.');
}

const shape = /^([\w-]+)\.([\w-]+)\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([\w-]+)$/;

/** Decodes a token. Returns undefined if the text wasn't encoded with the same API key. */
export function decodeQuestionToken(apiKey: string, text = ''): QuestionToken | undefined {
	const [, nonce = '', conversationDigest = '', asked = '', expires = '', signature = ''] =
		shape.exec(text) ?? [];
	const times = { askedMs: parseInt(asked, base), expiresMs: parseInt(expires, base) };
	const token = { nonce, conversationDigest, ...times };
	const isOurs =
		signature !== '' && isSameDigest(digestOf(signature), digestOf(signatureOf(apiKey, token)));
	return isOurs ? token : undefined;
}

/** Reads a query parameter from a webhook's URL. Its value is untrusted. */
export function queryParameter(url: string | undefined, name: 'ask' | 'words'): string | undefined {
	return parseUrl(url)?.searchParams.get(name) ?? undefined;
}
