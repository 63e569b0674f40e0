import { isGreeted, quotes, reach, reportOfError } from './messageText';

/*
 * This file finds missing values in a text. Alerts about other programs' errors contain the same words ("Cannot read
 * properties of undefined") and must be sent. Therefore, a word such as "undefined" only counts where people expect a
 * name, a date or an amount, and only if the sentence doesn't seem to be about a program.
 */

const besides = `${quotes}()[\\]{}<>`;

/** Matches WhatsApp's characters for bold, italic and strikethrough text. */
const markup = '[*_~]{0,3}';

const values =
	'undefined|null|NaN|Invalid Date(?:Time)?|#N/A|#(?:REF|VALUE|DIV/0|NUM|ERROR|NULL|SPILL|CALC)!|#NAME\\?|Loading\\.{3}';

/**
 * Matches a value that stands alone: not in quotes or parentheses, and not part of an address, an assignment or a
 * longer word.
 */
const valuesAlone = new RegExp(
	`(?<=(?:^|[^\\p{Script=Latin}\\p{N}_~*./\\\\=${besides}-])${markup})(?:${values})(?!${markup}(?:[\\p{L}\\p{N}/\\\\=${besides}]|-\\p{L}))`,
	'gu',
);

/** Matches the end of a name: a comma, the end of a sentence, or the end of a line, possibly after emoji. */
const endOfName =
	/^[*_~]{0,3}\s*(?:[,\uff0c\u3001]|[.!?\u2026\u3002\uff01\uff1f]+(?![\p{L}\p{N}.!?])|(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u200d\s]|[:;]-?[)D])*$)/u;

/**
 * Matches a list of other values in front of a value. In "Received null or undefined", the word before the list,
 * "Received", shows that the sentence is about a program.
 */
const listBefore = new RegExp(`(?:(?:${values})(?:,| or| and)\\s+)+$`, 'u');

