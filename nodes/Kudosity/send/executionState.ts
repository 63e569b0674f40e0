import type { IExecuteFunctions } from 'n8n-workflow';
import type { Json } from '../lib/json';
import { dayMs, hourMs, minuteMs } from '../lib/time';
import { hostOf } from '../n8n/host';

/** The result of one item's send in this execution; `key` is the Deduplication Key that it still holds. */
export type LedgerEntry =
	| { outcome: 'accepted'; answer: Json; key?: undefined }
	| { outcome: 'unknown'; reason: unknown; key?: string }
	/** Refused, and each further try would cost something. */
	| { outcome: 'spent'; reason: unknown; key?: undefined }
	/** Refused, and the same values would be refused again: their hash. */
	| { outcome: 'final'; reason: unknown; values: string; key?: string }
	/** Refused, but the Deduplication Key could not be given back. */
	| { outcome: 'refused'; key: string };

/** What a node remembers of one execution, across its runs and all calls of an agent. */
export type ExecutionState = {
	/** By item key, or by the hash of what an agent asked for. */
	ledger: Map<string, LedgerEntry>;
	sent: Used;
	/** The same for dry runs, as if they had sent. */
	rehearsed: Used;
	/** Whether the agent that calls this node as a tool has several items. */
	agentHasSeveralItems?: boolean;
	/** Of `performance.now()`. */
	usedAtMs: number;
	/** Sends in progress. */
	active: number;
};

/** What messages have used up. */
export type Used = {
	messages: number;
	/** Keys of the items that are counted. */
	countedItems: Set<string>;
	/** Only in a dry run, instead of n8n's store: by person, and of all recipients together. */
	perDay: Map<string, number>;
	/** Only in a dry run: each Deduplication Key that would be taken, with the key of its item. */
	keys: Map<string, string | undefined>;
};

/**
 * n8n 1 does not say when an execution is over. So the entries of an execution are dropped after an hour, or when all
 * executions together have too many; its number of messages after a day, or when there are too many executions. What
 * was used within the last minute stays, because Retry On Fail comes back within seconds.
 */
const maxEntries = 200_000;
const maxExecutions = 10_000;

/**
 * Least recently used first. Bounded as said above; a restart forgets it, as n8n forgets the execution, but for one that
 * waits.
 */
const executions = new Map<string, ExecutionState>();

const nothingUsed = (): Used => ({
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

/** Names items alike when Retry On Fail runs the node again. None where each retry is a run of its own. */
export function createItemKeys(context: IExecuteFunctions): (item: number) => string | undefined {
	if (!hostOf(context).remembers.retry) return () => undefined;
	const run = String(context.evaluateExpression('{{ $runIndex }}', 0));
	const items = context.getInputData();
	// n8n 1 can give two calls of an agent the same run.
	return (item) => `${run}:${item}:${String(items[item]?.json.toolCallId ?? '')}`;
}

/**
 * The state is also kept with what n8n knows of a running execution, because an update of the package loads this code
 * again, with an empty map.
 */
const unsaved = Symbol.for('n8n-nodes-kudosity-messaging');
type Kept = { [unsaved]?: Record<string, ExecutionState> };

/**
 * The state of the node in its execution, until the execution ends. A call by an MCP Server Trigger has no execution, but
 * all of its tries have the same flow.
 */
export function executionStateOf(
	context: IExecuteFunctions,
	// A steady clock: nothing is forgotten because the machine slept, or its clock was put forward.
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
