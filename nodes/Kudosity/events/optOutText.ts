import { normalizeUnicode, normalizeWords, plainTextOf } from '../lib/text';
import { consistOf, isAmong, isJoined, notInWords, tokensIn, withoutCourtesy } from './replyWords';

/**
 * A message that consists of one of these words is an opt-out. Kudosity documents only STOP; the others come from the
 * CTIA's messaging principles and the FCC's rules (47 CFR 64.1200), which carriers follow.
 */
export const optOutKeywords = [
	'STOP',
	'STOPALL',
	'UNSUBSCRIBE',
	'CANCEL',
	'END',
	'QUIT',
	'REVOKE',
	'OPTOUT',
] as const;

const lettersOf = (text: string): string =>
	normalizeUnicode(text).replace(notInWords, '').toUpperCase();

const letter = /[\p{L}\p{N}]/gu;

/**
 * Whether a text has more than three times as many letters and digits as the longest keyword. Stops counting at that
 * point, so a long text isn't read to the end.
 */
function isTooLong(text: string, keywords: readonly string[]): boolean {
	const maxLetters = 3 * Math.max(...keywords.map(({ length }) => length));
	letter.lastIndex = 0;
	for (let count = 0; count <= maxLetters; count++) if (!letter.test(text)) return false;
	return true;
}

function onlyKeywords(keywords: readonly string[]): RegExp {
	// A keyword without letters would match every text without letters.
	const letters = keywords.map(lettersOf).filter((each) => each !== '');
	return new RegExp(`^(?:${letters.join('|')})+$`);
}

const onlyUsualKeywords = onlyKeywords(optOutKeywords);

/**
 * Whether the text consists only of opt-out keywords, ignoring spaces and punctuation: "Stop! Stop!", but not "the
 * end".
 */
export function isOptOutKeyword(text: string): boolean {
	return !isTooLong(text, optOutKeywords) && onlyUsualKeywords.test(lettersOf(text));
}

/**
 * Whether Kudosity itself treats a text as an opt-out. This is stricter than `isOptOutKeyword`. For example, "Stop 🛑"
 * doesn't count, so it can be an answer to a question.
 */
export function isStop(text: string): boolean {
	return normalizeWords(text) === 'STOP';
}

const requestWords = ['STOP', 'UNSUB', 'UNSUBSCRIBE', 'OPTOUT'];
/** Words around a request that don't change it: “No, please stop”, “Hi, stop, thank you”. */
const otherWords =
	'PLEASE PLS PLZ HI HEY HELLO BUT NO NOPE NAH OK THANKS THANK YOU JUST SORRY'.split(' ');

/**
 * If one of these words follows STOP, a longer text usually means something else: “Stop at the front desk when you come”
 * or “Stop raising your prices every year”.
 */
const otherMeaning = /^(?:AT|BEHIND|IN|NEAR|NEXT|ON|OUTSIDE|OVER|UNDER|WHEN|\w+ING)$/;
/** A text with at most this many words is a request, whatever follows STOP. */
const maxShortRequest = 4;

const negation = '(?:NOT|NEVER|CANNOT|(?:CA|COULD|DID|DO|DOES|SHOULD|WO|WOULD)NT)';
/** Matches an ending with STOP that isn't a request: “It won't stop”, “I'm at the bus stop”, “Where does it stop”. */
const otherEnd = new RegExp(
	`\\b(?:${negation}|A|ANOTHER|ANY|BUS|EACH|EVERY|FERRY|FIRST|FULL|(?:I|WE) (?:(?!YOU|U|THIS|THESE|IT|THAT)\\w+ )*TO|LAST|MY|NEED TO|NEXT|NON|ONE|ONE MORE|OUR|PIT|QUICK|(?:AFTER|AT|FROM|ON) (?:THAT|THIS)|THE|TRAIN|TRAM|(?:WHEN|WHERE|WHICH) (?:.* )?(?:DOES|DO|SHOULD) .*|WHICH|WRONG|YOUR) STOP$`,
);
/** With more words, the STOP at the end can belong to another sentence: “… and where does it stop”. */
const maxWordsBeforeStop = 8;

/** Requests that count anywhere in a text: “Can you stop texting me”, “I said stop”, “Take me off your mailing list”. */
const requests = [
	/(?<!\b(?:DONT|NOT|NEVER) )\bSTOP (?:TEXTING|MESSAGING|SENDING|CONTACTING|SPAMMING)\b/,
	new RegExp(
		`\\b(?=(?:UNSUB|UNSUBSCRIBE|OPTOUT)\\b)(?<!\\b${negation} (?:(?:LIKE|MEAN|NEED|TO|TRY|TRYING|WANT|WISH) )*)`,
	),
	/\b(?:ASKED|REPLIED|SAID|SENT|TEXT|TEXTED|TOLD) (?:\w+ ){0,2}STOP\b(?! (?:AT|BY|\w+ING)\b)/,
	/\b(?:REMOVE|TAKE|DELETE) (?:(?:ME|MY NUMBER|THIS NUMBER) )?(?:FROM|OFF) (?:\w+ ){0,2}(?:LISTS?|DATABASE|SYSTEM)\b/,
];
const removal = /^(?:(?:REMOVE|DELETE) (?:ME|MY NUMBER|THIS NUMBER)|TAKE ME OFF)$/;

