import type { IExecuteFunctions } from 'n8n-workflow';
import { InputError } from '../api/errors';
import { fieldsIn, inCollection, isExpression } from '../fields/requiredCheck';
import type { Field } from '../fields/field';
import type { Operation } from '../fields/operation';
import { once } from '../lib/async';
import { joinSentences } from '../lib/text';
import { hostOf } from '../n8n/host';
import { type N8nData, nodeInWorkflow } from '../n8n/connections';
import { findMispairedAgent, isBeforeRoundOfOne, startOfRound } from '../n8n/itemPath';
import {
	countInputRows,
	countRowsBefore,
	findCutAfter,
	inputOf,
	rowsOf as rowsOfRun,
	runsOf,
} from '../n8n/runData';
import { describeMeant, findListColumn, findMissingColumn } from './columnReads';
import {
	createOthersCheck,
	evaluate,
	findReads,
	findSources,
	nodeCode,
	type NodeRead,
	readsItem,
} from './nodeReads';
import {
	areRowsLeftOut,
	countRows,
	createPairing,
	findPairedRows,
	findRowsByPosition,
	hasSeveral,
	isMoving,
	isOfAnother,
	isSameForAll,
	optionalPath,
	rowsOf,
	valuesIn,
} from './rowsByPosition';

/*
 * This file finds mistakes in the expressions of a message and its recipients. The values alone don't show these
 * mistakes: everybody gets the text of the first person, the first person gets everybody's text, people get what a
 * node returned for somebody else, or the texts have gaps.
 */

const ofRun = (message: string, remedy: string): InputError =>
	new InputError(message, remedy, 'invalid_input', { isOfRun: true });

/**
 * Whether an expression reads each item's own row although Execute Once leaves only the first of several items, and the
 * rows have different values.
 */
function readsCutInput(context: IExecuteFunctions, code: string): boolean {
	const rows = countInputRows(context as N8nData, inputOf(context));
	if (context.getNode().executeOnce !== true || rows < 2) return false;
	const isOfItem = ({ name, isInput, isWhole, isRow, isByPosition }: NodeRead) =>
		!isWhole && !isByPosition && (isInput || (isRow && !isBeforeRoundOfOne(context, name)));
	return findSources(context, code)
		.filter(isOfItem)
		.some((read) => valuesIn(context, read, rowsOf(read.name)).size > 1);
}

const recipientFields = ['recipient', 'recipients', 'contact'];

/** Whether people see a field's value. The file of an MMS can be a person's own, e.g. an invoice. */
const isSeen = ({ property, isMessageText }: Field): boolean =>
	isMessageText === true || property.name === 'contentUrl';

const keyFields = ['deduplicationKey', 'campaignName'];

const anothersData = "people would get a text with another person's data";

/** Returns the expressions in a field's stored value, also if the field is a resource locator or has several values. */
function codesIn(stored: unknown): string[] {
	if (typeof stored === 'string') return isExpression(stored) ? [stored] : [];
	return typeof stored === 'object' && stored !== null
		? Object.values(stored).flatMap(codesIn)
		: [];
}

