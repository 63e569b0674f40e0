import { phrasesWith, phraseText } from '../lib/phrases';
import { plainTextOf } from '../lib/text';

/*
 * This file recognizes requests to stop that consist of more than a keyword. A doubtful text counts as a request,
 * because a lost opt-out is worse than one too many. lib/phrases.ts explains how phrases are written.
 */

const day =
	'(?:(?:AT|BEFORE|FOR|ON|THIS) )?(?:(?:NEXT|THE|THIS) )?(?:(?:MON|TUES?|WED|WEDNES|THURS?|FRI|SAT|SATUR|SUN)(?:DAYS?)?|\\d\\w*|TODAY|TOMORROW|TONIGHT|WEEK|WEEKENDS?)';

const phrases = phrasesWith({
	stop: 'STO+P+|SOTP|STPO',
	cease: '{stop}|CEASE|DISCONTINUE|QUIT|REFRAIN FROM',
	unsubscribe: 'UNSUB\\w*|UNS\\w*SCRIB\\w*|UN SUBSCRIBE|OPTOUT',
	delete: 'DELETED?|DELETING|ERASE|REMOVED?|REMOVING|SCRUB',
	remove: '{delete}|BLOCK|TAKE|TAKEN|TAKING',

	// What should stop, and who sends it
	messages:
		'ALERTS?|COMMUNICATIONS?|MARKETING|MESSAGES?|MESSAGING|MSGS?|NOTIFICATIONS?|OFFERS|PROMO\\w*|REMINDERS?|SMS|SPAM|TE?XTS?|UPDATES?',
	sending:
		'ASKING|BOMBARDING|BOTHERING|CALLING|CONTACTING|EMAILING|HARASSING|MESSAGING|MSGING|PESTERING|SENDING|SPAMMING|TE?XTING',
	several:
		'ALERTS|MARKETING|MESSAGES|MSGS|NOTIFICATIONS|OFFERS|PROMOS|PROMOTIONS|REMINDERS|SMS|SPAM|TE?XTS|UPDATES',
	noMore: 'MARKETING|MESSAGES?|MSGS?|PROMO\\w*|REMINDERS?|SMS|SPAM|TE?XTS?',
	text: 'CONTACT|MESSAGE|MSG|SMS|TE?XT',
	these: 'ALL|ANY|ANYMORE|FURTHER|MORE|OF|SUCH|THE|THESE|THIS|THOSE|YOUR',
	sender: 'GUYS|{messages}|PEOPLE|STAFF|TEAM|THESE|THEY|THIS|U|YOU|YOUR (?:PEOPLE|STAFF|TEAM)',

	// Who should get no more messages, and which list the number is on
	mine: 'ME|US|MINE|NUMBER|(?:THIS|THE|MY|OUR|HIS|HER) (?:(?:CELL|CONTACT|MOBILE|PHONE) )?(?:CELL|DATA|DETAILS|EMAIL|INFO|MOBILE|NAME|NUMBERS?|PHONE)',
	person: '{mine}|I|HIM|HER|THEM',
	takenOff: 'TAKEN OFF',
	list: 'LISTS?|CHAT|CONTACTS|DATABASE|DATA BASE|GROUP|RECORDS|SYSTEM',
	otherList:
		'ATTENDANCE|BOOKING|CALLBACK|CANCELLATION|CLASS|DINNER|GUEST|LUNCH|RESERVE|ROSTER|STANDBY|SURGERY|THEATRE|VOLUNTEER|WAIT|WAITING|WAITLIST',

	// What people want, can do, or said
	dont: 'DONT|NEVER|(?:DO|PLEASE|TO|YOU|YOU COULD|YOU PLEASE|YOU WOULD) NOT',
	ifYou: 'IF YOU(?: DO)?',
	not: 'DONT|DO NOT|DIDNT|DID NOT|NEVER|NOT',
	cannot: 'CANNOT|CANT|COULDNT|DOESNT|HASNT|SHOULDNT|WONT|WOULDNT',
	refusing:
		'(?:DOESNT|DONT|DO NOT|NEVER|NO LONGER|NOT)(?: (?:EVER|REALLY))? (?:AGREE|CARE|CONSENT|NEED|WANNA|WANT|WISH)',
	ratherNot: 'RATHER NOT|PREFER NOT TO|(?:DIDNT|DID NOT) (?:AGREE|CONSENT|WANT) TO',
	receive: 'BE SENT|BEING SENT|GET|GETTING|REC(?:EI|IE)V(?:E|ING)|SEE',
	can: 'CAN|COULD|DID|DO|DOES|HELL|ILL|MAY|MIGHT|SHALL|SHELL|SHOULD|TILL|UNTIL|WELL|WILL|WOULD',
	notThere:
		'(?:DO NOT|DOES NOT|DOESNT|DONT|ISNT|NO LONGER|NO ONE|NOBODY|NOT)(?: EVEN)? (?:LIVES?|LIVING|WORKS?|WORKING)|NO LONGER(?! IN )',
	told: 'ASKED|REPLIED|REPLYING|SAID|SENDING|SENT|TEXTED|TEXTING|TOLD',
	send: '(?:REPLY|SEND|TE?XT)(?: WITH)?',
	whether: 'ACCIDENTALLY|DID YOU|I',
	unknowing: 'ACCIDENTALLY|MISTAKENLY|HAVENT|HAVE I|WAS I|I BEEN',
	others: 'HER|HIM|ME|THEM|US|(?:THE|MY|A) \\w+(?: \\w+)?',

	// STOP in other meanings
	adviser:
		'CARDIOLOGIST|CHEMIST|CLINIC|DENTIST|DOCTOR|DR|DR \\w+|DRIVER|EMAIL|FORM|GP|HE|INSTRUCTIONS|IT|LETTER|NURSE|PHARMACIST|PHYSIO|SHE|SHEET|SPECIALIST|SURGEON|VET|WIFE',
	place:
		'A|ANOTHER|ANY|AT|BUS|EACH|EVERY|FERRY|FINAL|FIRST|FULL|HIS|LAST|MY|NEXT|NON|ONE|ONE MORE|OTHER|OUR|PIT|QUICK|RAIL|SAME|SECOND|STATION|STREET|THE|THIRD|TRAIN|TRAM|WRONG|YOUR',
	notAStop:
		'ADDRESS|ALL|ANYMORE|BUSINESS|COMPANY|EMAIL|HOME|MOBILE|MOMENT|NAME|NIGHT|NUMBER|PHONE|PRESENT|STAGE|TIME|WORK|\\d+[AP]M',
	thing:
		'ALCOHOL|ANTIBIOTICS?|ASPIRIN|BLOOD|CAR|DELIVERY|DIRECT DEBIT|DRINKS?|FLUIDS?|FOODS?|JOB|LESSONS|MEDICATIONS?|MEDICINES?|MEDS|MEMBERSHIP|MILK|ORDERS?|PAYMENTS?|PILLS?|QUOTE|TABLETS?|WATER|WORK',

	// When, and courtesy
	onDay: `(?:FOR|ON) ${day}`,
	later: `${day}|AFTER|BEFORE|DURING|TILL|UNTIL|TO (?:HER|HIM|THEM|MY (?!CELL|MOBILE|NUMBER|PHONE)\\w+)`,
	polite: 'ANYMORE|ASAP|EVER|NOW|PLEASE|PLS|PLZ|THANKS|THANK YOU|THX',
	filler: 'PLEASE|PLS|PLZ|HI|HEY|HELLO|BUT|NO|NOPE|NAH|OK|THANKS|THANK|YOU|THX|JUST|SORRY',
});

