import { digestOf, isSameDigest, keyedDigestOf } from './token';

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
