import type { IExecuteFunctions } from 'n8n-workflow';
import { once } from '../lib/async';
import { isCutAfter } from '../n8n/runData';
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

/** Finds where an expression chooses one of several rows by its position, and the rows have different values. */
export function findRowsByPosition(context: IExecuteFunctions, code: string): NodeRead[] {
	return findReads(context, code).filter(
		(read) => read.isByPosition && valuesIn(context, read, allRowsOf(read)).size > 1,
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

/**
 * Whether a row that an expression reads belongs to another item: n8n pairs an item with another row, or an item has a
 * column with this name itself, with a value from another of the node's rows. For example, the row is Ana's, and the
 * item is Ben's. If Execute Once has made n8n pair all items with the first row, the pairing doesn't count.
 */
export function isOfAnother(context: IExecuteFunctions, code: string, read: NodeRead): boolean {
	const isReadToo = ({ isByPosition, column }: NodeRead) => !isByPosition && column === read.column;
	// In "Hi {{ $json.name }}, {{ $('Ranking').first().json.name }} won", the other name is meant.
	if (findSources(context, code).some(isReadToo)) return false;
	const [, plain, , quoted] = singleColumn.exec(read.column ?? '') ?? [];
	const name = plain ?? quoted;
	const values = valuesIn(context, read, allRowsOf(read));
	const isPaired = createPairing(context, read);
	const isCut = isCutAfter(context, read.name);
	const valueFor = createReader(context, read);
	return context.getInputData().some(({ json }, item) => {
		if (!isCut && isPaired(item) === false) return true;
		const own = name === undefined ? undefined : JSON.stringify(json[name]);
		return own !== undefined && values.has(own) && own !== valueFor(item);
	});
}