/** Phrases that aren't a request. They are left out before anything else is looked for. */
const notRequests = phrases(
	[
		// Automatic replies: “To opt out, reply STOP”, “Reply STOP to unsubscribe”, “To stop texts call 1300 …”
		'TO|2 {stop}|{unsubscribe} !I ..4 /? {send} STOP',
		'TO|2 {stop}|{unsubscribe} !I ..4 /? CALL \\d+',
		// “Reply HELP for help, STOP to cancel”
		'DECLINE|HELP|INFO ..1 /? STOP TO|2 BE|CANCEL|END|LEAVE|QUIT|{unsubscribe}',
		'<DID|I {send} STOP|{unsubscribe} IF YOU',
		'<DID|I {send} STOP|{unsubscribe} TO|2 BE|CANCEL|END|LEAVE|QUIT|STOP|{unsubscribe}',
		'<DID|I {send} STOP|{unsubscribe} TO \\d+ TO|2 BE|CANCEL|END|LEAVE|QUIT|STOP|{unsubscribe}',
		// “Don’t stop”, “I didn’t want to opt out”, but not “I’ll report you if you don’t stop”
		'<{ifYou} {not} LIKE|MEAN|NEED|TO|TRY|TRYING|WANT|WISH* {stop}|REMOVE|TAKE|DELETE|{unsubscribe}',
		// “It won’t stop”, but not “You won’t stop texting me”
		'<{ifYou} {cannot} STOP !{sending}',
		// “I unsubscribed by mistake”
		'{unsubscribe} BY|IN ACCIDENT|MISTAKE|ERROR',
		// “Was I unsubscribed?”
		'{unknowing} {unsubscribe}',
		// “We’d like to opt out of the swimming program”
		'OPTOUT OF A|AN|HER|HIS|MY|THE !{messages}|{list} ..1 !{messages}|{list}',
		// “The vet said to stop the tablets”, “I was told to stop”
		'{adviser} {told} !YOU ..3 STOP !{sending}',
		'WAS TOLD|ASKED ..3 STOP !{sending}',
		// “Did I stop getting reminders?”
		'DID|SHOULD I|WE|YOU GUYS? {stop}',
		// “Ask him to stop”, “Do you want me to stop?”
		'ASK|TELL|GET|{told} {others} TO STOP !{sending}',
		'LIKE|NEED|WANT HIM|HER|ME|US TO STOP !{sending}',
		// “You said to stop eating”, “Stop my order”
		'SAID TO? STOP !{sending} \\w+ING',
		'STOP {these}* MY? {thing} !{messages}',
		// “Stop calling, text me”, “Don’t text me, call me”
		'STOP CALLING ME? AND|JUST|PLEASE* /? TE?XT',
		'{dont} {text} {person}? {polite}* /? CALL|EMAIL|PHONE|RING|USE',
		// “Stop by at ten”, “at the bus stop”
		'STOP BY|SIGN|SIGNS',
		'STOP IN ANY|ANYTIME|FOR|FRONT|THE|TODAY|TOMORROW',
		'{place} STOP',
	],
	'g',
);

