import { plainTextOf } from '../lib/text';

/*
 * This file recognizes requests to stop that consist of more than a keyword. A doubtful text counts as a request, because a lost opt-out is worse than one too many. The patterns are compared with words in upper case, without
 * punctuation.
 */

const requestWords = ['STOP', 'UNSUB', 'UNSUBSCRIBE', 'OPTOUT'];
/** Words around a request that don't change it: “No, please stop”, “Hi, stop, thank you”. */
const otherWords =
	'PLEASE PLS PLZ HI HEY HELLO BUT NO NOPE NAH OK THANKS THANK YOU THX JUST SORRY'.split(' ');

/**
 * If one of these words follows STOP, a longer text usually means something else: “Stop at the front desk when you come”
 * or “Stop raising your prices every year”.
 */
const otherMeaning = /^(?:AT|BEHIND|IN|NEAR|NEXT|ON|OUTSIDE|OVER|UNDER|WHEN|\w+ING)$/;
/** If STOP and the words after it are at most this many, the text is a request, unless it is “stop by”. */
const maxShortRequest = 4;

/** Words for the sender or its messages, which show that a text such as “I want you to stop” is a request. */
const ofSender = '(?:GUYS|IT|MESSAGES|TEXTS|THAT|THESE|THEY|THIS|U|YOU|YOUR)';

/** Words before STOP that make it a place or a break: “bus stop”, “the next stop”. */
const ofPlace =
	'(?:A|ANOTHER|ANY|BUS|EACH|EVERY|FERRY|FIRST|FULL|LAST|MY|NEXT|NON|ONE|ONE MORE|OUR|PIT|QUICK|THE|TRAIN|TRAM|WRONG|YOUR)';

/** Patterns for the words before a STOP at the end of a text, if that STOP isn't a request. */
const otherEndings = [
	// “It won't stop”
	'\\b(?:NOT|NEVER|CANNOT|(?:CA|COULD|DID|DO|DOES|SHOULD|WO|WOULD)NT)',
	// “I'm at the bus stop”, “One more stop”, “Waiting at the Smith Street stop”
	`\\b${ofPlace}`,
	'\\bAT THE (?:\\w+ ){1,2}\\w+',
	// “See you at this stop”
	'\\b(?:AFTER|AT|FROM|ON) (?:THAT|THIS)',
	// “We decided to stop”, “I'm waiting for the rain to stop”, but not “I want you to stop” or “I'd like to stop”
	`^(?!(?:I |ID |I WOULD |WOULD )?(?:LIKE|WANT) TO)(?:(?!${ofSender}\\b)\\w+ )*TO`,
	// “I'll stop”, “Should I stop?”, “Did the bleeding stop?”, but not “Can you stop” or “Your texts should stop”
	'(?<!\\b(?:GUYS|MESSAGES|TEXTS|THESE|THEY|THIS|U|YOU) )\\b(?:CAN|COULD|DID|DO|DOES|HELL|ILL|MAY|MIGHT|SHALL|SHELL|SHOULD|TILL|UNTIL|WELL|WILL|WOULD)(?: (?:ALL|EVER|HE|I|IT|JUST|SHE|WE|(?:MY|THE) (?!MESSAGES|SPAM|TEXTS)\\w+)){0,2}',
	// “How do I make the bleeding stop?”
	`\\b(?:LET|MADE|MAKE|MAKES)(?: (?!${ofSender}\\b)\\w+){1,3}`,
	// “Do you want me to stop?”
	'\\b(?:LIKE|WANT) (?:ME|US) TO',
	// “Can you ask the neighbors to stop”
	'\\b(?:ASK|GET|TELL) (?:HER|HIM|IT|THEM|(?:MY|THE) \\w+) TO',
	'\\b(?:ASKED|TOLD) (?:HER|HIM|ME|THEM|US) TO',
	// “Where does it stop?”, “What time do you stop?”, “Which stop?”
	'\\b(?:WHAT TIME|WHEN|WHERE|WHICH) (?:.* )?(?:DO|DOES|SHOULD) .*',
	'\\bWHICH',
];
const otherEnd = new RegExp(`(?:${otherEndings.join('|')}) STOP$`);
/** With more words, the STOP at the end can belong to another sentence. */
const maxWordsBeforeStop = 8;

