import { normalizeUnicode, normalizeWords, plainTextOf } from '../lib/text';

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

/** Matches a word: letters and digits, possibly with apostrophes and hyphens inside, as in don't and opt-out. */
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’‐-][\p{L}\p{M}\p{N}]+)*/u;
const notInWords = /[^\p{L}\p{M}\p{N}]+/gu;

/** Returns the first word, in upper case and without punctuation; undefined if there is none. */
export function keywordOf(text: string): string | undefined {
	return word.exec(normalizeUnicode(text))?.[0].replace(notInWords, '').toUpperCase();
}

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

/**
 * The maximum number of words in a request to stop. Longer texts that begin with STOP or UNSUBSCRIBE usually mean
 * something else: “Stop at the front desk when you come”.
 */
const maxRequestWords = 4;
const requestWords = ['STOP', 'UNSUBSCRIBE'];
const politeWords = ['PLEASE', 'PLS', 'PLZ'];
/** If one of these follows STOP or UNSUBSCRIBE, a text of any length is a request: “Stop sending me these messages”. */
const followingWords = ['TEXTING', 'MESSAGING', 'SENDING', 'CONTACTING', 'SPAMMING', 'ME', 'FROM'];

/** Whether the text asks for an end to messages, as in “Stop texting me” or “Please stop”. */
function isStopRequest(text: string): boolean {
	// Apostrophes are removed, because “don’t” is one word.
	const words = plainTextOf(text.replace(/['’]/g, '')).split(' ');
	const request = politeWords.includes(words[0]!) ? words.slice(1) : words;
	const [first = '', second = ''] = request;
	if (!requestWords.includes(first)) return false;
	// “Please stop by” is an invitation.
	if (first === 'STOP' && second === 'BY') return false;
	return request.length <= maxRequestWords || followingWords.includes(second);
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

/** Default words in several languages, shown in the panel for users to edit. */
export const defaultApproveWords =
	'Yes, Yes please, Y, Yep, Yeah, Yup, OK, Okay, Sure, Approve, Approved, Confirm, Confirmed, 👍, Ja, Oui, Sí, Sim, Да, はい, 好, हाँ, نعم'.split(
		', ',
	);

export const defaultDeclineWords =
	'No, No thanks, No thank you, N, Nope, Nah, Decline, Declined, Reject, 👎, Nein, Nee, Non, Não, Нет, いいえ, 不, नहीं, لا'.split(
		', ',
	);

/**
 * Matches question marks, including those of Arabic, Armenian, Ethiopic and Greek. NFKC turns the Greek one into a
 * semicolon.
 */
const questionMark = /[?\u037e؟՞፧⸮‽¿]/u;
const greek = /(?=\p{L})\p{Script=Greek}/u;

/**
 * Whether the text asks a question. In Greek, a semicolon is a question mark. Elsewhere, it may be a smiley: “Yes ;)”.
 */
const asksBack = (text: string): boolean =>
	questionMark.test(text) ||
	questionMark.test(normalizeUnicode(text)) ||
	(greek.test(text) && normalizeUnicode(text).includes(';'));

/** Whether the text is one of the words, ignoring case and punctuation. However, “Yes?” doesn't match “Yes”. */
function isAmong(words: readonly string[], text: string): boolean {
	const plain = normalizeWords(text);
	return (
		plain !== '' &&
		words.some((word) => normalizeWords(word) === plain && (!asksBack(text) || asksBack(word)))
	);
}

/** Splits a text into words and symbols. Adjacent emoji become separate symbols. */
const tokensIn = (text: string): string[] =>
	normalizeWords(text).match(/[\p{L}\p{M}\p{N}]+|\S/gu) ?? [];

const startsWith = (tokens: string[], word: string[], at: number): boolean =>
	word.length > 0 && word.every((token, index) => tokens[at + index] === token);

const contains = (tokens: string[], words: string[][]): boolean =>
	tokens.some((_, at) => words.some((word) => startsWith(tokens, word, at)));

/** Whether the tokens consist of these words, one after another, and nothing else. */
function consistOf(tokens: string[], words: string[][]): boolean {
	const ends = new Set([0]);
	for (const [at] of tokens.entries()) {
		const next = ends.has(at) ? words.filter((word) => startsWith(tokens, word, at)) : [];
		for (const { length } of next) ends.add(at + length);
	}
	return tokens.length > 0 && ends.has(tokens.length);
}

/** Removes spaces, so “9 am” equals “9am”. Spaces between two digits remain, because “1 2” is not “12”. */
function joined(words: string): string {
	return words.replace(/(?<!\d) | (?!\d)/g, '');
}

function isJoined(tokens: string[], words: readonly string[]): boolean {
	const text = joined(tokens.join(' '));
	return text !== '' && words.some((word) => joined(normalizeWords(word)) === text);
}

/** The maximum number of tokens in an answer. Longer texts aren't analyzed, because that would take too long. */
const maxTokens = 20;

/** Words and emoji at the end of a reply that don't change its meaning. */
const courtesies = [
	...['THANKS', 'THX', 'THANK YOU', 'PLEASE', 'MATE'].map((words) => words.split(' ')),
	...[...'😊🙂😀😃😄😁☺🙏❤😍🥰🤗🎉'].map((sign) => [sign]),
];

const endsWith = (tokens: string[], word: string[]): boolean =>
	startsWith(tokens, word, tokens.length - word.length);

/** Removes thanks and similar words from the end, unless one of the answers ends with them: “Coffee please”. */
function withoutCourtesy(tokens: string[], answers: string[][]): string[] {
	if (tokens.length > maxTokens || answers.some((answer) => endsWith(tokens, answer)))
		return tokens;
	const courtesy = courtesies.find((each) => endsWith(tokens, each));
	return courtesy ? withoutCourtesy(tokens.slice(0, -courtesy.length), answers) : tokens;
}

/**
 * Returns the decision in a text: true if it approves, false if it declines, undefined if neither is clear. The text
 * must be one of the words, or several words that mean the same: “Yes please 👍”, but not “Yes 👎”.
 */
export function decisionIn(
	text: string,
	{ approving, declining }: Record<'approving' | 'declining', readonly string[]>,
): boolean | undefined {
	if (isAmong(approving, text)) return true;
	if (isAmong(declining, text)) return false;
	const tokens = tokensIn(text);
	if (asksBack(text) || tokens.length > maxTokens) return undefined;
	const [yes, no] = [approving.map(tokensIn), declining.map(tokensIn)] as const;
	for (const said of [tokens, withoutCourtesy(tokens, [...yes, ...no])]) {
		const approves = consistOf(said, yes) || isJoined(said, approving);
		const declines = consistOf(said, no) || isJoined(said, declining);
		if (approves && !contains(said, no)) return true;
		if (declines && !contains(said, yes)) return false;
	}
	return undefined;
}

const optInKeywords = ['START', 'UNSTOP'];

/** Whether the text is START or UNSTOP and nothing else. “Start?” is a question, so it doesn't count. */
export function isOptInKeyword(text: string): boolean {
	return isAmong(optInKeywords, text);
}

const defaultWords = { approving: defaultApproveWords, declining: defaultDeclineWords };

/** The maximum length of a text that is read as an answer. Longer texts say more than yes or no. */
const maxAnswerLength = 60;

/**
 * Returns whether a message means yes or no by itself, whatever the question was. Uses the default words of all
 * languages. Returns undefined for anything else.
 */
export function answerIn(text: string): 'yes' | 'no' | undefined {
	const decision = text.length > maxAnswerLength ? undefined : decisionIn(text, defaultWords);
	return decision === undefined ? undefined : decision ? 'yes' : 'no';
}

/** Returns the number at the start of a text such as “3 pm”. */
function numberBefore(text: string): number | undefined {
	const [digits] = /^\d+/.exec(normalizeWords(text)) ?? [];
	return digits === undefined ? undefined : Number(digits);
}

/** Returns the index of the only choice that starts with the number in `plain`; -1 if there is none, or several. */
function indexByLeadingNumber(choices: readonly string[], plain: string): number {
	if (!/^\d+$/.test(plain)) return -1;
	const numbers = choices.map(numberBefore);
	const index = numbers.indexOf(Number(plain));
	return index === numbers.lastIndexOf(Number(plain)) ? index : -1;
}

/** The maximum length of the word in “1 for Mon 2pm”, with its space. */
const maxWordLength = 5;

/**
 * Whether a message numbers the choices itself, as in “1. Mon 2pm, 2. Mon 3pm” or “Reply 1 for Mon 2pm or 2 for Mon
 * 3pm”. The first two choices must be numbered, too, because a number in front of the choice at `index` can belong to
 * the choice before it: “Dec 2, Dec 3 or Dec 4”.
 */
function isNumbered(choices: readonly string[], index: number, sent: readonly string[]): boolean {
	return sent.some((text) => {
		const plain = ` ${normalizeWords(text)} `;
		return [0, 1, index].every((each) => {
			const choice = ` ${normalizeWords(choices[each] ?? '')} `;
			const numbers = [...plain.matchAll(new RegExp(` ${each + 1}(?= )`, 'g'))];
			return numbers.some((number) => {
				const start = number.index + number[0].length;
				const after = plain.slice(start, start + choice.length + maxWordLength);
				const afterWord = after.replace(/^ \p{L}+(?= )/u, '');
				return after.startsWith(choice) || afterWord.startsWith(choice);
			});
		});
	});
}

/**
 * Whether a number stands in a message outside the choices, where it may be the number of a choice: “For 9am reply 1,
 * for 1pm reply 2”.
 */
function isLabel(digits: string, choices: readonly string[], sent: readonly string[]): boolean {
	const words = choices.map(normalizeWords).sort((one, other) => other.length - one.length);
	return sent.some((text) => {
		const withoutChoices = words.reduce(
			(rest, choice) => rest.replaceAll(` ${choice} `, ' | '),
			` ${normalizeWords(text)} `,
		);
		return withoutChoices.split(' ').includes(digits);
	});
}

/**
 * Whether a reply with the number of the choice at `index` (counted from 1) may mean another choice that contains this
 * number. For example, “2” may mean the second choice, or “Mon 2pm”. If it is unknown what was sent, a choice without a
 * number, such as “Neither”, counts as clear.
 */
function mayMeanAnother(
	choices: readonly string[],
	index: number,
	sent: readonly string[],
): boolean {
	const numbers = choices.map((choice): string[] => normalizeWords(choice).match(/\d+/g) ?? []);
	const digits = String(index + 1);
	const isElsewhere = numbers.some((all, other) => other !== index && all.includes(digits));
	return isElsewhere && (sent.length > 0 || numbers[index]?.length !== 0);
}

/**
 * Returns the index of the choice that is named by its number, as in "2", "(2)" or "2. Thursday"; -1 if there is none.
 */
function indexByNumber(choices: readonly string[], plain: string, sent: readonly string[]): number {
	const [, digits = '', rest = ''] = /^(\d{1,2})(?: (.+))?$/.exec(plain) ?? [];
	const index = Number(digits) - 1;
	const choice = choices[index];
	const isPosition = digits !== '' && choice !== undefined;
	// If the message itself numbers the choices, the recipient goes by these numbers.
	const isClear = isPosition && isNumbered(choices, index, sent);
	// Otherwise, if some choices begin with a number, a number in the reply can only mean one of these, because it is
	// unclear whether it could mean a position.
	if (!isClear && choices.some((each) => numberBefore(each) !== undefined)) {
		return isLabel(plain, choices, sent) ? -1 : indexByLeadingNumber(choices, plain);
	}
	if (!isPosition) return -1;
	const isNamed =
		rest === ''
			? isClear || !mayMeanAnother(choices, index, sent)
			: joined(normalizeWords(choice)) === joined(rest);
	return isNamed ? index : -1;
}

/** Returns the index of the only choice that equals the text, ignoring spaces; -1 if there is none, or several. */
function indexJoined(choices: readonly string[], plain: string): number {
	const all = choices.map((choice) => joined(normalizeWords(choice)));
	const index = all.indexOf(joined(plain));
	return index === all.lastIndexOf(joined(plain)) ? index : -1;
}

/**
 * Returns the choice that a text names, either by its words or by its number, counted from 1. `sent` has the texts that
 * were sent to the recipient.
 */
export function choiceOf(
	choices: readonly string[],
	text: string,
	sent: readonly string[] = [],
): string | undefined {
	const choiceIn = (said: string) =>
		choices.find((each) => normalizeWords(each) === said) ??
		choices[indexByNumber(choices, said, sent)] ??
		choices[indexJoined(choices, said)];
	const plain = normalizeWords(text);
	const words = withoutCourtesy(
		plain.split(' '),
		choices.map((each) => normalizeWords(each).split(' ')),
	);
	for (const said of [plain, words.join(' ')]) {
		const choice = said === '' ? undefined : choiceIn(said);
		if (choice === undefined) continue;
		return !asksBack(text) || (asksBack(choice) && /\D/.test(said)) ? choice : undefined;
	}
	return undefined;
}

/**
 * Whether a text that looks like an opt-out is one of the answers that a question expects. STOP never counts as an
 * answer.
 */
export function isExpectedAnswer(text: string, answers: readonly string[]): boolean {
	if (isStop(text)) return false;
	const words = answers.map(tokensIn);
	const tokens = tokensIn(text);
	return [tokens, withoutCourtesy(tokens, words)].some(
		(said) => consistOf(said, words) || isJoined(said, answers),
	);
}

/**
 * Whether a text is an opt-out. STOP always is, even “Stop?”. A word such as END or CANCEL isn't if the question
 * expects it as an answer.
 */
export function asksToStop(text: string, answers: readonly string[]): boolean {
	return optOutIn(text) !== undefined && !isExpectedAnswer(text, answers);
}