const requests = phrases([
	// “Can you stop texting me”, “How do I stop these messages?”
	'{cease} {sending}',
	'CANCEL|END|{cease} GETTING|RECEIVING? {these}* {messages}',
	'CANCEL MY {several} {polite}* $',
	'{cease} {these}* \\w+ {messages}',
	'{cease} GETTING|RECEIVING? THESE|THIS {polite}* $',
	'{cease} TRYING TO? {text}|SELL',
	'{cease} USING ..1 NUMBER',
	'{cease} WASTING ..4 {messages}',
	// “Turn off these messages”, “Enough with the texts”
	'TURN OFF {these}* {messages}',
	'SWITCH|TURN THESE|{messages} {messages}? OFF',
	'ENOUGH|OFF WITH {these}* {messages}',
	'WITHDRAW|REVOKE ..2 CONSENT',
	// “I want you to stop”, “I’ll report you if you don’t stop”
	'{sender} ..3 TO STOP $',
	'^ IT|THAT|THIS HAS|NEEDS TO STOP $',
	'^ I|ID|WE? WOULD? LIKE|LOVE|WANT|WISH IT? TO STOP $',
	'PLEASE|PLS|PLZ JUST? {stop} $',
	// “She no longer lives at the house stop”, “I don’t work at Bayside stop”
	'{notThere} AT|HERE|IN|THERE|WITH ..3 STOP $',
	'ANYMORE STOP $',
	'IF YOU {not} STOP !AT|BY|FOR|HERE|IN|OUTSIDE|THERE|\\w+ING',
	'REPORT|REPORTING|SUE ..6 {text} ME AGAIN',
	'UNLESS YOU STOP $',
	// “I already said stop”
	'{told} ..3 STOP',
	'{send} STOP',
	// “How do I unsubscribe?”, “I want to opt out”
	'{unsubscribe}',
	// “Take me off your mailing list”, but not “Take me off the waiting list” or “… the list for Saturday”
	'<BEEN|WAS|WERE {remove} AND|{person}* FROM|OFF|OUT OF? !{otherList} ..1 !{otherList} ..1 {list} !{onDay}',
	'GET|LEAVE {mine}? OFF|OUT OF? !{otherList} ..1 !{otherList} ..1 {list} !{onDay}',
	'REMOVE|DELETE|TAKE !OLD ..4 FROM|OFF YOUR ..1 {list} !{onDay}',
	'REMOVE|DELETE|TAKE {mine} FROM|OFF YOUR BOOKS',
	'{remove} AND|{person}* FROM|OFF {these}* {messages}',
	'^ {filler}* OFF ..2 {list}',
	'COME|WANT OFF THIS|YOUR ..1 {list}',
	'DO NOT CALL|CONTACT|TE?XT LIST|REGISTER|REGISTRY',
	// “Remove me”, “Delete my number”, “I’d like to be removed”
	'<{whether} {delete} {mine} {polite}* $',
	'<{whether} {delete} MY|THIS NUMBER|DETAILS|INFO|DATA|CELL|MOBILE',
	'<{whether} {delete} MY !OLD ..3 NUMBER|PHONE',
	'GET|TAKE {mine} OFF {polite}* $',
	'TAKE {mine} OFF OR',
	'^ {filler}* I|ID|IVE|WE|WED ALREADY|WOULD? ASKED|LIKE|WANT|WISH TO BE REMOVED|{takenOff} {polite}* $',
	'^ WANT TO BE REMOVED|{takenOff} {polite}* $',
	'HAVE ME REMOVED',
	'GET REMOVED',
	'^ {filler}* LOSE MY|THIS NUMBER',
	// “Don’t text me again”, “Don’t send me any more messages”, but not “Don’t text me before 9”
	'<I|WE|YOU|THEY {dont} EVER? {text} {mine}? {polite}* $',
	'<I|WE|YOU|THEY {dont} EVER? {text} {mine} EVER? AGAIN|ANYMORE|ANY !{later}',
	'{dont} EVER? {text} AGAIN|ANYMORE {polite}* $',
	'<I|WE|YOU|THEY {dont} EVER? SEND ME|US? {these}* \\w*? {several} !{later}',
	'<I|WE|YOU|THEY {dont} EVER? SEND ME|US? ANY|ANYMORE|MORE TE?XT|MESSAGE !{later}',
	'{dont} SEND ME|US ANYMORE|MORE|THESE|ANYTHING',
	'{dont} SEND ANY|ANYMORE|ANYTHING|MORE|THESE {polite}* $',
	'<ARE|BEEN|GOT|HAD|HAVE|RECEIVED NO MORE|FURTHER {these}* \\w*? {noMore} !{later}|FROM|NEEDED|REQUIRED|SINCE|YET',
	// “I don’t want these messages”, “I no longer wish to receive these”
	'{refusing} {these}* {several} !{later}',
	'{refusing}|{ratherNot} TO|FOR? {receive} {these}* \\w*? {messages} !{later}',
	'{refusing}|{ratherNot} TO|FOR? {receive} ANYMORE|ANYTHING|THEM|THESE|THIS $',
	'{refusing} {receive}? {these}* COMMUNICATION|CONTACT !LENSES',
	'TO NOT {receive} {these}* {messages}',
	'{refusing} TO HEAR FROM',
	'{refusing} ..2 THESE ANYMORE',
	'{refusing} ANYMORE OF THESE',
	'{refusing} TO BE ON !{otherList} ..1 !{otherList} {list}',
	'{refusing} TO BE CONTACTED|TEXTED|MESSAGED',
	// “Cease and desist”, “No more”, “Leave me alone”
	'^ {filler}* CEASE|DESIST',
	'^ NO MORE {polite}* $',
	'^ NO MORE ADS|DEALS|OFFERS|SPECIALS {polite}* $',
	'^ NO MARKETING|MESSAGES|SMS|SPAM|TE?XTS {filler}* $',
	'LEAVE ME|US ALONE',
	'^ GO AWAY $',
	'^ FUCK|PISS OFF $',
]);

