import type { IExecuteFunctions } from 'n8n-workflow';
import { isExpression } from '../fields/requiredCheck';
import { settleNow } from '../lib/async';
import { hostOf } from '../n8n/host';
import { createPathCheck } from '../n8n/itemPath';
import { inputOf } from '../n8n/runData';

/** Returns the code that reads a node, as users write it: `$('Node')`. */
export function nodeCode(name: string): string {
	return `$('${name.replace(/['\\]/g, '\\$&')}')`;
}

/** Evaluates code for an item. Returns undefined if it fails. */
export function evaluate(context: IExecuteFunctions, code: string, item = 0): unknown {
	const result = settleNow(() => context.evaluateExpression(`{{ ${code} }}`, item));
	return result.status === 'fulfilled' ? result.value : undefined;
}

/**
 * Matches the parts of an expression that have the same value for all items, e.g. `$('Node').all()` or `$now`. Anything
 * else that begins with `$` may depend on the item.
 */
const sameForAll =
	/\$(?:\(\s*(['"`])(?:\\.|(?!\1|\\).)*\1\s*\)\s*\??\.\s*(?:all|first|last|params|isExecuted)\b|input\s*\??\.\s*(?:all|first|last|params)\b|(?:items|now|today|vars|secrets|env|workflow|execution|prevNode|runIndex|if|ifEmpty|max|min|jmespath)\b)/gi;

/** Whether a field's value can differ between the items of a run. */
export function readsItem(stored: unknown): boolean {
	if (typeof stored !== 'string') return isExpression(stored);
	return isExpression(stored) && /\$[a-z_(]/i.test(stored.replace(sameForAll, ''));
}

/** Matches the column that is read from a row, without methods such as `.trim()`. */
const column = /(?:\??\.\w+\b(?!\s*\()|(?:\?\.)?\[[^\]]*\])+/.source;

/** Captures which of all rows is read, e.g. `[0]`, `[$itemIndex]` or `.first()`, and the column that is read from it. */
const row =
	/((?:\?\.)?\[\s*(?:\d+|\$(?:item|run)Index\b[^\]'"]*)\s*\]|\.(?:first|last|at)\([^()]*\))?/
		.source + `(?:\\s*\\??\\.\\s*json(${column}))?`;

/**
 * Matches where an expression reads a node by its name. Captures the name, the method that is called on the node, and
 * what `row` captures.
 */
const nodeRead = new RegExp(
	/\$(items)?\(\s*(['"`])((?:\\.|(?!\2|\\).)*)\2[^)]*\)(?:\s*\??\.\s*(\w+)(?:\([^)]*\))?)?/.source +
		row,
	'g',
);

/**
 * Matches where an expression reads the data of `$node["Node"]`, also for a fixed item. Captures the name in both
 * notations, and the column.
 */
const oldNodeRead = new RegExp(
	/(?:\$item\([^()]*\)\s*\.\s*)?\$node(?:\.(\w+)|\[\s*(['"`])((?:\\.|(?!\2|\\).)*)\2\s*\])\s*\.\s*(?:json|data)\b/
		.source + `(${column})?`,
	'g',
);

/**
 * Matches where an expression reads the previous node without its name. Captures the column after `$json`, the method,
 * and what `row` captures.
 */
const inputRead = new RegExp(
	`\\$(?:json(${column})?|(?:items\\(\\s*\\)|input\\s*\\??\\.\\s*(\\w+)(?:\\([^)]*\\))?)${row})`,
	'g',
);

export type NodeRead = {
	name: string;
	isWhole: boolean;
	isRow: boolean;
	/** Whether the row is chosen by its position, e.g. the first one, and not by n8n's pairing of the item with it. */
	isByPosition: boolean;
	/** Whether the node is read as the input of the current node, without its name. */
	isInput: boolean;
	column?: string;
	/** The part of the expression that reads the node. */
	text: string;
};

const fixedRowMethods = ['first', 'last'];
const rowMethods = [...fixedRowMethods, 'item', 'itemMatching', 'pairedItem'];

/** Finds where an expression reads nodes. */
export function findReads(context: IExecuteFunctions, code: string): NodeRead[] {
	const named = [...code.matchAll(nodeRead)].map(
		([text, items, , name = '', method = '', index, column]): NodeRead => ({
			name: name.replace(/\\(.)/g, '$1'),
			isWhole: index === undefined && (items !== undefined || method === 'all'),
			isRow: index !== undefined || rowMethods.includes(method),
			isByPosition:
				index !== undefined ||
				fixedRowMethods.includes(method) ||
				/\.\s*itemMatching\(\s*\d/.test(text),
			isInput: false,
			column,
			text,
		}),
	);
	const old = [...code.matchAll(oldNodeRead)].map(
		([text, word, , quoted = '', column]): NodeRead => ({
			name: word ?? quoted.replace(/\\(.)/g, '$1'),
			isWhole: false,
			isRow: true,
			isByPosition: true,
			isInput: false,
			column,
			text,
		}),
	);
	const before = inputOf(context)?.previousNode;
	const unnamed = [...code.matchAll(inputRead)].map(
		([text, ofJson, method = '', index, column]): NodeRead => ({
			name: before || '',
			isWhole: index === undefined && (text.startsWith('$items') || method === 'all'),
			isRow: false,
			isByPosition: index !== undefined || fixedRowMethods.includes(method),
			isInput: true,
			column: ofJson ?? column,
			text,
		}),
	);
	return [...named, ...old, ...unnamed];
}

/**
 * Finds the nodes that an expression reads. If it reads all rows of some nodes, only those nodes are returned, because
 * the list comes from them.
 */
export function findSources(context: IExecuteFunctions, code: string): NodeRead[] {
	const all = findReads(context, code);
	const whole = all.filter(({ isWhole }) => isWhole);
	return whole.length > 0 ? whole : all;
}

/** Whether a field's value depends on what a part of its expression reads, for any item. */
function isUsed(context: IExecuteFunctions, code: string, { text, isWhole }: NodeRead): boolean {
	const ofRead = new RegExp(`${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w$])`, 'g');
	const without = code.replace(ofRead, isWhole ? '([])' : '(undefined)');
	const valueOf = (each: string, item: number) => {
		const result = settleNow(() => context.evaluateExpression(each.slice(1), item));
		return result.status === 'fulfilled' ? JSON.stringify(result.value) : undefined;
	};
	const items = context.getInputData().slice(0, readsItem(code) ? undefined : 1);
	return items.some((_, item) => valueOf(code, item) !== valueOf(without, item));
}

/**
 * Creates a check whether an expression uses rows that a node returned for other items. The check doesn't cover an
 * agent's tools, because n8n doesn't tell which items they are for, and rows that n8n pairs with each item.
 */
export function createOthersCheck(context: IExecuteFunctions) {
	const { isTool } = hostOf(context);
	const isOffPath = createPathCheck(context);
	return (code: string, read: NodeRead): boolean => {
		const isOfLastRun = !read.isInput && (read.isByPosition || read.isWhole);
		return !isTool && isOfLastRun && isOffPath(read.name) && isUsed(context, code, read);
	};
}
