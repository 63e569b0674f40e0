import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { once, settleNow } from '../lib/async';
import { isLookedUpAfter } from '../n8n/connections';
import { findCutAfter } from '../n8n/runData';
import { evaluate, findReads, findSources, type NodeRead } from './nodeReads';

/*
 * This file finds out whose rows an expression reads. It compares rows that are chosen by their position, e.g. the first
 * one, with the rows that n8n pairs with the items, and those with what the items and recipients show. See ADR 19.
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
	return isMoving(read) ? valueFor : ofAll;
}

/**
 * Creates a function that returns the row with which n8n pairs an item, or undefined if n8n doesn't know the row. For
 * thousands of items, this is many times faster than evaluating an expression for each.
 */
function createPairedRows(context: IExecuteFunctions, name: string) {
	const node = once(() => settleNow(() => context.getWorkflowDataProxy(0).$(name)));
	return (item: number): IDataObject | undefined => {
		const found = node();
		if (found.status === 'rejected') return undefined;
		const row = settleNow(() => found.value.itemMatching(item));
		return row.status === 'fulfilled' ? row.value?.json : undefined;
	};
}

/** Creates a function that returns the value of a column, for an item, in the row that an expression reads. */
function createColumnReader(context: IExecuteFunctions, read: NodeRead, column: string) {
	const items = context.getInputData();
	if (read.isInput && !read.isByPosition && !read.isWhole)
		return (item: number): unknown => items[item]?.json[column];
	const isPairedRow = read.isRow && /\.\s*item\b(?!\s*\()/.test(read.text);
	if (isPairedRow) {
		const rowFor = createPairedRows(context, read.name);
		return (item: number): unknown => rowFor(item)?.[column];
	}
	const row = read.text.slice(0, read.text.length - (read.column ?? '').length);
	const valueFor = (item: number) => evaluate(context, `${row}?.[${JSON.stringify(column)}]`, item);
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
 * Creates a function that says whether the row that an expression reads is the item's recipient's (true), or another
 * one's (false): the node has a row with the item's recipient in the column that the recipient is read from, and the row
 * that is read has another number there. Undefined means that the rows don't show it.
 */
function createRecipientCheck(context: IExecuteFunctions, read: NodeRead, recipient?: string) {
	const [source, other] = recipient === undefined ? [] : findReads(context, recipient);
	const column = source && !other ? columnOf(source) : undefined;
	if (source === undefined || column === undefined) return () => undefined;
	const known = once(() => {
		const all = evaluate(
			context,
			`${rowsOf(read.name)}.map((row) => row.json?.[${JSON.stringify(column)}])`,
		);
		return new Set(Array.isArray(all) ? all.map(endOf) : []);
	});
	const recipientFor = createColumnReader(context, source, column);
	const valueFor = createColumnReader(context, read, column);
	return (item: number): boolean | undefined => {
		const own = endOf(recipientFor(item));
		if (own === '' || !known().has(own)) return undefined;
		const value = valueFor(item);
		return value === undefined ? undefined : endOf(value) === own;
	};
}

/**
 * Whether a row that an expression reads belongs to another item. For example, the row is Ana's, and the item is Ben's:
 *
 * - `recipient`, the expression of a text's recipient, reads a number that is in another of the node's rows.
 * - An item has a column with this name itself, with a value from another of the node's rows. In a text, this only
 *   counts for a row that is chosen by its position, because a node on the way can change a column, e.g. a status.
 * - The row is chosen by its position, and n8n pairs the item with another row. If Execute Once has made n8n pair all
 *   items with the first row, the pairing doesn't count.
 *
 * If other rows were looked up for each item, e.g. the rows of managers, they don't show whose row n8n pairs with it.
 */
export function isOfAnother(
	context: IExecuteFunctions,
	code: string,
	read: NodeRead,
	{ isText = false, recipient }: { isText?: boolean; recipient?: string } = {},
): boolean {
	const isReadToo = ({ isByPosition, column, text }: NodeRead) =>
		!isByPosition && column === read.column && text !== read.text;
	// In "Hi {{ $json.name }}, {{ $('Ranking').first().json.name }} won", the other name is meant.
	if (findSources(context, code).some(isReadToo)) return false;
	const isLookedUp = !read.isByPosition && isLookedUpAfter(context, read.name);
	const showsRow = read.isByPosition || !(isText || isLookedUp);
	const name = (showsRow && columnOf(read)) || '';
	const values = valuesIn(context, read, allRowsOf(read));
	const isPaired = createPairing(context, read);
	const countsPairing = read.isByPosition && findCutAfter(context, read.name) === undefined;
	const valueFor = createColumnReader(context, read, name);
	const isOfRecipient = createRecipientCheck(context, read, isLookedUp ? undefined : recipient);
	return context.getInputData().some(({ json }, item) => {
		const known = isOfRecipient(item);
		if (known !== undefined) return !known;
		if (countsPairing && isPaired(item) === false) return true;
		const own = JSON.stringify(json[name]);
		return own !== undefined && values.has(own) && own !== JSON.stringify(valueFor(item));
	});
}

/** Whether n8n pairs all items with rows that have the same value in the column that an expression reads. */
export function isSameForAll(context: IExecuteFunctions, read: NodeRead): boolean {
	const column = columnOf(read);
	if (column === undefined) return false;
	const valueFor = createColumnReader(context, read, column);
	const values = context.getInputData().map((_, item) => JSON.stringify(valueFor(item)));
	return new Set(values).size < 2;
}

/** Whether the items are only some of a node's rows, because a node between them left out the others. */
export function areRowsLeftOut(context: IExecuteFunctions, { name }: NodeRead): boolean {
	const items = context.getInputData();
	if (items.length < 2 || items.length >= countRows(context, name)) return false;
	const rowFor = createPairedRows(context, name);
	const rows = items.map((_, item) => rowFor(item));
	return (
		!rows.includes(undefined) &&
		new Set(rows.map((row) => JSON.stringify(row))).size === items.length
	);
}
