import type { IDataObject } from 'n8n-workflow';
import { normalizeWords } from '../lib/text';

/* This file finds mistakes in the columns of the current item that a text reads. */

/** Matches `$json.column` and `$json['column']`. Captures the name of the column. */
const itemColumn =
	'\\$json\\??(?:\\.([\\p{L}_$][\\p{L}\\p{N}_$]*)|\\[\\s*([\'"])([^\'"]+)\\2\\s*\\])';
const anyColumnRead = new RegExp(itemColumn, 'gu');
/** Matches `{{ $json.column }}` without a default. */
const columnRead = new RegExp(`\\{\\{\\s*${itemColumn}[^{}|?(&]*\\}\\}`, 'gu');

/** Matches `{{ $json.column }}` alone, without a method. */
const wholeColumn = new RegExp(`\\{\\{\\s*${itemColumn}\\s*\\}\\}`, 'gu');

/** Matches where an expression reads another node. */
const otherNode = /\$(?:\(|(?:input|items|node)\b)/;

/** Returns the names of the columns that a pattern finds in a text. */
const namesIn = (code: string, pattern: RegExp): string[] =>
	[...code.matchAll(pattern)].map(([, name, , quoted]) => (name ?? quoted)!);

/**
 * Finds a column that a text refers to but no item has, and the column that was probably meant. Some nodes leave out
 * columns without a value. So a column that isn't a likely misspelling only counts as missing if there are several
 * items, and none of them has any of the text's columns.
 */
export function findMissingColumn(code: string, rows: IDataObject[]) {
	const read = namesIn(code, columnRead);
	if (read.length === 0) return undefined;
	const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const missing = read
		.filter((name) => !columns.includes(name))
		.map((name) => {
			const meant = columns.find((each) => normalizeWords(each) === normalizeWords(name));
			return { name, meant, columns };
		});
	const all = namesIn(code, anyColumnRead);
	const areAllMissing =
		rows.length > 1 && !otherNode.test(code) && all.every((name) => !columns.includes(name));
	// If the expression contains both spellings, its items come from two nodes that spell the column differently, so
	// neither spelling is a mistake.
	const isSpelledWrong = (meant?: string) => meant !== undefined && !all.includes(meant);
	return missing.find(({ meant }) => areAllMissing || isSpelledWrong(meant));
}

/**
 * Finds a column that a text reads although it has a list with a value for each recipient, e.g. from an Aggregate node,
 * so everybody would get everybody's values. In Bulk SMS, `recipients` is the expression of the recipients. Otherwise,
 * each item has one recipient, and all items have the same list.
 */
export function findListColumn(code: string, rows: IDataObject[], recipients?: string) {
	const listsIn = (text: string, pattern: RegExp) =>
		rows.flatMap((row) =>
			namesIn(text, pattern).flatMap((name) => {
				const list = row[name];
				return Array.isArray(list) && list.length > 1 ? [{ name, length: list.length }] : [];
			}),
		);
	const isSameInAll = (name: string) =>
		new Set(rows.map((row) => JSON.stringify(row[name]))).size === 1;
	const lists = listsIn(code, wholeColumn);
	const people = recipients === undefined ? undefined : listsIn(recipients, anyColumnRead);
	return lists.find(({ name, length }) =>
		people
			? people.some((each) => each.length === length)
			: length === rows.length && isSameInAll(name),
	)?.name;
}

/** Matches names that begin or end with a space, or contain an invisible character. */
const hiddenCharacter = /^\s|\s$|[^\P{C}]/u;

/** Tells users which column they probably meant. */
export function describeMeant(meant: string | undefined, columns: string[]): string {
	if (meant === undefined) return `The items have these columns: ${columns.join(', ') || 'none'}`;
	if (!hiddenCharacter.test(meant)) return `Use '${meant}'`;
	return `Drag the column '${meant.trim()}' from the input into the field, because its name has a space or an invisible character that you can't see. In CSV files from Excel, that is the byte order mark: turn on 'Exclude Byte Order Mark (BOM)' in the node that reads the file`;
}
