import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { InputError } from '../api/errors';
import { allRows, type ListOrigin } from '../fields/blockedRecipients';
import { refuse } from '../fields/field';
import { isText } from '../fields/readers';
import { isExpression } from '../fields/requiredCheck';
import { lruMap, once, settleNow } from '../lib/async';
import { hourMs } from '../lib/time';
import { hostOf } from '../n8n/host';
import { findNodeForEachRow, findOrigins, isBefore, type N8nData } from '../n8n/connections';
import { findRun, type Run } from '../n8n/lastRun';
import { countInputRows, inputOf, isLoopRepeated } from '../n8n/runData';
import { createOthersCheck, findSources, nodeCode, type NodeRead, readsItem } from './nodeReads';

/**
 * The runs of nodes whose rows were refused as incomplete, each by its workflow, node and start. If a failed execution
 * is retried, n8n reuses the rows but shows the node's current settings, which the user may have corrected meanwhile.
 */
const incompleteRuns = lruMap<true>(1_000);

type Source = NodeRead & { run: () => Run };

/** Returns the column that the expression reads, or the whole row, as text to compare. */
function valueIn(json: IDataObject, { column = '' }: NodeRead): string {
	const name = /^\.(\w+)$/.exec(column)?.[1];
	return JSON.stringify(name === undefined ? json : json[name]);
}

/**
 * Reads the list of Blocked Recipients, and refuses expressions that aren't reliable, e.g. because they read only one
 * row. These mistakes are easy to make, and the harm is grave: a message after an opt-out. If n8n doesn't provide its
 * data about other nodes' runs, the list counts as up to date.
 */
