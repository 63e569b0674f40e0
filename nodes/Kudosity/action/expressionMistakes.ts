import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { InputError } from '../api/errors';
import { isExpression } from '../fields/requiredCheck';
import type { Operation } from '../fields/operation';
import { once, settleNow } from '../lib/async';
import { normalizeWords } from '../lib/text';
import { hostOf } from '../n8n/host';
import { inputOf, runsOf } from '../n8n/runData';
import { findSources, type NodeRead, readsItem } from './nodeReads';

/*
 * This file finds mistakes in the expressions of a message and its recipients. The values alone don't show these
 * mistakes: everybody gets the text of the first person, the first person gets everybody's text, or the texts have gaps.
 */

const ofRun = (message: string, remedy: string): InputError =>
	new InputError(message, remedy, 'invalid_input', { isOfRun: true });

/** Returns the path of a column with `?.` at each step, so that rows without the column can be compared, too. */
function optionalPath(column: string): string {
	return column.replace(
		/(?:\?\.)?(\[[^\]]*\])|\??\.(\w+)/g,
		(_, quoted: string | undefined, name: string) => `?.${quoted ?? name}`,
	);
}

/**
 * Returns the node from which an expression reads only one of several rows that have different values. Compares only the
 * rows of the node's first output, because that is the output that the expression reads. Nodes for which `isLeftOut`
 * returns true aren't compared.
 */
function findFixedRow(
	context: IExecuteFunctions,
	code: string,
	isLeftOut: (node: string) => boolean = () => false,
): string | undefined {
	const differs = ({ isInput, name, column = '' }: NodeRead): boolean => {
		const rows = isInput ? '$input.all()' : `$(${JSON.stringify(name)}).all()`;
		const values = `${rows}.map((row) => JSON.stringify(row.json${optionalPath(column)}))`;
		const count = settleNow(() => context.evaluateExpression(`{{ new Set(${values}).size }}`, 0));
		return count.status === 'fulfilled' && Number(count.value) > 1;
	};
	const isFixed = (read: NodeRead) => read.isFixedRow && !isLeftOut(read.name) && differs(read);
	return findSources(context, code).find(isFixed)?.name;
}

/** Matches `$json.column` and `$json['column']`. Captures the name of the column. */
const itemColumn =
	'\\$json\\??(?:\\.([\\p{L}_$][\\p{L}\\p{N}_$]*)|\\[\\s*([\'"])([^\'"]+)\\2\\s*\\])';
const anyColumnRead = new RegExp(itemColumn, 'gu');
/** Matches `{{ $json.column }}` without a default. */
const columnRead = new RegExp(`\\{\\{\\s*${itemColumn}[^{}|?(&]*\\}\\}`, 'gu');

/** Matches where an expression reads another node. */
const otherNode = /\$(?:\(|(?:input|items|node)\b)/;

/**
 * Finds a column that a text refers to but no item has, and the column that was probably meant. Some nodes leave out
 * columns without a value. So a column that isn't a likely misspelling only counts as missing if there are several
 * items, and none of them has any of the text's columns.
 */
function findMissingColumn(code: string, rows: IDataObject[]) {
	const namesIn = (pattern: RegExp) =>
		[...code.matchAll(pattern)].map(([, name, , quoted]) => (name ?? quoted)!);
	const read = namesIn(columnRead);
	if (read.length === 0) return undefined;
	const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const missing = read
		.filter((name) => !columns.includes(name))
		.map((name) => {
			const meant = columns.find((each) => normalizeWords(each) === normalizeWords(name));
			return { name, meant, columns };
		});
	const all = namesIn(anyColumnRead);
	const areAllMissing =
		rows.length > 1 && !otherNode.test(code) && all.every((name) => !columns.includes(name));
	// If the expression contains both spellings, its items come from two nodes that spell the column differently, so
	// neither spelling is a mistake.
	const isSpelledWrong = (meant?: string) => meant !== undefined && !all.includes(meant);
	return missing.find(({ meant }) => areAllMissing || isSpelledWrong(meant));
}

const recipientFields = ['recipient', 'recipients'];

/**
 * Creates a check of the expressions in a node that sends.
 *
 * @returns a function that throws InputError if there is a mistake. If a message's expression reads only the first or
 * the last row, there is just a hint, because that row can be a template.
 */
export function createExpressionCheck(
	context: IExecuteFunctions,
	{ sends, batch, fields }: Operation,
): () => void {
	const readRows = once(() => context.getInputData().map(({ json }) => json));
	const { isTool } = hostOf(context);
	const { name: own } = context.getNode();

	/** Whether the node runs in a later round of a loop: the node before it comes after it, too, and has run before. */
	const isLaterRound = (): boolean => {
		const { previousNode = '', previousNodeRun = 0 } = inputOf(context) ?? {};
		const isInLoop = () => context.getChildNodes(own).some(({ name }) => name === previousNode);
		// No node comes after a tool, but its agent runs again only in a loop.
		return previousNodeRun > 0 && (isTool || isInLoop());
	};
	const lastStartOf = (name: string): number => runsOf(context, name).at(-1)?.startTime ?? 0;
	/** Whether a node is in the loop, and has run since this node's last run, so that its rows belong to this round. */
	const hasRunInRound = (name: string): boolean =>
		runsOf(context, name).length > 1 && lastStartOf(name) >= lastStartOf(own);

	const checkRecipient = (displayName: string, code: string): void => {
		const hasSeveral = !isTool && readRows().length > 1;
		if (readsItem(code) || !(hasSeveral || isLaterRound())) return;
		const node = findFixedRow(context, code, hasSeveral ? undefined : hasRunInRound);
		if (node === undefined) return;
		const instead = isTool
			? "Use $json to read the agent's current item, e.g. {{ $json.phone }}"
			: "Use .item to read each item's own row, e.g. {{ $('Rows').item.json.phone }}";
		throw ofRun(
			`'${displayName}' reads only one of several rows from ${node}, so all messages would go to one person`,
			`${instead}. If one person should get all messages, let the node return only one row`,
		);
	};
	const checkMessage = (displayName: string, code: string): void => {
		const rows = readRows();
		const missing = findMissingColumn(code, rows);
		if (missing) {
			const { name, meant, columns } = missing;
			const remedy =
				meant === undefined
					? `The items have these columns: ${columns.join(', ') || 'none'}`
					: `Use '${meant}'`;
			throw ofRun(
				`'${displayName}' reads the column '${name}', which no item has, so the text would have a gap`,
				`${remedy}. If a value can be missing, use a default, e.g. {{ $json.name || 'there' }}`,
			);
		}
		// Bulk SMS has one text for all recipients.
		const node = rows.length > 1 && !batch ? findFixedRow(context, code) : undefined;
		if (node === undefined) return;
		context.addExecutionHints({
			message: `'${displayName}' reads only one of several rows from ${node}, so all messages have the values of that row. To use each item's own row, read it with .item, e.g. {{ $('Rows').item.json.name }}`,
			location: 'outputPane',
		});
	};
	return once(() => {
		if (!sends) return;
		const { parameters } = context.getNode();
		for (const { property, isMessageText } of fields) {
			const code = parameters[property.name];
			if (typeof code !== 'string' || !isExpression(code)) continue;
			if (isMessageText && !isTool) checkMessage(property.displayName, code);
			if (recipientFields.includes(property.name)) checkRecipient(property.displayName, code);
		}
	});
}