/** Matches words after which a program mentions a value: "Received undefined", "must not be null", "equal to NaN". */
const wordsBefore =
	/(?<![\p{L}\p{N}_])(?:of|is|was|values?|\w*errors?|\w*exception|\w+n['’]t|not|possibly|of type|typeof|got|given|gives|gave|found|unexpected|returned|returns|reads|reports|contains?|equals|threw|thrown|received|failed|failed with|(?:cannot|must|may|not) be|(?:equal|resolved|converted|cast|evaluate[sd]?) to|(?:missing|empty|constructor|object) or|(?:denied|failed) for user|[a-z]+_\w+):?\s+$/iu;

/** Matches the reason for an error, followed by a colon. */
const reasonBefore =
	/\b(?:unauthorized|forbidden|unavailable|time(?:d )?out|denied|bad request|problem|issues?|missing \w+):\s+$/i;
const operatorBefore = /(?:[=!]=|[+&|<>])\s+$/;

/**
 * Matches words that occur next to a value only in sentences about programs. `sentenceOfSheet` does the same for
 * spreadsheets.
 */
const sentenceOfProgram =
	/^\W*error (?:in|at|on|from|code)\b|\b(?:invalid(?! Date)|no such|unsupported|argument|parameters?|constraint|prototype|constructor|member function|called on|JSON|SQL|JS|undefined (?:variable|index|property)|exit(?:ed)? (?:with )?(?:code|signal|status)|(?:cannot|could not|unable to|failed to) (?:parse|resolve|load|fetch|convert|open|read|decode|access|find (?:user|module)))\b|\b(?:property|column|operator) ["'`‘“]|["'`’”] (?:argument|operator)\b/i;
const sentenceOfSheet =
	/\b(?:(?:[Ss]pread)?[Ss]heets?|[Ff]ormulas?|columns? [A-Z]|\d+ cells|[Cc]ells? [A-Z]+\d+|VLOOKUP)\b|\w![A-Z]+\d/;

/**
 * Matches an unclosed bracket, because brackets enclose a program's lists and objects: "{ id: null, name: undefined, …
 * }".
 */
const openBracket = /[([{][^)\]}]*$/;
const endOfSentence = /[.!?]\s+|\n/;

/** Whether a value stands where people expect a name, a date or an amount. */
function isInPlaceOfName(text: string, from: number, to: number): boolean {
	const [lineBefore = ''] = text
		.slice(Math.max(0, from - reach), from)
		.split('\n')
		.slice(-1);
	const [lineAfter = ''] = text.slice(to, to + reach).split('\n', 1);
	if (!endOfName.test(lineAfter)) return false;
	const before = lineBefore.replace(/[*_~]+$/, '').replace(listBefore, '');
	if ([wordsBefore, reasonBefore, operatorBefore, openBracket].some((each) => each.test(before))) {
		return false;
	}
	const [sentenceBefore = ''] = before.split(endOfSentence).slice(-1);
	const [sentenceAfter = ''] = lineAfter.split(endOfSentence, 1);
	const sentence = `${sentenceBefore}${text.slice(from, to)}${sentenceAfter}`;
	return !sentenceOfProgram.test(sentence) && !sentenceOfSheet.test(sentence);
}

function findValue(text: string): string | undefined {
	const trimmed = text.trim();
	const isReport = reportOfError.test(trimmed);
	const found = [...trimmed.matchAll(valuesAlone)].find(({ index: from, 0: value }) => {
		return (
			isGreeted(trimmed, from) || (!isReport && isInPlaceOfName(trimmed, from, from + value.length))
		);
	});
	return found?.[0];
}

/** The maximum length of a greeting that is checked for a missing name. */
const maxGreetingLength = 25;

/**
 * Matches a greeting at the beginning of a line that ends with a space and then a single period or exclamation mark, as
 * in "Hi ! Sale on": an expression without a value leaves only the space. French greetings aren't included, because
 * the French put a space before an exclamation mark.
 */
const greetingWithoutName =
	/^[^\S\n]*(?<found>[*_~]{0,3}(?:hi|hello|hey|hiya|dear|g['’]?day|good (?:morning|afternoon|evening)|kia ora|hola|hallo|guten (?:tag|morgen|abend)|buongiorno|olá|hej)[^\S\n]{1,5}[*_~]{0,6}[.!])(?=\s|$)(?!\s*[.!?])/gimu;

/**
 * Matches signs that the writer puts a space before an exclamation mark on purpose: another such space, or French
 * words. The French write "Hello !", too.
 */
const spacedOnPurpose =
	/\p{L}\s[!?;:](?=\s|$)|(?<!\p{L})(?:vous|votre|vos|rdv|rendez|demain|bientôt|r[ée]pon\p{L}*|nous|notre|nos|est|les|des|une?|pour|avec|merci|tu|ton|ta|tes|je|c['’]est)(?!\p{L})/iu;

/** Matches words that mostly stand without a name, so a space before the comma doesn't show that one is missing. */
const needsNoName = /(?:thanks|thank you|sorry|congrat(?:s|ulations))\s+$/iu;

/** Matches a comma at the beginning of a text. In ", sale on today", the greeting is missing together with the name. */
const leadingComma = /^[,\uff0c](?=\s*\p{L}|\s+\S)/u;

/** Finds the place of a name that is missing, as in "Hi , your table is ready", "Hi ! Sale on" or ", sale on today". */
export function findMissingName(text: string): string | undefined {
	const trimmed = text.trim();
	const comma = leadingComma.exec(trimmed)?.[0];
	if (comma !== undefined) return comma;
	const beginnings = trimmed.split('\n').map((line) => line.trimStart().split(',', 2));
	const withComma = beginnings.find(([before = '', after]) => {
		return (
			after !== undefined &&
			before.length <= maxGreetingLength &&
			isGreeted(before, before.length) &&
			!needsNoName.test(before)
		);
	});
	if (withComma) return `${withComma[0]},`;
	const [match] = trimmed.matchAll(greetingWithoutName);
	const found = match?.groups?.found;
	if (found === undefined || spacedOnPurpose.test(trimmed.replace(found, ''))) return undefined;
	return found;
}

/**
 * Matches what spreadsheets and databases show instead of a missing name. It only counts after a greeting, because
 * other texts contain it, too. Null and Nan are also names ("Hi Nan" greets a grandmother), and "Hi - sale on" has a
 * dash, so most of these forms only count before punctuation.
 */
const emptyNames =
	/(?<![\p{L}\p{N}])(?:(?:N\/A|n\/a|None|none|NONE|nan|-)(?=\s*[,!.])|(?:Null|Undefined)(?=\s*(?:[,!.]|$))|(?:NULL|UNDEFINED|\((?:blank|null|empty)\)|\[null\]|\\N)(?![\p{L}\p{N}-]))/gmu;

/** Matches a form of address at the end of a text, where people expect a surname next. */
const titleBefore = /(?<!\p{L})(?:mr|mrs|ms|miss|mx|dr|prof|herr|frau)\.?\s+$/iu;

/** Matches a form in which people write the surname Null after a title: "Dear Mr Null". */
const surname = /^(?:null|undefined)$/i;

/** Finds a greeting with a sign of a missing name, as in "Hi N/A, your table is ready". */
function findEmptyName(text: string): string | undefined {
	const found = [...text.matchAll(emptyNames)].find(({ index, 0: name }) => {
		if (!isGreeted(text, index)) return false;
		return !surname.test(name) || !titleBefore.test(text.slice(Math.max(0, index - reach), index));
	});
	return found?.[0];
}

/** Finds what code, a spreadsheet or a database writes instead of a missing value. */
export function findMissingValue(text: string): string | undefined {
	return findEmptyName(text) ?? findValue(text);
}

/**
 * Whether a text is only what spreadsheets and databases show instead of a missing value. People do answer questions
 * with “None”, “0” or “-”, and a workflow may forward their answers.
 */
export function isEmptyText(text: string): boolean {
	return /^(?:n\/?a|null|undefined|nan|\(?blank\)?)$/i.test(text.trim());
}
