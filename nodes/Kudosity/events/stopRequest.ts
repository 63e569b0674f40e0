import { plainTextOf } from '../lib/text';

/*
 * This file recognizes requests to stop sending messages that aren't just a keyword. A doubtful text counts as a request,
 * because a lost opt-out is worse than one too many. The patterns are compared with words in upper case, without
 * punctuation.
 */

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

/** Endings with STOP that aren't a request. */
const otherEndings = [
	// “It won't stop”
	'(?:NOT|NEVER|CANNOT|(?:CA|COULD|DID|DO|DOES|SHOULD|WO|WOULD)NT)',
	// “I'm at the bus stop”, “One more stop”
	'(?:A|ANOTHER|ANY|BUS|EACH|EVERY|FERRY|FIRST|FULL|LAST|MY|NEXT|NON|ONE|ONE MORE|OUR|PIT|QUICK|THE|TRAIN|TRAM|WRONG|YOUR)',
	// “See you at this stop”
	'(?:AFTER|AT|FROM|ON) (?:THAT|THIS)',
	// “We decided to stop”, but not “I want you to stop”
	'(?:I|WE) (?:(?!YOU|U|THIS|THESE|IT|THAT)\\w+ )*TO',
	// “No need to stop”, but not “These texts need to stop”
	'(?<!\\b(?:GUYS|MESSAGES|TEXTS|THESE|THEY|THIS|U|YOU) )NEED TO',
	// “Should I stop?”, “Do you want me to stop?”
	'(?:CAN|COULD|DO|LIKE|MAY|SHALL|SHOULD|WANT) (?:I|ME|WE)(?: TO)?',
	// “Can you ask the neighbors to stop”, “The doctor told me to stop”
	'(?:ASK|GET|TELL) (?:HER|HIM|IT|THEM|(?:MY|THE) \\w+) TO',
	'(?:ASKED|TOLD) (?:HER|HIM|ME|THEM|US) TO',
	// “Where does it stop”, “Which stop?”
	'(?:WHEN|WHERE|WHICH) (?:.* )?(?:DO|DOES|SHOULD) .*',
	'WHICH',
];
const otherEnd = new RegExp(`\\b(?:${otherEndings.join('|')}) STOP$`);
/** With more words, the STOP at the end can belong to another sentence. */
const maxWordsBeforeStop = 8;

/** Requests that count anywhere in a text. */
const requests = [
	// “Can you stop texting me”
	/(?<!\b(?:DONT|NEVER|NOT) )\bSTOP (?:TEXTING|MESSAGING|SENDING|CONTACTING|SPAMMING)\b/,
	// “How do I unsubscribe?”, but not “Don't unsubscribe me”
	/\b(?=(?:UNSUB|UNSUBSCRIBE|OPTOUT)\b)(?<!\b(?:NEVER|NOT|(?:DID|DO|DOES|SHOULD|WO|WOULD)NT) (?:(?:LIKE|MEAN|NEED|TO|TRY|TRYING|WANT|WISH) )*)/,
	// “I already said stop”, but not “My wife said stop by at 5” or “The doctor told me to stop taking the tablets”
	/(?<!\b(?:DENTIST|DOCTOR|DR|GP|HE|NURSE|PHYSIO|SHE|SPECIALIST|SURGEON) )\b(?:ASKED|REPLIED|SAID|SENT|TEXT|TEXTED|TOLD) (?:(?!(?:HER|HIM|ME|THEM|US)\b)\w+ ){0,2}STOP\b(?! (?:AT|BY|\w+ING)\b)/,
	// “I'm not interested in this at all, so please stop”
	/\b(?:PLEASE|PLS|PLZ) (?:JUST )?STOP$/,
	// “Take me off your mailing list”, but not “… off the waiting list”
	/(?<!\b(?:DONT|NEVER|NOT) )\b(?:REMOVE|TAKE|DELETE) (?:(?:ME|MY NUMBER|THIS NUMBER) )?(?:FROM|OFF) (?:(?!CANCELLATION|STANDBY|WAIT)\w+ ){0,2}(?:LISTS?|DATABASE|SYSTEM)\b/,
	// “Don't text me again”, “No more messages”
	/\b(?:DONT|DO NOT|NEVER) (?:EVER )?(?:TEXT|MESSAGE|CONTACT|SMS|MSG) (?:ME|US|THIS NUMBER)(?: (?:AGAIN|ANYMORE|ANY MORE|EVER|PLEASE|PLS|THANKS|THANK YOU))*$/,
	/\bNO MORE (?:TEXTS|MESSAGES|SMS)\b/,
];