const messages =
	'(?:ALERTS?|MARKETING|MESSAGES?|MSGS?|NOTIFICATIONS?|OFFERS?|PROMOTIONS?|REMINDERS?|SMS|SPAM|TE?XTS?|UPDATES?)';

/**
 * Excludes a STOP that isn't about messages, by the words after it: “The vet said to stop the tablets”, “My wife said
 * stop by at 5”.
 */
const aboutMessages =
	'(?! (?:AT|BY|IN (?!APR|AUG|DEC|FEB|JAN|JUL|JUN|MAR|MAY|NOV|OCT|SEP)|\\w+ING|(?:(?:ALL|HER|HIS|MY|THE|THESE|YOUR) )?(?:ALCOHOL|ANTIBIOTICS?|ASPIRIN|BLOOD|DRINKS?|FLUIDS?|FOODS?|MEDICATIONS?|MEDICINES?|MEDS|MILK|PILLS?|TABLETS?|WATER))\\b)';

const time =
	'(?:(?:MON|TUES?|WED|WEDNES|THURS?|FRI|SAT|SATUR|SUN)(?:DAYS?)?\\b|(?:THE )?(?:\\d|WEEKENDS?)|TODAY|TOMORROW|TONIGHT)';

/** Excludes requests that hold only for a time, or concern somebody else: “Don't text me again today”. */
const notTemporary = `(?! (?:AFTER|DURING|TILL|UNTIL|(?:(?:AT|BEFORE|ON) )?${time}|TO (?:HER|HIM|MY (?!CELL|MOBILE|NUMBER|PHONE))))`;

/** Requests that count anywhere in a text. */
const requests = [
	// “Can you stop texting me”, “How do I stop these messages?”
	`(?<!\\b(?:DONT|NEVER|NOT) )\\bSTOP (?:TE?XTING|MESSAGING|SENDING|CONTACTING|SPAMMING|(?:(?:GETTING|RECEIVING) )?(?:(?:ALL|ANY|THE|THESE|YOUR) ){0,2}(?:\\w+ )?${messages}\\b|(?:GETTING|RECEIVING) (?:THESE|THIS)\\b)`,
	// “How do I unsubscribe?”, but not “Don't unsubscribe me” or “We'd like to opt out of the swimming program”
	`\\b(?=(?:UNSUB\\w*|UNSUSC\\w*|OPTOUT)\\b)(?!\\w+ (?:BY (?:ACCIDENT|MISTAKE)|IN ERROR))(?<!\\b(?:ACCIDENTALLY|HAVENT|MISTAKENLY|(?:HAVE|WAS) I|I BEEN) )(?<!\\b(?:NEVER|NOT|(?:DID|DO|DOES|SHOULD|WO|WOULD)NT) (?:(?:LIKE|MEAN|NEED|TO|TRY|TRYING|WANT|WISH) )*)(?!OPTOUT OF (?:A|AN|HER|HIS|MY|THE|TODAYS|TOMORROWS) (?!(?:\\w+ ){0,2}(?:${messages}|CAMPAIGN|DATABASE|LIST|MAILING|NEWSLETTER|SERVICE|SUBSCRIPTION)\\b))`,
	// “I already said stop”, but not “My wife said stop by at 5” or “The vet said to stop the tablets”
	`(?<!\\b(?:DENTIST|DOCTOR|DR|GP|HE|IT|NURSE|PHYSIO|SHE|SPECIALIST|SURGEON|VET) )\\b(?:ASKED|REPLIED|SAID|SENT|TEXT|TEXTED|TOLD) (?:(?!(?:HER|HIM|ME|MORE|THEM|US|${ofPlace})\\b)\\w+ ){0,3}STOP\\b${aboutMessages}`,
	// “I'm not interested in this at all, so please stop”
	'\\b(?:PLEASE|PLS|PLZ) (?:JUST )?STOP$',
	// “Take me off your mailing list”, but not “… off the waiting list”
	`(?<!\\b(?:DONT|NEVER|NOT) )\\b(?:(?:REMOVE|TAKE|DELETE) (?:(?:ME|US|MY (?:DETAILS|NAME|NUMBER)|THIS NUMBER) )?|GET ME )(?:FROM|OFF|OUT OF) (?:(?!CANCELLATION|CLASS|DINNER|GUEST|LUNCH|STANDBY|WAIT)\\w+ ){0,2}(?:LISTS?|CONTACTS|DATABASE|RECORDS|SYSTEM)\\b(?! (?:FOR|ON) ${time})`,
	// “Don't text me again”, “Don't send me any more messages”, “No more texts”
	`\\b(?:DONT|DO NOT|NEVER) (?:EVER )?(?:TE?XT|MESSAGE|CONTACT|SMS|MSG) (?:ME|US|THIS NUMBER)(?:(?: (?:EVER|PLEASE|PLS|THANKS|THANK YOU))*$| (?:AGAIN|ANYMORE|ANY MORE)\\b${notTemporary})`,
	`\\b(?:DONT|DO NOT) SEND (?:(?:ME|US) )?(?:ANY ?MORE|ANY|MORE|THESE|YOUR) (?:OF (?:THESE|YOUR) )?${messages}\\b${notTemporary}`,
	'\\bNO MORE (?:TE?XTS?|MESSAGES?|MSGS?|SMS)\\b',
].map((each) => new RegExp(each));

