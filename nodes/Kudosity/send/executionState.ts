import type { IExecuteFunctions } from 'n8n-workflow';
import type { Json } from '../lib/json';
import { dayMs, hourMs, minuteMs } from '../lib/time';
import { hostOf } from '../n8n/host';

/** The result of one item's send in this execution; `key` is the Deduplication Key that it still holds. */
export type LedgerEntry =
	| { outcome: 'accepted'; answer: Json; key?: undefined }
	| { outcome: 'unknown'; reason: unknown; key?: string }
	/** Refused, and each further try would cost something, such as one of five attempts. */
	| { outcome: 'spent'; reason: unknown; key?: undefined }
	/** Refused, and the same values would be refused again. `values` is their hash. */
	| { outcome: 'final'; reason: unknown; values: string; key?: string }
	/** Refused, but the Deduplication Key could not be given back, so it is still held. */
	| { outcome: 'refused'; key: string };

/** A node's memory of one execution, across its runs and all calls of an agent. */
export type ExecutionState = {
	/** Results by the key of the item, or by the hash of an agent's request. */
	ledger: Map<string, LedgerEntry>;
	sent: Usage;
	/** The limits and keys that dry runs would have used up if they had sent. */
	rehearsed: Usage;
	agentHasSeveralItems?: boolean;
	/** The time of the last use, by `performance.now()`. */
	usedAtMs: number;
	/** Sends in progress. */
	active: number;
};

/** The limits and keys that messages have used up. */
export type Usage = {
	messages: number;
	/** Keys of the items that are counted. */
	countedItems: Set<string>;
	/** Today's counts, by person and of all recipients together. Only a dry run has them; others use n8n's store. */
	perDay: Map<string, number>;
	/** The Deduplication Keys that would be taken, each with the key of its item. Only a dry run has them. */
	keys: Map<string, string | undefined>;
};

/**
 * How much this process remembers. n8n 1 does not say when an execution is over, so the entries of an execution are
 * dropped after an hour, or when all executions together have too many. Its number of messages is dropped after a day,
 * or when there are too many executions. An execution of the last minute keeps everything, because Retry On Fail comes
 * back within seconds.
 */
const maxEntries = 200_000;
const maxExecutions = 10_000;

/**
 * The states of executions, least recently used first. A restart forgets them, as n8n forgets the executions, except
 * those that wait.
 */
const executions = new Map<string, ExecutionState>();

const nothingUsed = (): Usage => ({
	messages: 0,
	countedItems: new Set(),
	perDay: new Map(),
	keys: new Map(),
});

const entriesOf = ({ ledger, sent, rehearsed }: ExecutionState) => [
	ledger,
	...[sent, rehearsed].flatMap((used) => [used.countedItems, used.perDay, used.keys]),
];

function evict(nowMs: number): void {
	const all = [...executions.values()].flatMap(entriesOf);
	let entries = all.reduce((sum, { size }) => sum + size, 0);
	for (const [name, state] of executions) {
		const idleMs = nowMs - state.usedAtMs;
		if (state.active > 0 || idleMs < minuteMs) continue;
		if (entries > maxEntries || idleMs >= hourMs) {
			for (const each of entriesOf(state)) {
				entries -= each.size;
				each.clear();
			}
		}
		if (idleMs >= dayMs || executions.size > maxExecutions) executions.delete(name);
	}
}

/**
 * Creates names of items that stay the same when Retry On Fail runs the node again. They are undefined where each retry
 * is a separate run.
 */
export function createItemKeys(context: IExecuteFunctions): (item: number) => string | undefined {
	if (!hostOf(context).remembers.retry) return () => undefined;
	const run = String(context.evaluateExpression('{{ $runIndex }}', 0));
	const items = context.getInputData();
	// n8n 1 can give two calls of an agent the same run.
	return (item) => `${run}:${item}:${String(items[item]?.json.toolCallId ?? '')}`;
}

/**
 * The name under which the state is also kept in n8n's own data about a running execution, because an update of the
 * package loads this code again, with an empty map.
 */
const unsaved = Symbol.for('n8n-nodes-kudosity-messaging');
type Kept = { [unsaved]?: Record<string, ExecutionState> };

/**
 * Returns the state of the node in its execution, which lasts until the execution ends. A call by an MCP Server Trigger
 * has no execution, but all of its tries have the same flow context.
 */
export function executionStateOf(
	context: IExecuteFunctions,
	// This clock is monotonic, so nothing is forgotten because the machine slept, or its clock was put forward.
	nowMs = performance.now(),
): ExecutionState {
	const fresh: ExecutionState = {
		...{ ledger: new Map(), sent: nothingUsed(), rehearsed: nothingUsed() },
		...{ usedAtMs: nowMs, active: 0 },
	};
	if (!hostOf(context).remembers.execution) return fresh;
	const id = context.getExecutionId();
	const name = `${id}:${context.getNode().name}`;
	const flow: Kept = context.getContext('flow');
	const kept = (flow[unsaved] ??= {});
	const state = executions.get(name) ?? kept[name] ?? fresh;
	state.usedAtMs = nowMs;
	kept[name] = state;
	if (id === undefined) return state;
	context.onExecutionFinish?.(() => void executions.delete(name));
	executions.delete(name);
	executions.set(name, state);
	evict(nowMs);
	return state;
}

/** Keeps the state until the function that it returns is called. */
export function holdState(state: ExecutionState): () => void {
	state.active++;
	return () => {
		state.active--;
		state.usedAtMs = performance.now();
	};
}