/** Matches words that are only a request to be removed, or end with one: “Remove me”, “Wrong number, take me off”. */
const removal =
	/(?:^|\b(?:INTERESTED|NUMBER|PERSON|(?:CAN|COULD)(?: U)?) )(?:REMOVE|(?:REMOVE|DELETE) (?:ME|US|(?:MY|THIS) NUMBER|MY DETAILS)|TAKE (?:ME|US|(?:MY|THIS) NUMBER) OFF)(?: NOW| ASAP)?$/;

/** Matches what automatic replies say: “Reply STOP to unsubscribe”, “To opt out, reply STOP”. */
const instruction =
	/\bTO (?:OPTOUT|UNSUBSCRIBE|UNSUB)(?: \w+){0,4} (?:REPLY|SEND|TEXT|TXT)(?: WITH)? STOP\b|\b(?:REPLY|SEND|TEXT|TXT) (?:WITH )?(?:STOP|UNSUBSCRIBE|OPTOUT) (?:TO|FOR|IF)\b(?: (?:OPTOUT|UNSUBSCRIBE)\b)?/g;

/** Matches a quote of one of your own texts, as in a reaction: Liked “Sale today. Opt out: …”. */
const longQuote = /[“„«"][^“”„«»"]{25,}[”“»"]/g;

/** Everything between the punctuation marks of a text. */
const betweenMarks = /[.!?;:,…\r\n]+|\s[-–—]+\s/;

/** Returns the words in upper case, without accents. “Don’t” and “opt out” become one word each: DONT and OPTOUT. */
export const wordsOf = (text: string): string[] =>
	plainTextOf(text.replace(/['’]/g, ''))
		.replace(/\bOPT (?:ME )?OUT\b/g, 'OPTOUT')
		.split(' ');

const isOther = (word: string): boolean => word === '' || otherWords.includes(word);

/** Whether the words begin with a request to stop. */
function beginWithRequest(words: string[]): boolean {
	const [first, ...rest] = words.slice(words.findIndex((word) => !isOther(word)));
	// “Please stop by” is an invitation.
	if (first !== 'STOP' || rest[0] === 'BY') return false;
	// “Stop calling me all the time” is a request, “Stop raising your prices every year” isn't.
	const isAboutSender = /^\w+ING (?:ME|US)\b/.test(rest.join(' '));
	return rest.length < maxShortRequest || isAboutSender || !otherMeaning.test(rest[0] ?? '');
}

/** Whether the words are only a request to stop, as in “Please stop” or “Remove me”. */
export function areRequest(words: string[]): boolean {
	const request = words.filter((word) => !isOther(word)).join(' ');
	return requestWords.includes(request) || removal.test(request);
}

/** Whether the words end with STOP, as in “Wrong number stop” or “Can you please stop”. */
function endWithStop(words: string[]): boolean {
	const end = words.findLastIndex((word) => !isOther(word));
	if (words[end] !== 'STOP' || end > maxWordsBeforeStop) return false;
	return !otherEnd.test(words.slice(0, end + 1).join(' '));
}

/**
 * Whether the text asks you to stop sending messages, as in “Stop texting me”, “STOP, wrong number”, “Not interested,
 * please stop” or “Opt me out”.
 */
export function isStopRequest(text: string): boolean {
	const own = text.replace(longQuote, ' ');
	const words = wordsOf(own);
	if (beginWithRequest(words)) return true;
	const plain = words.join(' ').replace(instruction, '');
	if (requests.some((request) => request.test(plain))) return true;
	if (!/\b(?:STOP|REMOVE|DELETE|TAKE)\b/.test(plain)) return false;
	const parts = own
		.split(betweenMarks)
		.filter((part) => part.trim() !== '')
		.map(wordsOf);
	return parts.some(areRequest) || [parts[0], parts.at(-1)].some((part = []) => endWithStop(part));
}