/** Matches a request to be removed that doesn't say who. After “yes”, it's the answer to a question. */
const bareRemoval = phrases([
	'INTERESTED|NUMBER|PERSON PLEASE? REMOVE {polite}* $',
	'{notThere} AT|HERE|IN|THERE|WITH ..3 PLEASE|PLS|PLZ? REMOVE {polite}* $',
	'^ {filler}* REMOVE {polite}* $',
]);
const agreement = phrases(['^ ABSOLUTELY|DEFINITELY|OK|OKAY|SURE|YEAH|YEP|YES|YUP']);

/** Matches phrases that begin or end a sentence with STOP, but don't ask you to stop. */
const otherStops = phrases(
	[
		// “I’m at Central stop”, but not “No longer at this number stop” or “Don’t text me at work stop”
		'^ AT|NEAR ..3 <{notAStop} STOP $',
		'IM|ME|OFF|UP|WAIT|WAITING|YOU AT|NEAR ..3 <{notAStop} STOP $',
		// “See you at this stop”, “Which stop?”, “Stop 5 or 6?”
		'AFTER|AT|FROM|NEAR|ON THAT|THIS STOP $',
		'WHICH STOP $',
		'STOP \\d{1,3} OR',
		// “Stop at the gate”, but not “Stop at once”
		'STOP AT|BEHIND|IN|NEAR|NEXT|ON|OUTSIDE|OVER|UNDER !ALL|ONCE|THIS',
		// “We decided to stop”
		'TO STOP $',
		// “I’ll stop”, but not “Can you stop”
		'<{sender} {can} ALL|EVER|HE|I|IT|JUST|SHE|WE* STOP $',
		// “Did the bleeding stop?”
		'{can} MY|THE !{messages} \\w+ EVER? STOP $',
		// “How do I make the bleeding stop?”, but not “Make it stop”
		'LET|MADE|MAKE|MAKES !IT|{sender} \\w+ !{sender} \\w+? STOP $',
		// “Text me when you stop”
		'TILL|UNTIL|WHEN THEY|YOU STOP $',
		// “Where does it stop?”, “What time do you stop?”
		'WHEN|WHERE|WHICH|TIME ..2 DO|DOES|SHOULD !THESE|THEY|THIS|THE|{messages} ..4 STOP $',
	],
	'g',
);

