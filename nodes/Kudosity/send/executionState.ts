import type { IExecuteFunctions } from 'n8n-workflow';
import type { Json } from '../lib/json';
import { dayMs, hourMs, minuteMs } from '../lib/time';
import { hostOf } from '../n8n/host';

/** The result of sending one item in this execution. `key` is the Deduplication Key that the item still holds. */
export type LedgerEntry =
	| { outcome: 'accepted'; answer: Json; key?: undefined }
	| { outcome: 'unknown'; reason: unknown; key?: string }
	/** Refused, and each further attempt would use something up, e.g. one of five tries at a verification code. */
	| { outcome: 'spent'; reason: unknown; key?: undefined }
	/** Refused, and the same values would be refused again. `values` is their hash. */
	| { outcome: 'final'; reason: unknown; values: string; key?: string }
	/** Refused, but the Deduplication Key could not be released, so the item still holds it. */
	| { outcome: 'refused'; key: string };

/** A node's memory for one execution. The node's runs and all calls by an agent share it. */
export type ExecutionState = {
	/** Keyed by the item key (see `createItemKeys`). Unconfirmed sends are also keyed by a hash of their values. */
	ledger: Map<string, LedgerEntry>;
	sent: Usage;
	/** The limits and keys that dry runs would have used up. */
	rehearsed: Usage;
	/** When the state was last used, as a value of `performance.now()`. */
	usedAtMs: number;
	/** How many sends are in progress. */
	active: number;
};

/** The limits and keys that messages have used up. */
export type Usage = {
	messages: number;
	/** Keys (see `createItemKeys`) of the items that are already counted, so a retry doesn't count them again. */
	countedItems: Set<string>;
	/**
	 * Today's number of messages, for each person and for all recipients together. Only used in dry runs; other runs
	 * count in n8n's store.
	 */
	perDay: Map<string, number>;
	/**
	 * The Deduplication Keys that would be taken, each with the item key of the item that took it. Only used in dry
	 * runs.
	 */
	keys: Map<string, string | undefined>;
};

/**
 * Limits for what this process remembers, because n8n 1 doesn't say when an execution is over. The entries of an
 * execution (results, counts per day and keys) are dropped once the execution hasn't been used for an hour, or earlier
 * if all executions together have more than `maxEntries`. The rest, such as its number of messages, is dropped after a
 * day, or earlier if there are more than `maxExecutions`. An execution that was used in the last minute keeps
 * everything, because Retry On Fail runs the node again within seconds.
 */
const maxEntries = 200_000;
const maxExecutions = 10_000;

/**
 * The states of executions, the least recently used first. A restart of n8n loses them, but also ends all executions
 * except those that are waiting.
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
 * Creates a function that returns an item's key, which remains the same when Retry On Fail runs the node again. The key
 * is undefined if n8n makes each retry a separate run.
 */
export function createItemKeys(context: IExecuteFunctions): (item: number) => string | undefined {
	if (!hostOf(context).remembers.retry) return () => undefined;
	const run = String(context.evaluateExpression('{{ $runIndex }}', 0));
	const items = context.getInputData();
	// The ID of the tool call is included, because n8n 1 can give two calls by an agent the same run index.
	return (item) => `${run}:${item}:${String(items[item]?.json.toolCallId ?? '')}`;
}

/**
 * The property under which the state is also stored in n8n's own data about a running execution. When the package is
 * updated, this module is loaded again with an empty `executions` map, but n8n's data remains.
 */
const unsaved = Symbol.for('n8n-nodes-kudosity-messaging');
type Kept = { [unsaved]?: Record<string, ExecutionState> };

/**
 * Returns the node's state in this execution, which lasts until the execution ends. A call by an MCP Server Trigger has
 * no execution ID, but all attempts at that call share the same flow context.
 */
export function executionStateOf(
	context: IExecuteFunctions,
	// This clock is monotonic. With a wall clock, states would be dropped too early if the clock is set forward or the
	// machine sleeps.
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

/** Protects the state from being dropped until the returned function is called. */
export function holdState(state: ExecutionState): () => void {
	state.active++;
	return () => {
		state.active--;
		state.usedAtMs = performance.now();
	};
}
