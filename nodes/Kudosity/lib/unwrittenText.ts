/**
 * Finds the traces of mistakes in a message's text ("unwritten", because no person wrote them): an expression that n8n
 * doesn't evaluate because the field is in Fixed mode, a placeholder that nobody filled in, or a trace of a missing
 * value from code or a spreadsheet, such as "undefined". Only the text itself can be checked, because n8n has already
 * evaluated the expressions. Alerts about other programs' errors contain the same words ("Cannot read properties of
 * undefined") and must be sent. Therefore, a word such as "undefined" only counts where people expect a name, a date or
 * an amount, and only if the sentence doesn't seem to be about a program.
 */

export type Unwritten = {
	found: string;
	kind:
		| 'expression'
		| 'placeholder'
		| 'method'
		| 'object'
		| 'sheetError'
		| 'missingValue'
		| 'missingName';
};

const quotes = '"\'`\u00b4\u2018-\u201f\u00ab\u00bb\u2039\u203a';
const besides = `${quotes}()[\\]{}<>`;

const quoteBefore = new RegExp(`[${quotes}]$`, 'u');
const quoteAfter = new RegExp(`^[${quotes}]`, 'u');

const nativeCode = '[native code]';

const object = '\\[object (?:\\w+|[A-Z][\\w ]{0,50})\\]';
const objects = new RegExp(
	`(?<before>[${quotes}])?(?<found>${object})(?:,\\s?${object})*(?<after>\\\\?[${quotes}])?`,
	'gu',
);

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