/** Matches a sentence that begins or ends with STOP: “STOP, wrong number”, “Wrong number stop”. */
const bareStop = phrases([
	'^^ {filler}* {stop} ..3 $',
	// A longer sentence can mean something else: “Stop raising your prices every year”
	'^^ {filler}* {stop} !WHEN|\\w+ING',
	'^ {filler}* {stop} \\w+ING ME|US',
	'^ {filler}* {stop} {filler}* $',
	// With more words, STOP can belong to another sentence.
	'^ ..8 {stop} {filler}* $',
]);

/** Matches a long text between quotation marks, unless they are straight, because those don't tell which one opens. */
const longQuote = /“[^“”]{25,}”|„[^„“”]{25,}[“”]|«[^«»]{25,}»/g;

const sentenceEnd = /[.!?;:,…\r\n]+|\s[-–—]+\s/;

/** Returns the words in upper case, without accents. “Don’t” and “opt out” become one word each: DONT and OPTOUT. */
export const wordsOf = (text: string): string[] =>
	plainTextOf(text.replace(/['’`´]/g, ''))
		.replace(/\bOPT(?:ED|ING)? (?:ME )?OUT\b/g, 'OPTOUT')
		.replace(/\bANY MORE\b/g, 'ANYMORE')
		.split(' ');

const onlyRequest = phrases([
	'^ {filler}* STOP|{unsubscribe} {filler}* $',
	'^ {filler}* {delete} {mine} {polite}* $',
	'^ {filler}* GET|TAKE {mine} OFF {polite}* $',
]);

/** Whether the words are only a request to stop, as in “Please stop” or “Remove me”. */
export function areRequest(words: string[]): boolean {
	return onlyRequest.test(phraseText([words.join(' ')]));
}

/**
 * Whether the text asks you to stop sending messages, as in “Stop texting me”, “STOP, wrong number”, “Not interested,
 * please stop”, “Take me off your list” or “I no longer want these messages”.
 */
export function isStopRequest(text: string): boolean {
	// Reactions that phones send as text quote your message, e.g. in German: Gefällt „Sale today. Opt out: …“
	const unquoted = text.replace(longQuote, ' ');
	const own = unquoted.trim() === '' ? text : unquoted;
	const sentences = own.split(sentenceEnd).map((each) => wordsOf(each).join(' '));
	const meant = phraseText(sentences).replace(notRequests, '- ');
	if (requests.test(meant) || bareStop.test(meant.replace(otherStops, '- '))) return true;
	return bareRemoval.test(meant) && !agreement.test(meant);
}
