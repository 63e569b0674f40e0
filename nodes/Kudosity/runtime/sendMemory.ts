import type { Json } from './operation';

/** What became of one item's send, in this execution. */
export type Attempt =
	| { outcome: 'accepted'; answer: Json }
	| { outcome: 'unknown'; reason: unknown }
	/** A definite no, of which the Send Once Key could not be given back: this item still has it. */
	| { outcome: 'refused' };
type Remembered = { usedAtMs: number; attempts: Map<string, Attempt> };

type Now = () => number;

/**
 * n8n's Retry On Fail runs a node again with all its items, at most 5 times and at most 5 s apart, in the
 * same process. This remembers what those items came to, so that a re-run sends only what was not accepted.
 * Bounds for executions whose end nobody reports (n8n 1.x): an hour without a send, and 100,000 items.
 */
const longestPauseMs = 60 * 60 * 1000;
const mostAttempts = 100_000;

const runs = new Map<string, Remembered>();

const countAttempts = () =>
	[...runs.values()].reduce((sum, { attempts }) => sum + attempts.size, 0);

/** Forgets what is too old, and the least recently used runs beyond the bound, but never `current`. */
const prune = (current: string, nowMs: number) => {
	let total = countAttempts();
	for (const [run, { usedAtMs, attempts }] of runs) {
		const isNeeded = nowMs - usedAtMs < longestPauseMs && total <= mostAttempts;
		if (run === current || isNeeded) continue;
		runs.delete(run);
		total -= attempts.size;
	}
};

/** The memory of one node in one execution, by names that tell its attempts apart. `now` gives milliseconds since the epoch. */
export const sendMemory = (run: string, now: Now = () => Date.now()) => {
	const remembered: Remembered = {
		attempts: runs.get(run)?.attempts ?? new Map(),
		usedAtMs: now(),
	};
	// Deleting first moves the run to the end: the map is in order of use.
	runs.delete(run);
	runs.set(run, remembered);
	prune(run, now());
	return {
		recall: (attemptName: string) => remembered.attempts.get(attemptName),
		remember: (attemptName: string, attempt: Attempt) => {
			remembered.usedAtMs = now();
			remembered.attempts.set(attemptName, attempt);
		},
		forget: () => void runs.delete(run),
	};
};

export type SendMemory = ReturnType<typeof sendMemory>;
