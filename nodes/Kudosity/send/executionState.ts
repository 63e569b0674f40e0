import type { IExecuteFunctions } from 'n8n-workflow';
import type { Json } from '../lib/json';
import { dayMs, hourMs, minuteMs } from '../lib/time';
import { isAgentSubNode, isOutsideExecution, isSingleNode } from './agentTool';
import type { Results } from './attempt';

/** The result of one item's send in this execution; `key` is the Deduplication Key that it still holds. */
export type LedgerEntry =
	| { outcome: 'accepted'; answer: Json }
	| { outcome: 'unknown'; reason: unknown; key?: string }
	/** Refused, and each further try would cost something. */
	| { outcome: 'spent'; reason: unknown }
	/** Refused, and the same values would be refused again: their hash. */
	| { outcome: 'final'; reason: unknown; values: string; key?: string }
	/** Refused, but the Deduplication Key could not be given back. */
	| { outcome: 'refused'; key: string };

/** What a node remembers of one execution, across its runs and all calls of an agent. */
export type ExecutionState = {
	/** By item key, by the hash of what an agent asked, or by the ID of the answer. Times are of `steadyNow`. */
	ledger: Map<string, { entry: LedgerEntry; atMs: number }>;
	/** Outside of executions: the calls in progress, by the hash of what was asked. */
	underWay: Map<string, Promise<Results>>;
	sent: Used;
	/** The same for dry runs, as if they had sent. */
	rehearsed: Used;
	usedAtMs: number;
	/** Sends in progress. */
	active: number;
};

/** What messages have used up. */
export type Used = {
	messages: number;
	/** By item key. */
	countedItems: Set<string>;
	/** Only in a dry run, instead of n8n's store. */
	perNumber: Map<string, number>;
	/** Only in a dry run: each Deduplication Key that would be taken, with the key of its item. */
	keys: Map<string, string | undefined>;
	/** Each person, by the number that stands for them, who had a message, or may have had one, with the key of its item, if that has one. */
	owners: Map<string, string | undefined>;
	/** Each person who is being sent to now: settles with the item. */
	sending: Map<string, Promise<unknown>>;
};

/**
 * n8n 1 does not tell when an execution is over. So its entries are dropped after an hour, or when all executions
 * together have too many; its number of messages and the numbers that it sent to, after a day, or when there are too
 * many. What was used within the last minute stays, since Retry On Fail comes back within seconds.
 */
const maxEntries = 200_000;
const maxExecutions = 10_000;

/** Runs evenly: what is kept is not forgotten because the machine slept, or its clock was put forward. */
export const steadyNow = (): number => performance.now();

/** Least recently used first. */
const executions = new Map<string, ExecutionState>();

const nothingUsed = (): Used => ({
	messages: 0,
	countedItems: new Set(),
	perNumber: new Map(),
	keys: new Map(),
	owners: new Map(),
	sending: new Map(),
});

const entriesOf = ({ ledger, sent, rehearsed }: ExecutionState) => [
	ledger,
	...[sent, rehearsed].flatMap((used) => [used.countedItems, used.perNumber, used.keys]),
];

/** Kept longer, since a loop may pause for hours: a number that is forgotten is sent to twice. */
const numbersOf = ({ sent, rehearsed }: ExecutionState) => [sent.owners, rehearsed.owners];

const evict = (nowMs: number): void => {
	const all = [...executions.values()].flatMap((state) => [entriesOf(state), numbersOf(state)]);
	let entries = all.flat().reduce((sum, { size }) => sum + size, 0);
	for (const [name, state] of executions) {
		const idleMs = nowMs - state.usedAtMs;
		if (state.active > 0 || idleMs < minuteMs) continue;
		const isTooMany = entries > maxEntries;
		const dropped = [
			...(isTooMany || idleMs >= hourMs ? entriesOf(state) : []),
			...(isTooMany ? numbersOf(state) : []),
		];
		for (const each of dropped) {
			entries -= each.size;
			each.clear();
		}
		if (idleMs >= dayMs || executions.size > maxExecutions) executions.delete(name);
	}
};

/**
 * Identifies the node in its execution, across its runs and all calls of an agent: names are unique in a workflow.
 * Outside of an execution, all calls with one account share the state, since the agent or Retry On Fail may ask again.
 */
const nodeKey = (context: IExecuteFunctions): string => {
	const { type, name, credentials } = context.getNode();
	return isOutsideExecution(context)
		? JSON.stringify([isSingleNode(context) || context.getWorkflow().id, type, name, credentials])
		: `${context.getExecutionId()}:${name}`;
};

/** Names items alike when Retry On Fail runs the node again. None where each retry is a run of its own. */
export const createItemKeys = (context: IExecuteFunctions) => {
	if (isAgentSubNode(context) || isOutsideExecution(context)) return () => undefined;
	const run = String(context.evaluateExpression('{{ $runIndex }}', 0));
	const items = context.getInputData();
	// n8n 1 can give two calls of an agent the same run.
	return (item: number): string => `${run}:${item}:${String(items[item]?.json.toolCallId ?? '')}`;
};

/** With what n8n knows of a running execution: an update of the package loads this code again, without its state. */
const unsaved = Symbol.for('n8n-nodes-kudosity-messaging');
type Kept = { [unsaved]?: Record<string, ExecutionState> };

/** Of one execution; outside of any, of one call. */
const newCounting = () => ({ sent: nothingUsed(), rehearsed: nothingUsed() });

/** The state of the node in its execution, until the execution ends. */
export const executionStateOf = (
	context: IExecuteFunctions,
	nowMs = steadyNow(),
): ExecutionState => {
	const name = nodeKey(context);
	const flow: Kept = isOutsideExecution(context) ? {} : context.getContext('flow');
	const kept = (flow[unsaved] ??= {});
	const maps = { ledger: new Map(), underWay: new Map() };
	const fresh = { ...maps, ...newCounting(), usedAtMs: nowMs, active: 0 };
	const state: ExecutionState = executions.get(name) ?? kept[name] ?? fresh;
	if (isOutsideExecution(context)) Object.assign(state, newCounting());
	else context.onExecutionFinish?.(() => void executions.delete(name));
	state.usedAtMs = nowMs;
	kept[name] = state;
	executions.delete(name);
	executions.set(name, state);
	evict(nowMs);
	return state;
};

/** Runs a task, which can take long, and keeps the state meanwhile. */
export const keepDuring = async <Value>(
	state: ExecutionState,
	task: () => Promise<Value>,
): Promise<Value> => {
	state.active++;
	return await task().finally(() => {
		state.active--;
		state.usedAtMs = steadyNow();
	});
};