/** Matches code that picks some of a table's rows. */
const picksRows = /\.(?:filter|flatMap|reduce)\(|\?(?![.?])|&&/;

/**
 * Creates a check of the expressions in a node that sends messages or changes contacts.
 *
 * @returns a function that throws InputError if there is a mistake. If a message's expression reads only the first or
 * the last row, there is just a hint, because that row can be a template, unless it's clearly another person's row.
 */
export function createExpressionCheck(
	context: IExecuteFunctions,
	{ sends, batch, asks, fields }: Operation,
): () => void {
	if (!fields.some(({ property }) => recipientFields.includes(property.name))) {
		return () => undefined;
	}
	const readRows = once(() => context.getInputData().map(({ json }) => json));
	const { isTool } = hostOf(context);
	const { parameters } = context.getNode();
	const { blockedRecipients } = inCollection(parameters.limits);
	const readsIn = (stored: unknown): NodeRead[] =>
		isExpression(stored) ? findSources(context, String(stored)) : [];
	const blockLists = readsIn(blockedRecipients).filter(
		({ isInput, isWhole }) => !isInput && isWhole,
	);
	const readsOfPeople = [
		...recipientFields.map((name) => parameters[name]),
		blockedRecipients,
	].flatMap(readsIn);
	const isOfOthers = createOthersCheck(context);
	const findAgent = once(() => findMispairedAgent(context));
	/** Whether the recipients depend on the items, so that each message should have its item's data, too. */
	const isEachOwn = [...recipientFields, 'listId'].some((name) =>
		codesIn(parameters[name]).some(readsItem),
	);

	/** Whether the node, or the agent that uses it, has run before in a loop. */
	const isLaterRound = (): boolean => {
		const name = nodeInWorkflow(context);
		const before = context.getParentNodes(name, { depth: 1 });
		const after = context.getChildNodes(name).map((node) => node.name);
		return runsOf(context, name).length > 0 && before.some((node) => after.includes(node.name));
	};
	/** Whether a node is in the loop, and has run since the last round, so that its rows belong to this round. */
	const hasRunInRound = (name: string): boolean => {
		const runs = runsOf(context, name);
		return runs.length > 1 && runs.at(-1)!.startTime >= startOfRound(context);
	};
	/**
	 * Whether a node's rows are people to skip. If Blocked Recipients picks some of the rows, the others are recipients,
	 * unless the recipient's column comes from an earlier node with fewer rows, such as a form.
	 */
	const isBlockList = ({ name, column = '' }: NodeRead): boolean => {
		if (!blockLists.some((list) => list.name === name)) return false;
		const countAll = (node: string) => rowsOfRun(runsOf(context, node).at(-1)).length;
		const earlier = context
			.getParentNodes(name)
			.map((node) => node.name)
			.filter((node) => countAll(node) < countAll(name));
		const hasColumn = (node: string) =>
			evaluate(context, `$(${JSON.stringify(node)}).first().json${optionalPath(column)}`) !==
			undefined;
		return !picksRows.test(String(blockedRecipients)) || earlier.some(hasColumn);
	};

	const checkColumns = (
		displayName: string,
		code: string,
		[consequence, otherwise]: [consequence: string, otherwise: string],
	): void => {
		const missing = findMissingColumn(code, readRows());
		if (!missing) return;
		const { name, meant, columns } = missing;
		throw ofRun(
			`'${displayName}' reads the column '${name}', which no item has, so ${consequence}`,
			joinSentences(describeMeant(meant, columns), otherwise),
		);
	};
	const checkExecuteOnce = (displayName: string, code: string): void => {
		if (!readsCutInput(context, code)) return;
		throw ofRun(
			`'${displayName}' reads only the first of several items, because Execute Once is on`,
			"Turn off 'Settings > Execute Once'. If there is only one message, read its values by the name of their node, e.g. {{ $('Form').first().json.phone }}",
		);
	};
	/** Refuses an expression that reads rows that a node returned for other items, or rows that n8n pairs wrongly. */
	const checkPath = (displayName: string, code: string): void => {
		const agent = isTool ? undefined : findAgent();
		const before = agent === undefined ? [] : context.getParentNodes(agent);
		const isMispaired = (read: NodeRead) =>
			read.isRow &&
			before.some(({ name }) => name === read.name) &&
			// A row that is chosen by its position doesn't depend on the pairing.
			(!read.isByPosition || hasSeveral(context, read));
		const reads = findReads(context, code);
		const mispaired = reads.find(isMispaired);
		if (mispaired) {
			throw ofRun(
				`'${displayName}' reads a row from ${mispaired.name}, but n8n pairs the items of ${agent} with the wrong rows, because the agent has called tools and isn't connected to the first output of the node before it`,
				`Add a 'No Operation' node directly before ${agent}`,
			);
		}
		const other = reads.find((read) => isOfOthers(code, read));
		if (!other) return;
		throw ofRun(
			`'${displayName}' reads ${other.name}, which ran for other items, but not for these`,
			`isExecuted doesn't tell for which items a node ran, e.g. in an earlier round of a loop or in another branch. Add an 'Edit Fields' node to each branch that sets the same column, and read that column here`,
		);
	};
	const describePosition = (read: NodeRead): string =>
		isMoving(read)
			? `reads the rows from ${read.name} by their position`
			: `reads only one of several rows from ${read.name}`;
	/**
	 * Refuses an expression that chooses one of several rows by its position, unless it's the item's own row. Senders can
	 * take turns.
	 */
	const checkPosition = (
		displayName: string,
		code: string,
		[consequence, remedy]: [consequence: string, remedy?: string],
		{ takesTurns = false } = {},
	): void => {
		const hasSeveralItems = !isTool && readRows().length > 1;
		const isMeant = (read: NodeRead) => {
			const isForSeveral = hasSeveralItems || (isLaterRound() && !hasRunInRound(read.name));
			// n8n doesn't reliably pair the items of a tool.
			if (isTool) return !isForSeveral;
			// In $('Reps').all()[$itemIndex % 3], recipients take turns, too.
			const isTurn = isMoving(read) && (takesTurns || read.text.includes('%'));
			if (isTurn && findCutAfter(context, read.name) !== undefined) return true;
			const isPaired = createPairing(context, read);
			// If n8n doesn't know the items' rows, but there are as many, they are probably in the same order.
			const isInOrder = isMoving(read) && countRows(context, read.name) === readRows().length;
			const isMeantIfUnpaired = isTurn || isInOrder || !isForSeveral;
			if (!readRows().every((_, item) => isPaired(item) ?? isMeantIfUnpaired)) return false;
			return isTurn || takesTurns || !isOfAnother(context, code, read);
		};
		const other = findRowsByPosition(context, code).find((read) => !isMeant(read));
		if (!other) return;
		const column = other.column ?? '';
		const instead =
			remedy ??
			(isTool
				? `Use $json to read the agent's current item, e.g. {{ $json${column} }}`
				: `Use .item to read each item's own row, e.g. {{ ${nodeCode(other.name)}.item.json${column} }}`);
		throw ofRun(
			`'${displayName}' ${describePosition(other)}, so ${consequence}`,
			`${instead}. If one row is meant for all of them, add a Limit node after ${other.name}, and read the Limit node instead`,
		);
	};
	/**
	 * Finds the node for whose rows the current node runs, although an expression reads the rows of a node before it: a
	 * list of opt-outs, or a node with Execute Once.
	 */
	const findInsteadOf = (read: NodeRead): string | undefined => {
		if (isTool || isBeforeRoundOfOne(context, read.name)) return undefined;
		if (!hasSeveral(context, read)) return undefined;
		const isAfter = (name: string) =>
			context.getParentNodes(name).some((each) => each.name === read.name);
		const names = blockLists.map(({ name }) => name).filter(isAfter);
		const listAfterSeveral = names.find((name) => countRowsBefore(context, name) > 1);
		if (read.isByPosition) return listAfterSeveral;
		const previous = inputOf(context)?.previousNode;
		if (readRows().length > 1 && names.some((name) => name === previous)) return previous;
		if (!isSameForAll(context, read)) return undefined;
		return listAfterSeveral ?? findCutAfter(context, read.name);
	};
	/** Refuses a recipient that is read from several rows if only one of them is ever read. */
	const checkEachRow = (code: string): void => {
		const reads = findSources(context, code).filter(({ isRow, isInput }) => isRow && !isInput);
		for (const read of reads) {
			const other = findInsteadOf(read);
			if (other === undefined) continue;
			const { name, column = '' } = read;
			const isList = blockLists.some((list) => list.name === other);
			const instead = isList
				? `Connect ${name} after ${other}, turn on 'Settings > Execute Once' in ${name}, and read {{ $json${column} }} here. If ${name} is a trigger, add Loop Over Items (Batch Size 1) after it, and read {{ $('Loop Over Items').item.json${column} }}`
				: `Turn off 'Settings > Execute Once' in ${other}`;
			throw ofRun(
				`This node runs once for each row of ${other}, and not for each row of ${name}`,
				`${instead}. If only one row is meant, add a Limit node after ${name}, and read the Limit node`,
			);
		}
	};
	/** Refuses an expression if n8n pairs the items with other people's rows, e.g. after a Code node. */
	const checkPaired = (
		displayName: string,
		code: string,
		consequence: string,
		text?: Parameters<typeof isOfAnother>[3],
	): void => {
		if (isTool) return;
		const isWrong = (read: NodeRead) => isOfAnother(context, code, read, text);
		const read = findPairedRows(context, code).find(isWrong);
		if (!read) return;
		throw ofRun(
			`'${displayName}' reads a row of ${read.name} that belongs to another item, so ${consequence}`,
			`n8n pairs the items with these rows, e.g. after a Code node that leaves out or reorders rows. Keep the columns that you need in the items, and read them with $json, e.g. {{ $json${read.column ?? ''} }}. If the other row is meant, rename the items' own columns with an Edit Fields node, also the one that 'Recipient' reads`,
		);
	};
	const checkRecipient = (displayName: string, code: string): void => {
		if (!isTool)
			checkColumns(displayName, code, [
				sends ? 'nobody would get the message' : 'no contact would be found',
				'',
			]);
		checkExecuteOnce(displayName, code);
		checkPath(displayName, code);
		const optOuts = findSources(context, code).find(isBlockList);
		if (optOuts) {
			throw ofRun(
				`'${displayName}' reads ${optOuts.name}, which returns the people to skip`,
				"Use the column of the person's own row, e.g. {{ $json.phone }}, or, if a form or an event started the workflow, {{ $('Form').first().json.phone }}",
			);
		}
		const isOfMore = (read: NodeRead) =>
			read.isWhole && !read.isInput && areRowsLeftOut(context, read);
		const more = batch && !isTool && findSources(context, code).find(isOfMore);
		if (more) {
			throw ofRun(
				`'${displayName}' reads all rows of ${more.name}, also those that a node after it left out`,
				"Read the number of each item, e.g. {{ $json.phone }}. If all rows are meant, turn on 'Settings > Execute Once' in this node",
			);
		}
		checkEachRow(code);
		const consequence = sends
			? 'messages would go to the wrong person'
			: 'it would be the wrong contact';
		checkPaired(displayName, code, consequence);
		checkPosition(displayName, code, [consequence]);
	};
	const checkMessage = (displayName: string, code: string): void => {
		checkColumns(displayName, code, [
			'the text would have a gap',
			"If a value can be missing, use a default, e.g. {{ $json.name || 'there' }}",
		]);
		const list = findListColumn(code, readRows(), batch && String(parameters.recipients));
		if (list) {
			throw ofRun(
				`'${displayName}' reads the column '${list}', which is a list with the values of all recipients, and all of them get the same text`,
				batch
					? "To send each person's own values, remove the node that collects the rows, e.g. Aggregate, and use 'SMS > Send'"
					: 'Remove the node that collects the rows, e.g. Aggregate, or also split this column, e.g. in Split Out',
			);
		}
		// An alert about the first of several items is fine, but not a text with the data of the people in these items.
		const isAboutPeople = readsOfPeople.some(({ name }) => name === inputOf(context)?.previousNode);
		if (isAboutPeople) checkExecuteOnce(displayName, code);
		checkPath(displayName, code);
		const text = { isText: true, recipient: codesIn(parameters.recipient)[0] };
		if (isEachOwn || asks) checkPaired(displayName, code, anothersData, text);
		const rows = findRowsByPosition(context, code);
		const ofAnother = rows.find((read) => isOfAnother(context, code, read, text));
		const row = ofAnother ?? rows.find((read) => !isMoving(read));
		if (!row) return;
		const problem = `'${displayName}' ${describePosition(row)}`;
		const instead =
			"To use each item's own row, read it with .item, e.g. {{ $('Rows').item.json.name }}";
		// A person who answers a question must get the item's own text, even if the recipient is always the same person.
		if ((isEachOwn || asks) && ofAnother) {
			throw ofRun(
				`${problem}, so ${anothersData}`,
				`${instead}. If everybody should get that row's value, add a Limit node after ${row.name}, and read the Limit node instead`,
			);
		}
		// Bulk SMS has one text for all recipients.
		if (readRows().length < 2 || batch) return;
		context.addExecutionHints({
			message: `${problem}, so all messages have the values of that row. ${instead}`,
			location: 'outputPane',
		});
	};
	const options = inCollection(parameters.options);
	return once(() => {
		for (const each of fields) {
			const { property } = each;
			for (const code of codesIn(parameters[property.name])) {
				if (isSeen(each) && !isTool) checkMessage(property.displayName, code);
				if (recipientFields.includes(property.name)) checkRecipient(property.displayName, code);
				if (property.name === 'sender') {
					checkPath(property.displayName, code);
					const consequence = 'messages would have the wrong sender';
					checkPosition(property.displayName, code, [consequence], { takesTurns: true });
				}
				if (property.name === 'listId') {
					checkPath(property.displayName, code);
					checkPosition(property.displayName, code, ['it would be the wrong list']);
				}
			}
		}
		for (const { property, isMessageText } of fieldsIn(fields, 'options')) {
			const name = `Options > ${property.displayName}`;
			for (const code of codesIn(options[property.name])) {
				if (isMessageText && !isTool) checkMessage(name, code);
				if (keyFields.includes(property.name)) {
					checkExecuteOnce(name, code);
					checkPath(name, code);
					checkPosition(name, code, ['the wrong messages would be skipped']);
				}
			}
		}
		for (const code of blockLists.length > 0 ? codesIn(blockedRecipients) : []) {
			checkPosition('Sending Limits > Blocked Recipients', code, [
				'messages would have the wrong list',
				"In a loop, read the row of the loop, e.g. $('Loop Over Items').first().json.client",
			]);
		}
	});
}
