import { quotes } from './messageText';
import { findMissingName, findMissingValue } from './missingValue';
import { findPlaceholder } from './placeholder';

/**
 * Finds the traces of mistakes in a message's text ("unwritten", because no person wrote them): an expression that n8n
 * doesn't evaluate because the field is in Fixed mode, a placeholder that nobody filled in, or a trace of a missing
 * value from code or a spreadsheet, such as "undefined". Only the text itself can be checked, because n8n has already
 * evaluated the expressions.
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

const nativeCode = '[native code]';

const object = '\\[object (?:\\w+|[A-Z][\\w ]{0,50})\\]';
const objects = new RegExp(
	`(?<before>[${quotes}])?(?<found>${object})(?:,\\s?${object})*(?<after>\\\\?[${quotes}])?`,
	'gu',
);

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

const maxShownLength = 60;

function shorten(text: string): string {
	const line = text.replace(/\s+/g, ' ');
	return line.length <= maxShownLength ? line : `${line.slice(0, maxShownLength)}…`;
}

/**
 * Finds a trace of a mistake in a message's text (see the top of this file). Returns undefined if a person may have
 * written the whole text. `isToList` says that the service fills in fields of a contact list, e.g. [Firstname].
 * `isForwarded` says that the text was written elsewhere, e.g. in a reply. In texts from people, a space before a comma
 * is an ordinary typing mistake.
 */
export function findUnwritten(
	text: string,
	{ isToList = false, isForwarded = false } = {},
): Unwritten | undefined {
	const expression = findExpression(text);
	if (expression !== undefined) return { found: shorten(expression), kind: 'expression' };
	if (text.includes(nativeCode)) return { found: nativeCode, kind: 'method' };
	const object = findObject(text);
	if (object !== undefined) return { found: object, kind: 'object' };
	const placeholder = findPlaceholder(text, isToList);
	if (placeholder !== undefined) return { found: placeholder, kind: 'placeholder' };
	const greeted = isForwarded ? undefined : findMissingName(text);
	if (greeted !== undefined) return { found: greeted, kind: 'missingName' };
	const value = findMissingValue(text);
	if (value === undefined) return undefined;
	return { found: value, kind: /^[#L]/.test(value) ? 'sheetError' : 'missingValue' };
}
