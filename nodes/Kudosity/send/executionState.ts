import type { IExecuteFunctions } from 'n8n-workflow';
import type { Json } from '../lib/json';
import { nodeKey } from './agentTool';

/** What became of one item's send, in this execution; `key`: the Send Once Key that it still has. */
export type LedgerEntry =
	| { outcome: 'accepted'; answer: Json }
	| { outcome: 'unknown'; reason: unknown; key?: string }
	/** A no that each further try would make worse. */
	| { outcome: 'spent'; reason: unknown }
	/** A definite no, of which the Send Once Key could not be given back: this item still has it. */
	| { outcome: 'refused'; key: string };

/** What a node remembers of one execution, over all of its runs and all calls of an agent. */
export type ExecutionState = {
	/** What became of each send, by a name that tells it from others. */
	ledger: Map<string, { entry: LedgerEntry; atMs: number }>;
	/** Messages that limits have let pass, and the items that were counted. */
	counts: Counts;
	/** The same of what was only tried. */
	dryCounts: Counts;
	usedAtMs: number;
	/** How many sends are under way. */
	active: number;
};

export type Counts = {
	messages: number;
	countedItems: Set<string>;
	/** In a dry run, in place of n8n's store. */
	perNumber: Map<string, number>;
	/** In a dry run: Send Once Keys of items that would have been sent, and the place of each. */
	keys: Map<string, string | undefined>;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * Bounds where nobody says that an execution is over (n8n 1.x): after an hour, and beyond so many entries of all
 * executions, it is forgotten which items were sent; after a day, or beyond so many executions, how many. Retry On
 * Fail comes back within seconds, so that what was used a minute ago stays.
 */
const maxEntries = 200_000;
const maxExecutions = 10_000;

/** In the order of their use. */
const executions = new Map<string, ExecutionState>();

const emptyCounts = (): Counts => ({
	messages: 0,
	countedItems: new Set(),
	perNumber: new Map(),
	keys: new Map(),
});

const entriesOf = ({ ledger, counts, dryCounts }: ExecutionState) => [
	ledger,
	...[counts, dryCounts].flatMap(({ countedItems: places, perNumber, keys }) => [
		places,
		perNumber,
		keys,
	]),
];

const sizeOf = (state: ExecutionState): number =>
	entriesOf(state).reduce((sum, { size }) => sum + size, 0);

const evict = (nowMs: number): void => {
	let entries = [...executions.values()].reduce((sum, state) => sum + sizeOf(state), 0);
	for (const [name, state] of executions) {
		const idleMs = nowMs - state.usedAtMs;
		if (state.active > 0 || idleMs < minuteMs) continue;
		if (idleMs >= hourMs || entries > maxEntries) {
			entries -= sizeOf(state);
			for (const each of entriesOf(state)) each.clear();
		}
		if (idleMs >= 24 * hourMs || executions.size > maxExecutions) executions.delete(name);
	}
};

/** The state of the node in its execution; it is forgotten when the execution ends. */
export const executionStateOf = (
	context: IExecuteFunctions,
	nowMs = Date.now(),
): ExecutionState => {
	const name = nodeKey(context);
	const state = executions.get(name) ?? {
		ledger: new Map(),
		counts: emptyCounts(),
		dryCounts: emptyCounts(),
		usedAtMs: nowMs,
		active: 0,
	};
	state.usedAtMs = nowMs;
	executions.delete(name);
	executions.set(name, state);
	context.onExecutionFinish?.(() => void executions.delete(name));
	evict(nowMs);
	return state;
};

/** While a task runs, which can be long, its state is not forgotten. */
export const keepDuring = async <Value>(
	state: ExecutionState,
	task: () => Promise<Value>,
): Promise<Value> => {
	state.active++;
	return await task().finally(() => {
		state.active--;
		state.usedAtMs = Date.now();
	});
};
