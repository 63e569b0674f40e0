import { messageParts } from './smsParts';

/** The GSM-7 equivalents of typographic quotes, dashes, ellipses and unusual spaces. */
const equivalents = {
	'"': '\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033',
	"'": '\u2018\u2019\u201a\u201b\u2039\u203a\u2032\u00b4',
	'-': '\u2010\u2011\u2012\u2013\u2014\u2015\u2212',
	'...': '\u2026',
	' ': '\t\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
	'\n': '\u2028\u2029',
	// These are removed: soft hyphens, zero-width spaces, and zero-width characters that join letters or set the
	// writing direction. They come with copied names and numbers. Emoji and scripts that need them are not in GSM-7, so
	// texts with those are never changed.
	'': '\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff',
};

const replacements = new Map(
	Object.entries(equivalents).flatMap(([to, all]) => [...all].map((from) => [from, to] as const)),
);

/** Replaces typographic characters with their equivalents in GSM-7. */
export function plainTypography(text: string): string {
	return text.replace(/[^]/gu, (each) => replacements.get(each) ?? each);
}

/**
 * Matches single whitespace characters and the words between them. U+FEFF is part of a word, although `\s` matches it.
 */
const words = /(?:\S|\ufeff)+|\s/gu;

/**
 * Matches a URL with or without a scheme, a link placeholder, or an email address. Errs on the side of matching too
 * much.
 */
const linkLike = /:\/\/|link\]|www\.|@|(?:mailto|tel|sms):|[\p{L}\p{N}]\.\p{L}{2}|(?:\.\d+){3}/iu;

export type SmartEncoding = {
	replaced: Array<{ from: string; to: string; count: number }>;
	/** How many fewer SMS the text takes. */
	partsSaved: number;
};

/**
 * Replaces typographic characters. Returns undefined unless the result fits GSM-7 and takes fewer SMS. Words that
 * contain a link never change.
 */
export function encodeSmartly(text: string): (SmartEncoding & { text: string }) | undefined {
	const given = messageParts(text);
	if (given.encoding === 'GSM-7' || given.parts === 1) return undefined;
	const encoded = text.replace(words, (word) => {
		const plain = plainTypography(word);
		return linkLike.test(plain) ? word : plain;
	});
	const { encoding, parts } = messageParts(encoded);
	const partsSaved = given.parts - parts;
	if (encoding !== 'GSM-7' || partsSaved <= 0 || encoded.trim() === '') return undefined;
	const replaced = [...replacements].flatMap(([from, to]) => {
		const count = text.split(from).length - 1;
		return count > 0 ? [{ from, to, count }] : [];
	});
	return { text: encoded, replaced, partsSaved };
}
