import { isAddressed, isGreeted, quotes, reach, reportOfError } from './messageText';

/*
 * This file finds missing values in a text. Alerts contain the same words ("Cannot read properties of undefined",
 * "CPU NaN") and must be sent. Therefore, a word such as "undefined" only counts right after a greeting, as the whole
 * text, or in a text that addresses a person and doesn't report an error.
 */

/** Matches WhatsApp's characters for bold, italic and strikethrough text. */
const markup = '[*_~]{0,3}';

/** What code and spreadsheets write instead of a value, except in ordinary phrases such as "null and void". */
const values = [
	'undefined(?! (?:number|amount|period|behaviou?r)\\b)',
	'null(?! (?:and void|und nichtig|hypothesis)\\b)',
	'NaN',
	'Invalid Date(?:Time)?(?! (?:of|format)\\b)',
	'#N/A|#(?:REF|VALUE|DIV/0|NUM|ERROR|NULL|SPILL|CALC)!|#NAME\\?|Loading\\.{3}',
].join('|');

/** Matches a value that stands alone: neither in quotes (other than in "undefined's") nor part of a longer word. */
const valuesAlone = new RegExp(
	`(?<=(?:^|[^\\p{Script=Latin}\\p{N}_~*.${quotes}])${markup})(?:${values})(?!${markup}(?:[\\p{L}\\p{N}]|[.@-]\\p{L}|(?!['’]s\\b)[${quotes}]))`,
	'gu',
);

function findValue(text: string): string | undefined {
	const found = [...text.matchAll(valuesAlone)];
	const greeted = found.find(({ index }) => isGreeted(text, index));
	if (greeted) return greeted[0];
	const hasOtherWords = /[\p{L}\p{N}]/u.test(text.replace(valuesAlone, ''));
	const isHole = !hasOtherWords || (isAddressed(text) && !reportOfError.test(text));
	return isHole ? found[0]?.[0] : undefined;
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