/** Matches words that are only a request to be removed, or end with one: “Remove me”, “Wrong number, take me off”. */
const removal =
	/(?:^|\b(?:INTERESTED|NUMBER|PERSON|YES|(?:CAN|COULD)(?: U)?) )(?:(?:REMOVE|DELETE) (?:ME|US|(?:MY|THIS) NUMBER|MY (?:DETAILS|NAME))|TAKE (?:ME|US|(?:MY|THIS) NUMBER) OFF)(?: NOW| ASAP)?$/;
/** Matches a request to be removed that doesn't say who. After “yes”, it's the answer to a question. */
const bareRemoval = /(?:^|\b(?:INTERESTED|NUMBER|PERSON) )REMOVE(?: NOW| ASAP)?$/;
const agreement = /^(?:ABSOLUTELY|DEFINITELY|OK|OKAY|SURE|YEAH|YEP|YES|YUP)\b/;

/** Matches what automatic replies say: “Reply STOP to unsubscribe”, “To opt out, reply STOP”, “To stop texts call 1300 …” */
const instruction =
	/\b(?:TO|2) (?:OPTOUT|STOP|UNSUBSCRIBE|UNSUB)(?: (?!I\b)\w+){0,4} (?:(?:REPLY|SEND|TE?XT)(?: WITH)? STOP|CALL \d+)\b|(?<!\b(?:DID|I) )\b(?:REPLY|SEND|TE?XT) (?:WITH )?(?:STOP|UNSUBSCRIBE|OPTOUT) (?:IF YOU\b|(?:TO \d+ )?(?:TO|2) (?:BE|CANCEL|END|LEAVE|OPTOUT|QUIT|STOP|UNSUB\w*))/g;

/**
 * Matches a long quotation. Reactions that phones send as text quote your message, e.g. in German: Gefällt „Sale today.
 * Opt out: …“. Straight quotation marks aren't matched, because it's unclear which of them open a quotation.
 */
const longQuote = /“[^“”]{25,}”|„[^„“”]{25,}[“”]|«[^«»]{25,}»/g;

/** Matches the punctuation between the parts of a text. */
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

const withoutOthers = (words: string[]): string => words.filter((word) => !isOther(word)).join(' ');

/** Whether the words are only a request to stop, as in “Please stop” or “Remove me”. */
export function areRequest(words: string[]): boolean {
	const request = withoutOthers(words);
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
	const unquoted = text.replace(longQuote, ' ');
	const own = unquoted.trim() === '' ? text : unquoted;
	const words = wordsOf(own);
	if (beginWithRequest(words)) return true;
	const plain = words.join(' ').replace(instruction, '');
	if (requests.some((request) => request.test(plain))) return true;
	if (!/\b(?:STOP|REMOVE|DELETE|TAKE)\b/.test(plain)) return false;
	const parts = own
		.split(betweenMarks)
		.filter((part) => part.trim() !== '')
		.map(wordsOf);
	if (parts.some(areRequest)) return true;
	if (!agreement.test(plain) && parts.some((part) => bareRemoval.test(withoutOthers(part)))) {
		return true;
	}
	return [parts[0], parts.at(-1)].some((part = []) => endWithStop(part));
}
