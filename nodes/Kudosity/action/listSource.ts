import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IPinData,
	IRunExecutionData,
	ISourceData,
	ITaskData,
	Workflow,
} from 'n8n-workflow';
import { InputError } from '../api/errors';
import { allRows, type ListOrigin } from '../fields/blockedRecipients';
import { refuse } from '../fields/field';
import { isText } from '../fields/readers';
import { isExpression } from '../fields/requiredCheck';
import { once, settleNow } from '../lib/async';
import { hourMs } from '../lib/time';
import { hostOf } from '../n8n/host';

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

/**
 * Matches where an expression reads a node by its name. Captures the name, the method that is called on the node, and
 * the column that is read.
 */
const nodeRead =
	/\$(items)?\(\s*(['"`])((?:\\.|(?!\2|\\).)*)\2[^)]*\)(?:\s*\??\.\s*(\w+)(?:\([^)]*\))?(?:\s*\??\.\s*json((?:\??\.\w+|\[[^\]]*\])+))?)?/g;

/** Matches where an expression reads the previous node without its name. */
const inputRead = /\$(?:items\(\s*\)|(?:input\s*\??\.\s*(\w+)|json))/g;

type NodeRead = {
	name: string;
	isWhole: boolean;
	isRow: boolean;
	/** Whether the node is read as the input of the current node, without its name. */
	isInput: boolean;
	column?: string;
};

type Run = ReturnType<typeof findRun>;

type Source = NodeRead & { run: () => Run };

const rowMethods = ['first', 'last', 'item', 'itemMatching', 'pairedItem'];

/**
 * Finds the nodes that an expression reads. If it reads all rows of some nodes, only those nodes are returned, because
 * the list comes from them.
 */
function findSources(context: IExecuteFunctions, code: string): NodeRead[] {
	const named = [...code.matchAll(nodeRead)].map(
		([, items, , name = '', method = '', column]): NodeRead => ({
			name: name.replace(/\\(.)/g, '$1'),
			isWhole: items !== undefined || method === 'all',
			isRow: rowMethods.includes(method),
			isInput: false,
			column,
		}),
	);
	const before = inputOf(context)?.previousNode;
	const unnamed = [...code.matchAll(inputRead)].map(
		([text, method]): NodeRead => ({
			name: before || '',
			isWhole: text.startsWith('$items') || method === 'all',
			isRow: false,
			isInput: true,
		}),
	);
	const all = [...named, ...unnamed];
	const whole = all.filter(({ isWhole }) => isWhole);
	return whole.length > 0 ? whole : all;
}

/** Returns the output of another node that is the current node's input, if n8n tells which one it is. */
function inputOf(context: IExecuteFunctions): ISourceData | null | undefined {
	const executeData = settleNow(() => context.getExecuteData());
	return executeData.status === 'fulfilled' ? executeData.value.source?.main?.[0] : undefined;
}

/** The parts of n8n's internal data that this file reads. Any of them may be missing. */
type N8nData = {
	runExecutionData?: IRunExecutionData | null;
	workflow?: Pick<Workflow, 'getNode' | 'getParentNodes' | 'getChildNodes' | 'pinData'>;
};

/**
 * Returns the pinned data of a run. n8n ignores pinned data in production executions. The retry of a manual execution
 * uses the data that was pinned back then, even if it has been unpinned since.
 */
function pinsOf(context: IExecuteFunctions, { runExecutionData, workflow }: N8nData): IPinData {
	const ofRun = runExecutionData?.resultData.pinData;
	const mode = context.getMode();
	if (mode === 'manual') return ofRun ?? workflow?.pinData ?? {};
	return (mode === 'retry' && ofRun) || {};
}

function rowsOf(run: ITaskData | undefined): INodeExecutionData[] {
	return (run?.data?.main ?? []).flatMap((items) => items ?? []);
}

/** Returns the number of rows in the output that is a node's input. */
function countInputRows(
	{ runExecutionData }: N8nData,
	source: ISourceData | null | undefined,
): number {
	if (!source) return 0;
	const { previousNode, previousNodeRun = 0, previousNodeOutput = 0 } = source;
	const run = runExecutionData?.resultData.runData[previousNode]?.[previousNodeRun];
	return run?.data?.main?.[previousNodeOutput]?.length ?? 0;
}

/**
 * The fields of the items that nodes output instead of failing. n8n's nodes have `error` and `message`, this package's
 * nodes have `error` and `details`.
 */
const errorFields = ['error', 'message', 'details'];

/** Whether an item is a failure that a node with On Error: Continue has output instead of a row. */
function isErrorItem({ json, error }: INodeExecutionData): boolean {
	const isError = 'error' in json && Object.keys(json).every((name) => errorFields.includes(name));
	return error !== undefined || isError;
}

/** n8n's nodes that output the rows of the nodes before them. */
const passingTypes =
	/^n8n-nodes-base\.(aggregate|code|compareDatasets|crypto|dateTime|executionData|filter|if|itemLists|limit|merge|noOp|removeDuplicates|renameKeys|set|sort|splitInBatches|splitOut|summarize|switch|wait)$/;

/** Whether a node outputs the rows of the nodes before it. */
function isPassing(workflow: N8nData['workflow'], name: string): boolean {
	const { type = '', parameters } = workflow?.getNode(name) ?? {};
	return passingTypes.test(type) || parameters?.operation === 'clean';
}

/**
 * Returns the names of the nodes that a node's rows come from, including the node itself. The search ends at nodes that
 * get their rows from elsewhere, e.g. from a database, because whatever runs before them doesn't change the list.
 * Deactivated nodes on the way are left out, because n8n passes their input on.
 */
function findOrigins(workflow: N8nData['workflow'], name: string): string[] {
	const names = new Set([name]);
	// The loop also visits the names that it adds.
	for (const each of names) {
		if (!isPassing(workflow, each)) continue;
		for (const before of workflow?.getParentNodes(each, 'main', 1) ?? []) names.add(before);
	}
	const isLeftOut = (each: string) =>
		each !== name && isPassing(workflow, each) && workflow?.getNode(each)?.disabled === true;
	return [...names].filter((each) => !isLeftOut(each));
}

/**
 * Finds a node's last run in n8n's data. If n8n doesn't provide the data, the start time is undefined and there are no
 * rows.
 */
function findRun(context: IExecuteFunctions, name: string) {
	const data = context as N8nData;
	const { runExecutionData, workflow } = data;
	const { runData = {} } = runExecutionData?.resultData ?? {};
	const pinned = pinsOf(context, data)[name];
	const own = context.getNode().name;
	const node = workflow?.getNode(name);
	const runs = runData[name] ?? [];
	const last = runs.at(-1);
	const errorOutput = last?.data?.main?.at(-1) ?? [];
	// Workflows from before n8n had On Error still have `continueOnFail`.
	const continues = node?.onError === 'continueRegularOutput' || node?.continueOnFail === true;
	const hasErrorItems =
		(node?.onError === 'continueErrorOutput' && errorOutput.length > 0) ||
		(continues && rowsOf(last).some(isErrorItem));
	const isFailed = last?.error !== undefined || hasErrorItems || node?.disabled === true;
	const ownRuns = runData[own]?.length ?? 0;
	const upToNode = [name, ...(workflow?.getParentNodes(name) ?? [])];
	const { nodeExecutionStack = [], waitingExecution = {} } = runExecutionData?.executionData ?? {};
	// In a loop, a Merge node after the current node can wait for it. It belongs to the next round.
	const isNextRound = (each: string) => workflow?.getChildNodes(own).includes(each) === true;
	const pending = [
		...nodeExecutionStack.map((each) => each.node.name),
		...Object.keys(waitingExecution).filter((each) => !isNextRound(each)),
	];
	return {
		isPinned: pinned !== undefined,
		isPartial: node?.parameters.returnAll === false,
		isFailed: pinned === undefined && isFailed,
		/** Whether Execute Once is on and there was more than one row, so n8n gave the node only the first one. */
		isCut:
			node?.executeOnce === true &&
			isPassing(workflow, name) &&
			(last?.source ?? []).some((each) => countInputRows(data, each) > 1),
		/** Whether n8n will run the node again, because two nodes are connected to the same input. */
		isPending: pending.some((each) => upToNode.includes(each)),
		/** The rows of the runs before the last one, except those before the current node's own runs, as in a loop. */
		rowsBefore: runs.slice(ownRuns, -1).flatMap(rowsOf),
		startedMs: last?.startTime,
		/** The rows of each output. A Filter node, for example, also outputs the rows that it discards. */
		outputs: pinned ? [pinned] : (last?.data?.main ?? []),
		rows: pinned ?? rowsOf(last),
	};
}

/** Returns the column that the expression reads, or the whole row, as text to compare. */
function valueIn(json: IDataObject, { column = '' }: NodeRead): string {
	const name = /^\.(\w+)$/.exec(column)?.[1];
	return JSON.stringify(name === undefined ? json : json[name]);
}

/**
 * Reads the list of Blocked Recipients, and refuses expressions that aren't reliable, e.g. because they read only one
 * row. These mistakes are easy to make, and the harm is grave: a message after an opt-out. This is the only place where
 * the node examines an expression, or n8n's data about other nodes' runs. If n8n doesn't provide that data, the list
 * counts as up to date.
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
		const all = `{{ $('${name.replace(/['\\]/g, '\\$&')}').all().map((row) => row.json${column}) }}`;
		return refuse(`reads only one row from ${name}`, `Read all of them: ${all}`);
	};
	const oneOfSeveral = sources.find((read) => read.isRow && read.run().rows.length > 1);
	const isInputCut =
		context.getNode().executeOnce === true &&
		countInputRows(context as N8nData, inputOf(context)) > 1;

	const checkExpression = (): void => {
		if (/\$fromai\b/i.test(code)) {
			refuse(
				"can't be filled in by a model",
				`Use a list that the workflow reads, e.g. ${allRows}`,
			);
		}
		const cut = isInputCut ? sources.find((read) => read.isInput) : undefined;
		if (cut) refuseRow(cut);
		const { isTool } = hostOf(context);
		const readsArguments = isTool && /\$(?:input\b|items\(\s*\))/.test(code);
		const isAmongSeveral = isTool || context.getInputData().length > 1 || /\$node\b/.test(code);
		if (readsArguments || (isAmongSeveral && readsItem(stored))) {
			if (oneOfSeveral) refuseRow(oneOfSeveral);
			refuse(
				'is read once for all items, but its expression depends on the item',
				`Use all rows from a node, e.g. ${allRows}`,
			);
		}
	};
	const checkNodes = (): void => {
		const { workflow } = context as N8nData;
		const origins = sources.flatMap(({ name }) => findOrigins(workflow, name));
		const partial = origins.find((name) => runOf(name).isPartial);
		if (partial !== undefined) {
			refuse(
				`reads ${partial}, which returns only some of its rows`,
				"Turn on 'Return All' in that node",
			);
		}
		const cut = origins.find((name) => runOf(name).isCut);
		if (cut !== undefined) {
			refuse(
				`reads ${cut}, which gets only the first row`,
				"Turn off 'Execute Once' in that node. It belongs in the node that reads the recipients",
			);
		}
		const failed = origins.find((name) => runOf(name).isFailed);
		if (failed !== undefined) {
			refuse(
				`reads ${failed}, which failed or is deactivated`,
				"Fix or activate that node, and run the workflow again. Nothing was sent, because the node can't tell whom to skip",
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
				`reads ${unfinished.name}, which runs several times, but only its last rows are read`,
				'Read all rows at once, before a loop. If two nodes return them, connect both to a Merge node (Append), and read that one',
			);
		}
		const isOld = (read: Source) => Date.now() - (read.run().startedMs ?? Infinity) > hourMs;
		const old = sources.find(isOld);
		if (old) {
			refuse(
				`has rows that ${old.name} returned over an hour ago, and more people may have opted out since`,
				`Run ${old.name} again right before this node`,
			);
		}
	};
	const origin: ListOrigin = {
		isTyped: code === '',
		countRows: () => sources.map((read) => read.run().rows.length),
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
			return value;
		}),
		/** Must be called before anything is sent. @throws InputError - the list comes from pinned data */
		checkPinned: once((): void => {
			const pinned = sources.find((read) => read.run().isPinned);
			if (!pinned) return;
			throw new InputError(
				`'Sending Limits > Blocked Recipients' reads old data: the output of ${pinned.name} is pinned`,
				"Unpin it, or set 'Options > Dry Run' to 'In Manual Executions'",
				'invalid_input',
				{ isOfRun: true },
			);
		}),
	};
}