/** Matches what automatic replies say: “Reply STOP to unsubscribe”. */
const instruction =
	/\b(?:REPLY|SEND|TEXT|TXT) (?:WITH )?(?:STOP|UNSUBSCRIBE|OPTOUT) (?:TO|FOR|IF)\b(?: (?:OPTOUT|UNSUBSCRIBE)\b)?/g;

/** Matches a quote of one of your own texts, as in a reaction: Liked “Sale today. Opt out: …”. */
const longQuote = /[“„«"][^“”„«»"]{25,}[”“»"]/g;

/** Everything between the punctuation marks of a text. */
const betweenMarks = /[.!?;:,…\r\n]+|\s[-–—]+\s/;

/** Returns the words in upper case, without accents. “Don’t” and “opt out” become one word each: DONT and OPTOUT. */
const wordsOf = (text: string): string[] =>
	plainTextOf(text.replace(/['’]/g, ''))
		.replace(/\bOPT (?:ME )?OUT\b/, 'OPTOUT')
		.split(' ');

/** Whether the words begin with a request to stop. */
function beginWithRequest(words: string[]): boolean {
	const start = words.findIndex((word) => !otherWords.includes(word));
	if (start === -1) return false;
	const request = words.slice(start);
	const [first, second = ''] = request;
	if (first !== 'STOP') return false;
	// “Please stop by” is an invitation.
	if (second === 'BY') return false;
	return request.length <= maxShortRequest || !otherMeaning.test(second);
}

/** Whether the words are only a request to stop, as in “Please stop” or “Remove me”. */
function areRequest(words: string[]): boolean {
	const request = words.filter((word) => word !== '' && !otherWords.includes(word)).join(' ');
	return requestWords.includes(request) || removal.test(request);
}

/** Whether the words end with STOP, as in “Wrong number stop” or “Can you please stop”. */
function endWithStop(words: string[]): boolean {
	const end = words.findLastIndex((word) => word !== '' && !otherWords.includes(word));
	if (words[end] !== 'STOP' || end > maxWordsBeforeStop) return false;
	return !otherEnd.test(words.slice(0, end + 1).join(' '));
}

/**
 * Whether the text asks you to stop sending messages, as in “Stop texting me”, “STOP, wrong number”, “Not interested,
 * please stop” or “Opt me out”. A doubtful text counts as a request, because a lost opt-out is worse than one too many.
 */
function isStopRequest(text: string): boolean {
	const own = text.replace(longQuote, ' ');
	const words = wordsOf(own);
	if (beginWithRequest(words)) return true;
	const plain = words.join(' ').replace(instruction, '');
	if (requests.some((request) => request.test(plain))) return true;
	if (!/\b(?:STOP|REMOVE|DELETE|TAKE)\b/.test(plain)) return false;
	const parts = own.split(betweenMarks).filter((part) => part.trim() !== '');
	return [parts[0], parts.at(-1)]
		.map((part = '') => wordsOf(part))
		.some((part) => areRequest(part) || endWithStop(part));
}

/** Whether the text consists only of STOP and these keywords. */
function consistsOf(keywords: readonly string[], text: string): boolean {
	// Every received message is compared with the usual keywords, so their pattern is built only once.
	if (keywords === optOutKeywords) return isOptOutKeyword(text);
	const all = ['STOP', ...keywords];
	return isAmong(all, text) || (!isTooLong(text, all) && onlyKeywords(all).test(lettersOf(text)));
}

/**
 * Returns how a text opts out: with STOP, with one of the `keywords`, or in other words. Returns undefined for any
 * other text.
 */
export function optOutIn(
	text: string,
	keywords: readonly string[] = optOutKeywords,
): 'stop' | 'keyword' | 'words' | undefined {
	if (consistsOf(keywords, text)) return isStop(text) ? 'stop' : 'keyword';
	return isStopRequest(text) ? 'words' : undefined;
}

const optInKeywords = ['START', 'UNSTOP'];

/** Whether the text is START or UNSTOP and nothing else. “Start?” is a question, so it doesn't count. */
export function isOptInKeyword(text: string): boolean {
	return isAmong(optInKeywords, text);
}

/**
 * Whether a text that looks like an opt-out is one of the answers that a question expects. STOP never counts as an
 * answer.
 */
export function isExpectedAnswer(text: string, answers: readonly string[]): boolean {
	if (isStop(text)) return false;
	const words = answers.map(tokensIn);
	const tokens = tokensIn(text);
	// Without its emoji, “Cancel 😢” is an expected answer. With the emoji, the question may not understand it, but that
	// doesn't make it an opt-out.
	return [tokens, withoutCourtesy(tokens, words), tokensIn(plainTextOf(text))].some(
		(said) => consistOf(said, words) || isJoined(said, answers),
	);
}

/**
 * Whether a text is an opt-out. STOP always is, even “Stop?”, and also after an answer: “Bad, stop”. A word such as END
 * or CANCEL isn't if the question expects it as an answer.
 */
export function asksToStop(text: string, answers: readonly string[]): boolean {
	if (isExpectedAnswer(text, answers)) return false;
	return optOutIn(text) !== undefined || areRequest(afterAnswer(text, answers));
}

/** Returns the words after an answer at the beginning: STOP in “Bad stop”. */
function afterAnswer(text: string, answers: readonly string[]): string[] {
	const words = wordsOf(text);
	const answer = answers
		.map(wordsOf)
		.find((each) => each.length > 0 && each.every((word, index) => words[index] === word));
	return answer ? words.slice(answer.length) : [];
}
