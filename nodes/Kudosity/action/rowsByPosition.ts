import type { IExecuteFunctions } from 'n8n-workflow';
import { once } from '../lib/async';
import { findCutAfter } from '../n8n/runData';
import { evaluate, findReads, findSources, type NodeRead } from './nodeReads';

/*
 * This file compares the rows that an expression chooses by their position, e.g. the first one, with the rows that n8n
 * pairs with the items. See ADR 19.
 */

/** Returns the path of a column with `?.` at each step, so that rows without the column can be compared, too. */
export function optionalPath(column: string): string {
	return column.replace(
		/(?:\?\.)?(\[[^\]]*\])|\??\.(\w+)/g,
		(_, quoted: string | undefined, name: string) => `?.${quoted ?? name}`,
	);
}

/**
 * Returns the different values in the column that an expression reads, as JSON texts. `rows` is an expression for the
 * rows.
 */
export function valuesIn(context: IExecuteFunctions, { column = '' }: NodeRead, rows: string) {
	const values = `${rows}.map((row) => JSON.stringify(row.json${optionalPath(column)}))`;
	const all = evaluate(context, `[...new Set(${values})]`);
	return new Set<unknown>(Array.isArray(all) ? all : []);
}

/** Returns an expression for the rows of the node's output that is connected to the current node. */
export const rowsOf = (node: string): string => `$(${JSON.stringify(node)}).all()`;

const allRowsOf = ({ isInput, name }: NodeRead): string =>
	isInput ? '$input.all()' : rowsOf(name);

/** Counts the rows of the node's output that is connected to the current node. */
export function countRows(context: IExecuteFunctions, name: string): number {
	return Number(evaluate(context, `${rowsOf(name)}.length`) ?? 0);
}

/** Whether the rows of the node that an expression reads have different values in the column. */
export function hasSeveral(context: IExecuteFunctions, read: NodeRead): boolean {
	return valuesIn(context, read, allRowsOf(read)).size > 1;
}

/** Finds where an expression chooses one of several rows by its position, and the rows have different values. */
export function findRowsByPosition(context: IExecuteFunctions, code: string): NodeRead[] {
	return findReads(context, code).filter((read) => read.isByPosition && hasSeveral(context, read));
}

/** Finds where an expression reads the row of another node with which n8n pairs the item. */
export function findPairedRows(context: IExecuteFunctions, code: string): NodeRead[] {
	return findReads(context, code).filter(
		(read) => read.isRow && !read.isByPosition && !read.isInput && hasSeveral(context, read),
	);
}