export function createListSource(
	context: IExecuteFunctions,
	stored: unknown,
	evaluate: () => unknown,
) {
	const code = isExpression(stored) ? String(stored) : '';
	/**
	 * The runs by node name. They are cached, because they can have many thousands of rows, and don't change while the
	 * current node runs.
	 */
	const runs = new Map<string, Run>();
	const runOf = (name: string): Run => {
		const run = runs.get(name) ?? findRun(context, name);
		runs.set(name, run);
		return run;
	};
	const sources = findSources(context, code).map(
		(read): Source => ({ ...read, run: () => runOf(read.name) }),
	);

	const refuseRow = ({ name, column = '.phone' }: NodeRead): never => {
		const all = `{{ ${nodeCode(name)}.all().map((row) => row.json${column}) }}`;
		return refuse(`reads only one row from ${name}`, `Read all rows: ${all}`);
	};
	const oneOfSeveral = sources.find((read) => read.isRow && read.run().rows.length > 1);
	/** Refuses a column of one entry in a list, as n8n writes it if the user drags it, e.g. from an Aggregate node. */
	const checkEntry = (): void => {
		for (const { name, column = '' } of sources) {
			const [, list, rest] = /^(.*?)\[\s*\d+\s*\](.*)$/.exec(column) ?? [];
			if (list === undefined) continue;
			const all = `{{ ${nodeCode(name)}.first().json${list}.map((each) => each${rest}) }}`;
			refuse(`reads only one entry of a list from ${name}`, `Read all entries: ${all}`);
		}
	};
	const { isTool } = hostOf(context);
	const isOfOthers = createOthersCheck(context);
	const isInputCut =
		context.getNode().executeOnce === true &&
		countInputRows(context as N8nData, inputOf(context)) > 1;

	const checkExpression = (): void => {
		const cut = isInputCut ? sources.find((read) => read.isInput) : undefined;
		if (cut) refuseRow(cut);
		const readsArguments = isTool && /\$(?:input\b|items\(\s*\))/.test(code);
		const isAmongSeveral = isTool || context.getInputData().length > 1;
		if (readsArguments || (isAmongSeveral && readsItem(stored))) {
			if (oneOfSeveral) refuseRow(oneOfSeveral);
			refuse(
				'is read once for all items, but its expression depends on the item',
				`Use all rows from a node, e.g. ${allRows}`,
			);
		}
	};
	const placeOf = (name: string): string =>
		[context.getWorkflow().id, name, runOf(name).startedMs].join(':');
	const refuseIncomplete = (name: string, problem: string, remedy: string): never => {
		if (runOf(name).startedMs !== undefined) incompleteRuns.set(placeOf(name), true);
		return refuse(`reads ${name}, which ${problem}`, `${remedy}, and run the workflow again`);
	};
	const checkNodes = (): void => {
		const origins = sources.flatMap(({ name }) => findOrigins(context, name));
		const partial = origins.find((name) => runOf(name).isPartial);
		if (partial !== undefined) {
			const remedy = "Turn on 'Return All' in that node";
			refuseIncomplete(partial, 'returns only some of its rows', remedy);
		}
		const cut = origins.find((name) => runOf(name).isCut);
		if (cut !== undefined) {
			const remedy =
				"Turn off 'Execute Once' in that node, turn it on in the node that reads the recipients instead";
			refuseIncomplete(cut, 'gets only the first row', remedy);
		}
		const limited = origins.find((name) => runOf(name).isLimited);
		if (limited !== undefined) {
			const remedy = 'Read the node before the Limit node instead';
			refuseIncomplete(limited, 'leaves out rows', remedy);
		}
		const failed = origins.find((name) => runOf(name).isFailed);
		if (failed !== undefined) {
			const remedy =
				"Nothing was sent, because the node can't tell whom to skip. Fix or activate that node";
			refuseIncomplete(failed, 'failed or is deactivated', remedy);
		}
		const apart = sources.find(({ name }) => !isBefore(context, name));
		if (apart) {
			refuse(
				`reads ${apart.name}, which isn't before this node`,
				`Connect ${apart.name} between the trigger and this node, and turn on 'Settings > Execute Once' in the node after it. If you copied this node from another branch, read the list of its own branch instead`,
			);
		}
		const reused = origins.find((name) => incompleteRuns.get(placeOf(name)));
		if (reused !== undefined) {
			refuse(
				`reads ${reused}, whose rows are from an earlier execution and were incomplete`,
				"Don't retry that execution. Run the workflow again from its beginning",
			);
		}
		const isUnfinished = (read: Source) => {
			const { isPending, rows, rowsBefore } = read.run();
			if (isPending || rowsBefore.length === 0) return isPending;
			const last = new Set(rows.map(({ json }) => valueIn(json, read)));
			return rowsBefore.some(({ json }) => !last.has(valueIn(json, read)));
		};
		const unfinished = sources.find(isUnfinished);
		if (unfinished) {
			refuse(
				`reads ${unfinished.name}, which runs several times, but only the rows from its last run are read`,
				'Read all rows at once, before any loop. If two nodes return them, connect both to a Merge node (Append) and read that node instead',
			);
		}
		const others = sources.find((read) => isOfOthers(code, read));
		if (others) {
			refuse(
				`reads ${others.name}, which ran for other items, but not for these`,
				`Connect ${others.name} so that all items that reach this node come through it`,
			);
		}
		const isOld = (read: Source) => Date.now() - (read.run().startedMs ?? Infinity) > hourMs;
		const old = sources.find(isOld);
		if (old) {
			const remedy = isTool
				? `No node can run between a question or an approval and this tool, so put ${old.name} and this node into a sub-workflow, and use that workflow as the tool`
				: `Run ${old.name} again right before this node`;
			refuse(
				`has rows that ${old.name} returned over an hour ago, and more people may have opted out since`,
				remedy,
			);
		}
	};
	const origin: ListOrigin = {
		isTyped: code === '',
		countRows: () => sources.map((read) => read.run().rows.length),
		findNodeForEachRow: () =>
			findNodeForEachRow(
				context,
				sources.map(({ name }) => name),
			),
		isLoopRepeated: (multiples) => isLoopRepeated(context, multiples),
		isEmptyRow: () =>
			sources.some((read) => {
				const isEmpty = (rows: INodeExecutionData[] | null) =>
					rows?.length === 1 && Object.keys(rows[0]?.json ?? {}).length === 0;
				return read.run().outputs.some(isEmpty);
			}),
	};
	return {
		origin,
		/**
		 * Returns the field's value, which is the same for all items.
		 *
		 * @throws Refusal - the expression fails or isn't reliable
		 */
		read: once((): unknown => {
			checkExpression();
			checkNodes();
			const result = settleNow(evaluate);
			if (result.status === 'rejected') {
				const { message } = result.reason as Error;
				return refuse(
					`has an expression that fails: ${message}`,
					"Nothing was sent, because the node can't tell whom to skip. Check the node names in the expression, and make sure that those nodes run before this one",
				);
			}
			const { value } = result;
			const isOne = isText(value) || (Array.isArray(value) && value.length === 1);
			if (oneOfSeveral && isOne) refuseRow(oneOfSeveral);
			if (isText(value)) checkEntry();
			return value;
		}),
		/** Must be called before anything is sent. @throws InputError - the list comes from pinned data */
		checkPinned: once((): void => {
			const pinned = sources.find((read) => read.run().isPinned);
			if (!pinned) return;
			throw new InputError(
				`'Sending Limits > Blocked Recipients' reads old data: the output of ${pinned.name} is pinned`,
				"Unpin the output, or set 'Options > Dry Run' to 'In Manual Executions'",
				'invalid_input',
				{ isOfRun: true },
			);
		}),
	};
}
