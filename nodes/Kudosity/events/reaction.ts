import { plainTypography } from '../lib/smartEncoding';
import { normalizeUnicode } from '../lib/text';
import { type InboundMessage, replyText } from './schema';

/**
 * Matches zero-width characters, which Google Messages puts around the emoji. Doesn't match zero-width joiners, which
 * hold emoji together.
 */
const marks = /[\u200b\u200c\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

const emoji =
	'(?:[\\u20e3\\u200d\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\p{RI}\\p{Variation_Selector}\\u{e0020}-\\u{e007f}]+|[\\d#*]\\ufe0f?\\u20e3)';
const removable =
	'(?:like|dislike|heart|laugh|exclamation(?: mark)?|emphasis|question(?: mark)?|sticker|reaction)';

/** The English words with which iPhones and Google Messages begin a text that represents a reaction. */
const action = [
	'(?:Lik|Lov|Dislik|Emphasi[sz]|Question)ed',
	'Laughed at',
	`(?:Reacted )?${emoji} to`,
	'Reacted with a sticker to',
	`Removed an? ${removable} from`,
	`Removed (?:an? )?${emoji}(?: reaction)? from`,
].join('|');

const file =
	'image|photo|picture|video|movie|GIF|sticker|attachment|file|audio message|audio recording|voice message|location|contact';

const reactionToFile = new RegExp(`^(?:${action}) (?:an? (?:${file})|\\d+ (?:${file})s)$`, 'u');

/** Captures the opening quotation mark, the quoted text, and the closing quotation mark. */
const reactionToText = new RegExp(
	`^(?:${action}) ([\\p{Pi}\\p{Pf}"'„])(.*)([\\p{Pi}\\p{Pf}"'])$`,
	'u',
);

/** Normalizes characters that a phone, the service or Smart Encoding may have changed. */
function plain(text: string): string {
	return plainTypography(normalizeUnicode(text)).replace(/\s+/g, ' ').trim();
}

/**
 * Whether the quotation mark just before the text is closed inside the text. For example, `“Hamilton” and “Cats”` isn't
 * one quotation: between its first and last mark, the text is `Hamilton” and “Cats`, which closes the first mark.
 */
function closesEarly(text: string): boolean {
	let open = 1;
	for (const char of text) {
		if (char === '“') open += 1;
		if (char === '”') open -= 1;
		if (open === 0) return true;
	}
	return false;
}

/**
 * Whether a phone generated this text for a reaction to an SMS: Liked “See you at 9?”. People also write texts that
 * look the same. Therefore, the quote must be the beginning of a text that the person may have reacted to. If none is
 * known, the quote must be in curly quotes, which phones use.
 */
function isReactionText(text: string, sent: string[]): boolean {
	const written = text.replace(marks, '').replace(/\s+/g, ' ').trim();
	if (reactionToFile.test(written)) return true;
	const [, opening, quote, closing] = reactionToText.exec(written) ?? [];
	if (quote === undefined) return false;
	const known = sent.map(plain).filter((each) => each !== '');
	if (known.length === 0) return opening === '“' && closing === '”' && !closesEarly(quote);
	const begin = plain(quote).replace(/ ?\.{3}$/, '');
	return known.some((each) => each.startsWith(begin));
}

type Received = Pick<InboundMessage, 'message' | 'content' | 'content_type' | 'last_message'>;

/**
 * Whether the message is a reaction. A reaction means nothing by itself, and may refer to any message. RCS and WhatsApp
 * have a content type for reactions. For SMS, phones send a text that describes the reaction.
 *
 * @param sent - texts that the person may have reacted to, besides the one that the message quotes
 */
export function isReaction(message: Received, sent: readonly string[] = []): boolean {
	const { content_type: type, content, last_message: last } = message;
	if (type?.trim().toUpperCase() === 'REACTION' || content?.reaction) return true;
	return isReactionText(replyText(message), [...sent, last?.message ?? '']);
}