/** Whether the position of the row depends on the item, as in `$node["Rows"]` and `$('Rows').all()[$itemIndex]`. */
export const isMoving = ({ text }: NodeRead): boolean =>
	/^\$node|[[(]\s*\$/.test(text.replace(/\?*\.\s*json\b.*/s, ''));

/** Creates a function that returns the value that an expression reads for an item, as a JSON text. */
function createReader(context: IExecuteFunctions, read: NodeRead): (item: number) => unknown {
	const valueFor = (item: number) => evaluate(context, `JSON.stringify(${read.text})`, item);
	const ofAll = once(() => valueFor(0));
	return isMoving(read) || !read.isByPosition ? valueFor : ofAll;
}

/**
 * Creates a function that says whether n8n pairs an item with the row that an expression reads. For example, the first
 * row of a team is the manager, and all items are that row's tasks. Undefined means that n8n doesn't know the item's row.
 */
export function createPairing(context: IExecuteFunctions, read: NodeRead) {
	const { name, column = '' } = read;
	const ofItem = `JSON.stringify($(${JSON.stringify(name)}).item.json${optionalPath(column)})`;
	const valueFor = createReader(context, read);
	return (item: number): boolean | undefined => {
		const value = evaluate(context, ofItem, item);
		return value === undefined ? undefined : value === valueFor(item);
	};
}

/** Matches the path of a single column. Captures its name. */
const singleColumn = /^(?:\??\.(\w+)|(?:\?\.)?\[\s*(['"])(.+)\2\s*\])$/;

/** Returns the name of the column, if an expression reads a single one, e.g. `phone` for `$json.phone`. */
function columnOf({ column = '' }: NodeRead): string | undefined {
	const [, plain, , quoted] = singleColumn.exec(column) ?? [];
	return plain ?? quoted;
}

/** Returns the end of a phone number, which is the same in all formats. */
const endOf = (value: unknown): string => String(value).replace(/\D/g, '').slice(-8);

/**
 * Creates a function that says whether a row is another recipient's: the node has a row with the item's recipient in the
 * column that the recipient is read from, and the row that is read has another number there.
 */
function createRecipientCheck(context: IExecuteFunctions, read: NodeRead, recipient?: string) {
	const [source, other] = recipient === undefined ? [] : findReads(context, recipient);
	const name = source && !other ? columnOf(source) : undefined;
	const column = `?.[${JSON.stringify(name)}]`;
	const known = once(() => {
		const all = evaluate(context, `${rowsOf(read.name)}.map((row) => row.json${column})`);
		return new Set(Array.isArray(all) ? all.map(endOf) : []);
	});
	const row = read.text.slice(0, read.text.length - (read.column ?? '').length);
	return (item: number): boolean => {
		if (name === undefined || !source) return false;
		const own = endOf(evaluate(context, source.text, item));
		if (own === '' || !known().has(own)) return false;
		const value = evaluate(context, `${row}${column}`, item);
		return value !== undefined && endOf(value) !== own;
	};
}

/**
 * Whether a row that an expression reads belongs to another item. For example, the row is Ana's, and the item is Ben's:
 *
 * - An item has a column with this name itself, with a value from another of the node's rows.
 * - `recipient`, the expression of the recipient, reads a number that is in another of the node's rows.
 * - The row is chosen by its position, and n8n pairs the item with another row. If Execute Once has made n8n pair all
 *   items with the first row, the pairing doesn't count.
 */
export function isOfAnother(
	context: IExecuteFunctions,
	code: string,
	read: NodeRead,
	recipient?: string,
): boolean {
	const isReadToo = ({ isByPosition, column, text }: NodeRead) =>
		!isByPosition && column === read.column && text !== read.text;
	// In "Hi {{ $json.name }}, {{ $('Ranking').first().json.name }} won", the other name is meant.
	if (findSources(context, code).some(isReadToo)) return false;
	const name = columnOf(read);
	const values = valuesIn(context, read, allRowsOf(read));
	const isPaired = createPairing(context, read);
	const countsPairing = read.isByPosition && findCutAfter(context, read.name) === undefined;
	const valueFor = createReader(context, read);
	const isOfOtherRecipient = createRecipientCheck(context, read, recipient);
	return context.getInputData().some(({ json }, item) => {
		if (countsPairing && isPaired(item) === false) return true;
		const own = name === undefined ? undefined : JSON.stringify(json[name]);
		if (own !== undefined && values.has(own) && own !== valueFor(item)) return true;
		return isOfOtherRecipient(item);
	});
}

/** Whether an expression reads the same value for all items, although the node has several rows. */
export function isSameForAll(context: IExecuteFunctions, read: NodeRead): boolean {
	const valueFor = createReader(context, read);
	return new Set(context.getInputData().map((_, item) => valueFor(item))).size < 2;
}

/** Whether the items are only some of a node's rows, because a node between them left out the others. */
export function areItemsFewer(context: IExecuteFunctions, { name }: NodeRead): boolean {
	const items = context.getInputData();
	if (items.length < 2 || items.length >= countRows(context, name)) return false;
	const ofItem = `JSON.stringify($(${JSON.stringify(name)}).item.json)`;
	const paired = items.map((_, item) => evaluate(context, ofItem, item));
	return !paired.includes(undefined) && new Set(paired).size === items.length;
}
