/** What the guards of a node have let pass in one execution. */
export type GuardCounts = {
	messages: number;
	/** Items that have been counted, by run and item: Retry On Fail brings them again. */
	places: Set<string>;
	/** In a dry run, in place of n8n's store. */
	perNumber: Map<string, number>;
	/** In a dry run: Send Once Keys of items that would have been sent, and the place of each. */
	keys: Map<string, string | undefined>;
	usedAtMs: number;
};

/** Bounds for executions whose end nobody reports (n8n 1.x). Forgotten too early, a limit would begin anew. */
const longestPauseMs = 24 * 60 * 60 * 1000;
const mostExecutions = 10_000;

/** Of all executions together; those used a minute ago go beyond, since n8n may be about to run them again. */
const mostEntries = 100_000;
const shortestPauseMs = 60 * 1000;

/** In the order of their use. */
const executions = new Map<string, GuardCounts>();

const prune = (nowMs: number) => {
	for (const [name, { usedAtMs }] of executions) {
		if (executions.size <= mostExecutions && nowMs - usedAtMs < longestPauseMs) return;
		executions.delete(name);
	}
};

const entriesOf = ({ places, perNumber, keys }: GuardCounts): number =>
	places.size + perNumber.size + keys.size;

/** How many messages went out stays: an item that is brought again after this counts twice, never not at all. */
const shrink = (nowMs: number) => {
	let total = [...executions.values()].reduce((sum, counts) => sum + entriesOf(counts), 0);
	for (const counts of executions.values()) {
		if (total <= mostEntries) return;
		if (nowMs - counts.usedAtMs < shortestPauseMs) continue;
		total -= entriesOf(counts);
		for (const kept of [counts.places, counts.perNumber, counts.keys]) kept.clear();
	}
};

/** The counts of that name, kept for all runs of a node and all calls of an agent in one execution. */
export const countsOf = (name: string, nowMs = Date.now()): GuardCounts => {
	const counts = executions.get(name) ?? {
		messages: 0,
		places: new Set<string>(),
		perNumber: new Map<string, number>(),
		keys: new Map<string, string | undefined>(),
		usedAtMs: nowMs,
	};
	counts.usedAtMs = nowMs;
	executions.delete(name);
	executions.set(name, counts);
	prune(nowMs);
	shrink(nowMs);
	return counts;
};

export const forgetCounts = (name: string): void => void executions.delete(name);