/** Matches a greeting or a title at the end of a text, where people expect a name next. */
const greeting =
	/(?<![\p{L}\p{N}_])(?:hi|hello|hey|hiya|dear|g['’]?day|greetings|welcome(?: back)?|(?:good )?(?:morning|afternoon|evening)|good (?:day|night)|thanks|thank you|sorry|congrat(?:s|ulations)|happy birthday|mr|mrs|ms|miss|mx|dr|prof|kia ora|hola|estimad[oa]|bonjour|salut|ch(?:er|ère)|hallo|lieber?|guten (?:tag|morgen|abend)|herr|frau|ciao|buongiorno|car[oa]|olá|hej|beste)\.?\s+[*_~]{0,3}$/iu;

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

/** Matches signs that the text as a whole is an error message. */
const reportOfError =
	/\p{L}(?:Error|Exception)\b|\b(?:[Ee]rror|ERROR|[Ee]xception|FATAL|panic)\s?[:[]|\b(?:[Uu]ncaught|Unhandled\w*|Traceback|SQLSTATE|n8n)\b|\bERR_|\bE(?:CONN|NOENT|NOTFOUND|ACCES|PIPE|TIMEDOUT|AI_AGAIN|HOST|NET|ADDR)[A-Z_]*\b|\b(?:HTTP|status(?: code)?) [45]\d\d\b|\b[45]\d\d (?:Unauthorized|Forbidden|Not Found|Bad)|\n[^\S\n]+at \S|\b(?:[Ww]orkflow|[Ee]xecution|[Pp]ipeline|[Bb]uild|[Dd]eploy(?:ment)?|[Cc]ron|[Bb]ackup|[Qq]uery|[Ss]erver|[Ss]ync|[Ss]cript|[Ww]ebhook|API|[Nn]ode|[Jj]ob)\b[^.!?]{0,80}\b(?:failed|failing|crashed|stopped)\b/u;

/**
 * Matches an unclosed bracket, because brackets enclose a program's lists and objects: "{ id: null, name: undefined, …
 * }".
 */
const openBracket = /[([{][^)\]}]*$/;
const endOfSentence = /[.!?]\s+|\n/;

/** How many characters before and after a value are searched. */
const reach = 200;

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

/** Finds an expression: double braces with a dollar sign between them. */
function findExpression(text: string): string | undefined {
	if (!text.includes('{{')) return undefined;
	const pieces = text.split('}}').slice(0, -1);
	const opened = pieces.filter((piece) => piece.includes('{{'));
	const inner = opened.map((piece) => piece.slice(piece.lastIndexOf('{{')));
	const code = inner.find((piece) => piece.includes('$'));
	return code && `${code}}}`;
}

/**
 * Finds an object that was converted to text, unless it is in quotes, as in the error '"[object Object]" is not valid
 * JSON'.
 */
function findObject(text: string): string | undefined {
	const isInQuotes = ({ groups = {} }: RegExpExecArray): boolean =>
		groups.before !== undefined && groups.after !== undefined;
	return [...text.matchAll(objects)].find((each) => !isInQuotes(each))?.groups?.found;
}

/** Whether a greeting ends at the position `from`, e.g. "Hi " in front of a name. */
function isGreeted(text: string, from: number): boolean {
	return greeting.test(text.slice(Math.max(0, from - reach), from));
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

/** Matches a comma at the beginning of a text. In ", sale on today", the greeting is missing together with the name. */
const leadingComma = /^[,\uff0c](?=\s*\p{L}|\s+\S)/u;

/** Finds the place of a name that is missing, as in "Hi , your table is ready", "Hi ! Sale on" or ", sale on today". */
function findMissingName(text: string): string | undefined {
	const trimmed = text.trim();
	const comma = leadingComma.exec(trimmed)?.[0];
	if (comma !== undefined) return comma;
	const beginnings = trimmed.split('\n').map((line) => line.trimStart().split(',', 2));
	const withComma = beginnings.find(([before = '', after]) => {
		return after !== undefined && before.length <= maxGreetingLength && greeting.test(before);
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

/** Matches the placeholders of other messaging tools: “{{first_name}}” and “*|FNAME|*”. */
const placeholdersOfTools = /\{\{\s*\p{L}[\p{L}\p{N}_. -]{0,40}\}\}|\*\|[A-Z][A-Z\d_:]{0,40}\|\*/gu;

/** Finds another tool's placeholder in a greeting, as in "Hi {{first_name}}". */
function findToolPlaceholder(text: string): string | undefined {
	return [...text.matchAll(placeholdersOfTools)].find(({ index }) => isGreeted(text, index))?.[0];
}

/** What mail merges and language models call the things that somebody should have filled in. */
const mergeWords = {
	whose:
		'first|last|full|sur|customer|client|contact|recipient|user|guest|patient|member|company|business|store|order|booking|appointment|delivery|due|tracking|payment|phone|email|promo|discount',
	what: 'name|number|date|time|amount|link|url|address|phone|code',
	alone: 'customer|client|contact|recipient|company|email',
};
const mergeField = `(?:(?:(?:${mergeWords.whose})(?:['’]s)?[ _-]?)?(?:${mergeWords.what})|${mergeWords.alone}|(?:your|insert)[ _-][\\p{L}\\p{N} '’_-]{1,40})`;

/**
 * Matches a placeholder that stands alone: "[Customer Name]", "{first_name}", "<name>", "%NAME%", or "{{order_id}}".
 * With double braces, the name can be any word, because nobody writes them in a message on purpose.
 */
const mergeFields = new RegExp(
	`(?<![\\p{L}\\p{N}_/\\\\=&.<>[\\]{}])(?:\\[\\s?${mergeField}\\s?\\]|\\{\\s?${mergeField}\\s?\\}|<${mergeField}>|%(?=[^\\s%]+%)${mergeField}%|\\{\\{\\s{0,5}[\\p{L}_][\\p{L}\\p{N}_.]{1,40}\\s{0,5}\\}\\})(?![\\p{L}\\p{N}_/\\\\=<>[\\]{}(])`,
	'giu',
);

/**
 * Matches the beginning of an instruction, because people write placeholders in those on purpose: "Text JOIN [your
 * name] to 0491 570 110". In "Reply YES to confirm your visit on [date]", the instruction ends before "to".
 */
const instructionBefore =
	/(?<!\p{L})(?:reply|text|sms|send|type|enter|answer|write|use|usage|format)(?!\p{L})(?: to this \p{L}+)?(?:(?!\bto\b)[^.!?\n])*$/iu;

/** Matches a closing tag, or a tag without content: the text contains HTML or XML. */
const markupTag = /<\/\w|\/>/;

/**
 * Matches signs that a bracket's content describes what follows: "[link] https://…", "[Name]: Sam", "[Company] Acme".
 */
const valueAfter = /^\s?(?::|https?:|[+(]?\d|\S+@|\p{Lu}\p{L})/u;

/** Matches the placeholders that never describe what follows: "[Your Company]: sale today". */
const senderField = /^\[\s?(?:your|insert|(?:business|company) name)(?![\p{L}\p{N}])/iu;

/** Whether a bracket is a label, as in "[Contact] Sam called", and not a placeholder. */
function isLabel(found: string, lineBefore: string, lineAfter: string): boolean {
	if (!found.startsWith('[') || senderField.test(found)) return false;
	const isFirst = !/[\p{L}\p{N}]/u.test(lineBefore);
	return valueAfter.test(lineAfter) || (isFirst && /^\s+[\p{L}\p{N}]/u.test(lineAfter));
}

/**
 * Finds a placeholder that nobody filled in, as in "Kind regards, [Your Name]". Square brackets are left out in a text
 * to a contact list, because the service itself replaces, e.g., [Firstname] with the contact's first name.
 */
function findMergeField(text: string, isToList: boolean): string | undefined {
	const isMarkup = markupTag.test(text);
	const isReport = reportOfError.test(text);
	const found = [...text.matchAll(mergeFields)].find(({ index: from, 0: field }) => {
		if ((isToList && field.startsWith('[')) || (isMarkup && field.startsWith('<'))) return false;
		if (isGreeted(text, from)) return true;
		const to = from + field.length;
		const [lineBefore = ''] = text
			.slice(Math.max(0, from - reach), from)
			.split('\n')
			.slice(-1);
		const [lineAfter = ''] = text.slice(to, to + reach).split('\n', 1);
		const isInQuotes = quoteBefore.test(lineBefore) && quoteAfter.test(lineAfter);
		return !(
			isReport ||
			isInQuotes ||
			instructionBefore.test(lineBefore) ||
			isLabel(field, lineBefore, lineAfter)
		);
	});
	return found?.[0];
}

const maxShownLength = 60;

function shorten(text: string): string {
	const line = text.replace(/\s+/g, ' ');
	return line.length <= maxShownLength ? line : `${line.slice(0, maxShownLength)}…`;
}

/**
 * Finds a trace of a mistake in a message's text (see the top of this file). Returns undefined if a person may have
 * written the whole text. `isToList` says that the service fills in fields of a contact list, e.g. [Firstname].
 */
export function findUnwritten(text: string, isToList = false): Unwritten | undefined {
	const expression = findExpression(text);
	if (expression !== undefined) return { found: shorten(expression), kind: 'expression' };
	if (text.includes(nativeCode)) return { found: nativeCode, kind: 'method' };
	const object = findObject(text);
	if (object !== undefined) return { found: object, kind: 'object' };
	const placeholder = findToolPlaceholder(text) ?? findMergeField(text, isToList);
	if (placeholder !== undefined) return { found: placeholder, kind: 'placeholder' };
	const greeted = findMissingName(text);
	if (greeted !== undefined) return { found: greeted, kind: 'missingName' };
	const value = findEmptyName(text) ?? findValue(text);
	if (value === undefined) return undefined;
	return { found: value, kind: /^[#L]/.test(value) ? 'sheetError' : 'missingValue' };
}

/** Whether a text is only what spreadsheets and databases show instead of a missing value. */
export function isEmptyText(text: string): boolean {
	return /^(?:n\/?a|null|none|nil|undefined|nan|false|0|-+|\(?blank\)?)$/i.test(text.trim());
}
