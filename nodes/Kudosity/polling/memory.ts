import { lruMap } from '../lib/async';
import type { PolledEvent } from './fields';
import type { Position } from './position';

/** One poll of n8n. Its context is the same for all polls of an activation, except with n8n's durable cursors. */
export type Run = {
	context: object;
	/** Aborted when another activation begins, since n8n throws away the output of this one then. */
	stop: AbortController;
	ended: Promise<unknown>;
};

/**
 * What this process knows of one trigger, beside what n8n stores: n8n does not store what a poll without output has
 * changed, and other nodes can set back what it stores. Times by a monotonic clock, in milliseconds.
 */
export type Memory = {
	positions: Partial<Record<PolledEvent, Position>>;
	/** The latest output, until it is known whether n8n has taken it. */
	emitted?: { event: PolledEvent; key: string; before: Memory['positions']; atMs: number };
	run?: Run;
	/** The last poll that reached the service. */
	polledMs?: number;
	/** The first try to learn the service's time. */
	askedMs?: number;
	sweptMs?: number;
	failures: number;
	/** The service asked for a pause until then. */
	quietUntilMs: number;
	/** The last error that said that the service refuses. */
	refusedMs?: number;
	/** Of the latest activation, and how many before it had one poll only. */
	context?: object;
	polls: number;
	singles: number;
};

/** Triggers that an n8n process has at a time. */
const maxTriggers = 1_000;

const memories = lruMap<Memory>(maxTriggers);

/** A node keeps its ID when it is renamed; what n8n stores does not follow the name. */
export const memoryOf = (workflowId: string | undefined, nodeId: string): Memory => {
	const place = `${workflowId}:${nodeId}`;
	const memory = memories.get(place) ?? {
		positions: {},
		failures: 0,
		quietUntilMs: 0,
		polls: 0,
		singles: 0,
	};
	memories.set(place, memory);
	return memory;
};

/** Whether this is the first poll of an activation. With durable cursors, each poll has a context of its own. */
export const countPoll = (
	memory: Memory,
	context: object,
): { isFirst: boolean; isDurable: boolean } => {
	const isNew = memory.context !== context;
	if (isNew) {
		memory.singles = memory.polls === 1 ? memory.singles + 1 : 0;
		memory.context = context;
		memory.polls = 0;
	}
	memory.polls += 1;
	const isDurable = isNew && memory.singles > 1;
	return { isFirst: isNew && !isDurable, isDurable };
};
