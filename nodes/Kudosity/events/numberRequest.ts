import { phrasesWith, phraseText } from '../lib/phrases';
import { plainTextOf } from '../lib/text';

/*
 * This file recognizes messages that ask for a reply with a number, such as “Reply 1 to confirm”. lib/phrases.ts
 * explains how phrases are written.
 */

const phrases = phrasesWith({
	reply: '(?:REPLY|RESPOND)(?: (?:A|BACK|EITHER|ONLY|THE NUMBER|WITH)){0,6}',
	send: '(?:ENTER|SEND|TE?XT)(?: BACK)?(?: WITH)?',
	choose: 'ANSWER|CHOOSE|SELECT|TYPE',
	unit: 'OF|(?:BUSINESS|DAY|HOUR|MIN|MONTH|TIME|WEEK|WORD|WORKING|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)\\w*',
});

const requests = phrases([
	// “Reply 1 to confirm”, but not “Reply 1 day before” or “Reply 1 of these”
	'{reply} /? 1 !{unit}|\\d\\d+',
	// “Text 1 for yes”, “Send 1 or 2”, but not “Send 1 photo” or “Send 1 or 2 photos”
	'{send} 1 $',
	'{send} 1 BACK|FOR|IF|IS|NO|TO|YES',
	'{send} 1 AND|OR 2 $',
	'{send} 1 AND|OR 2 FOR|TO',
	// “Type 1 for yes”, but not “Type 1 diabetes”
	'{choose} 1 FOR|IF|IS|NO|TO|YES',
	// “1 = Monday, 2 = Tuesday”
	'^ 1 IS ..5 /? 2 IS',
	// “1. Yes 2. No”
	'^ 1 /? NO|OK|YES ..3 /? 2',
]);

/** Requests if the message doesn't ask for words: “1 to confirm, 2 to cancel”, but not “1 for $5, 2 for $8” */
const possibleRequests = phrases(['^ 1 FOR|IF|TO !\\d+ ..5 /? 2 FOR|IF|TO', 'PRESS 1']);
/** Matches “Call 1300 555 123 and press 1 for sales”. */
const calls = phrases(['CALL|CALLING|DIAL|LINE|PHONE|RING ..8 /? ..8 /? ..2 PRESS 1']);
/** Matches “Reply YES or NO”. */
const requestsForWords = phrases(['YES OR? NO', 'REPLY|TEXT WITH? NO|YES']);

/** Doesn't match the period of “2.1” or the comma of “1,000”. */
const sentenceEnd = /[!?;\r\n]+|[.:,]+(?!\d)/;

/** Whether a message asks people to reply with a number. */
export function asksForNumber(message: string): boolean {
	const sentences = message.replaceAll('=', ' is ').split(sentenceEnd);
	const text = phraseText(sentences.map(plainTextOf));
	if (requests.test(text)) return true;
	return possibleRequests.test(text) && !calls.test(text) && !requestsForWords.test(text);
}
