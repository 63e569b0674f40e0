import { isGreeted, quotes, reach, reportOfError } from './messageText';

const quoteBefore = new RegExp(`[${quotes}]$`, 'u');
const quoteAfter = new RegExp(`^[${quotes}]`, 'u');

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

/** Finds a placeholder of another tool, of a mail merge or of a language model. */
export function findPlaceholder(text: string, isToList: boolean): string | undefined {
	return findToolPlaceholder(text) ?? findMergeField(text, isToList);
}
